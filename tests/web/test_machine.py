"""Random commands, disconnects and returns over WebSockets: all clients receive the same events."""

import asyncio
import threading
from collections.abc import Coroutine
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from dicecup.table.commands import command_to_json
from tests.hosting.guests import Choose, wanted
from tests.web.serving import Browser, Json, Socket, serving

pytestmark = pytest.mark.slow
Value = TypeVar("Value")
PEOPLE = 3
"""Two players and one watcher."""
SETUPS: tuple[Json, ...] = (
    {"game": "yam-master", "seats": [{}, {}]},
    {"game": "yamm", "seats": [{}, {}]},
    {"game": "yam-master", "seats": [{}, {}], "dice": "table"},
)
RANDOM: Json = {"type": "nothing"}
LAID = ("board", "sheets", "corrections", "history")
"""Parts of a view that updates leave out if they have not changed."""


class Loop:
    """Event loop in a thread: the steps of a state machine cannot be coroutines."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def __call__(self, work: Coroutine[Any, Any, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(280)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def machine(url: str, run: Loop) -> type[RuleBasedStateMachine]:
    class Room(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.people = [Browser(url) for _ in range(PEOPLE)]
            self.sockets: list[Socket | None] = [None] * PEOPLE
            self.opened: list[Any] = [None] * PEOPLE
            self.events: list[list[Json]] = [[] for _ in range(PEOPLE)]
            self.answers: dict[tuple[int, str], Json] = {}
            self.chance = Random(1)
            self.count = 0
            self.made: Json = {}

        @precondition(lambda self: not self.made)
        @rule(setup=st.sampled_from(SETUPS))
        def make(self, setup: Json) -> None:
            self.made = run(self.people[0].make(setup))
            for person in self.people[1:]:
                run(person.http.get("/api/me"))

        @precondition(lambda self: self.made)
        @rule(who=st.integers(0, PEOPLE - 1))
        def come(self, who: int) -> None:
            if self.sockets[who] is None:
                since = self.events[who][-1]["number"] if self.events[who] else 0
                key = self.made["watch_key" if who == 2 else "join_key"]
                self.opened[who] = self.people[who].socket(self.made["table"], {"since": since, "key": key})
                self.sockets[who] = run(self.opened[who].__aenter__())
                self.newest_view(who)

        @precondition(lambda self: any(self.sockets))
        @rule(who=st.integers(0, PEOPLE - 1))
        def go(self, who: int) -> None:
            if self.sockets[who] is not None:
                self.collect(who)
                run(self.opened[who].__aexit__(None, None, None))
                self.sockets[who] = None

        @precondition(lambda self: any(self.sockets))
        @rule(who=st.integers(0, PEOPLE - 1), stale=st.booleans(), last=st.booleans())
        def do_what_is_wanted(self, who: int, stale: bool, last: bool) -> None:
            socket = self.sockets[who]
            if socket is None:
                return
            view = self.newest_view(who)
            pick: Choose = (lambda actions: actions[-1]) if last else self.chance.choice
            if who == 1 and not view["you"] and view["demand"]["what"] == "seats":
                command: Json = {"type": "sit", "name": "Ben"}
            elif view["demand"]["what"] in ("commitments", "seeds", "throw", "action"):
                found = wanted(view, pick)
                if found is None:
                    return
                command = command_to_json(found)
            elif view["demand"]["what"] == "dice":
                faces = [*view["turn"]["dice"], *(self.chance.randint(1, 6) for _ in range(5 - len(view["turn"]["dice"])))]
                command = {"type": "enter-dice", "dice": "".join(map(str, faces))}
            else:
                command = {"type": "enter-die", "face": self.chance.randint(1, 6)}
            self.send(who, command, view["number"] - stale)

        @precondition(lambda self: any(self.sockets))
        @rule(
            who=st.integers(0, PEOPLE - 1),
            command=st.sampled_from(
                [
                    {"type": "resign"},
                    {"type": "offer-draw"},
                    {"type": "answer-draw", "accept": False},
                    {"type": "take-back"},
                    {"type": "throw"},
                    {"type": "act", "action": "--"},
                    {"type": "act", "action": "f1.H"},
                    {"type": "claim", "what": "win"},
                    {"type": "rematch"},
                    {"type": "stand-up"},
                    {"type": "sit", "name": "<b>", "seat": 1},
                    RANDOM,
                ]
            ),
        )
        def do_anything(self, who: int, command: Json) -> None:
            if self.sockets[who] is not None:
                self.send(who, command, self.newest_view(who)["number"])

        @precondition(lambda self: self.answers and any(self.sockets))
        @rule(data=st.data())
        def send_again(self, data: st.DataObject) -> None:
            """Send a command again and expect the same answer."""
            (who, named), sent = data.draw(st.sampled_from(sorted(self.answers.items())))
            socket = self.sockets[who]
            if socket is not None and sent["answer"]["type"] == "done":
                assert run(socket.do(sent["command"], sent["version"], named)) == sent["answer"]

        def send(self, who: int, command: Json, version: int) -> None:
            socket = self.sockets[who]
            assert socket is not None
            self.count += 1
            named = f"{who}-{self.count}"
            if command is RANDOM:
                run(socket.send({"type": "command", "id": named, "version": version, "command": command}))
                assert run(socket.receive("refused"))["error"]["code"] == "not-a-message"
                return
            answer = run(socket.do(command, max(version, 0), named))
            self.answers[who, named] = {"command": command, "version": max(version, 0), "answer": answer}
            if answer["type"] == "done":
                run(socket.up_to(answer["number"]))
            else:
                assert answer["error"]["code"] not in ("fault", "storage-down")

        def newest_view(self, who: int) -> Json:
            """Return the newest view of a person, after its update was received."""
            socket = self.sockets[who]
            assert socket is not None
            key = {"Dicecup-Key": self.made["watch_key"]}
            seen = run(self.people[who].http.get(f"/api/tables/{self.made['table']}", headers=key)).json()
            view: Json = run(socket.up_to(seen["number"]))["view"]
            if view["number"] == seen["number"]:
                assert [view.get(name) for name in LAID] == [seen["view"].get(name) for name in LAID]
            return view

        def collect(self, who: int) -> None:
            socket = self.sockets[who]
            if socket is not None:
                self.newest_view(who)
                self.events[who] += socket.events
                socket.updates[:-1] = []
                if socket.updates:
                    socket.updates[-1] = socket.updates[-1] | {"events": []}

        @invariant()
        def all_receive_the_same_events(self) -> None:
            for who in range(PEOPLE):
                self.collect(who)
                assert [event["number"] for event in self.events[who]] == list(range(1, len(self.events[who]) + 1))
            longest = max(self.events, key=len)
            assert all(longest[: len(received)] == received for received in self.events)
            assert "identity" not in str(longest)

        def teardown(self) -> None:
            for who in range(PEOPLE):
                if self.sockets[who] is not None:
                    run(self.opened[who].__aexit__(None, None, None))
                run(self.people[who].http.aclose())

    return Room


def test_all_clients_receive_the_same_events(database: str) -> None:
    run = Loop()
    served = serving(database)
    url = run(served.__aenter__())
    try:
        run_state_machine_as_test(
            machine(url, run),
            settings=settings(max_examples=15, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)),
        )
    finally:
        run(served.__aexit__(None, None, None))
        run.close()
