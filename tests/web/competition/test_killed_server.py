"""64 people, nine rounds, a fifth leaves, and the server is killed in every round."""

import asyncio
import signal
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from dicecup.tournament.events import StoredEvent, tournament_event_from_json
from dicecup.tournament.setup import DiceKind, Format, tournament_setup_to_json
from dicecup.tournament.standings import standings
from dicecup.tournament.state import TournamentState
from dicecup.tournament.views import crosstable_view
from tests.tournament.playing import setup
from tests.web.serving import Program

ENTRANTS, ROUNDS, LEAVING = 64, 9, 13


class Hall:
    """An organiser of a tournament on a server that may be killed: requests are sent again."""

    def __init__(self, server: Program) -> None:
        self.server = server
        self.http = httpx.AsyncClient(timeout=120)
        self.path = ""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return an answer, and send the request again as long as there is none."""
        while True:
            try:
                answer = await self.http.request(method, self.server.url + path, json=body)
            except httpx.HTTPError:
                await asyncio.sleep(0.1)
                continue
            if answer.status_code != 503:
                assert answer.is_success, answer.text
                return answer.json()

    async def do(self, key: str, **command: Any) -> None:
        seen = (await self.ask("GET", self.path))["view"]["number"]
        await self.ask("POST", f"{self.path}/commands", {"id": key, "version": seen, "command": command})

    async def view(self) -> Any:
        return (await self.ask("GET", self.path))["view"]


def replay(events: Iterable[Any]) -> TournamentState:
    """Return the state that follows from the published log."""
    stored = []
    for each in events:
        event = each["event"]
        if event["type"] in ("created", "entered"):
            event = event | {"identity": None if event["type"] == "entered" else "organiser"}
        stored.append(StoredEvent(each["number"], each["time"], tournament_event_from_json(event)))
    return TournamentState.from_events(stored)


@pytest.mark.slow
async def test_a_killed_server_loses_no_round(tmp_path: Path) -> None:
    random = Random(64)
    leaving = random.sample(range(1, ENTRANTS + 1), LEAVING)
    async with Program(tmp_path, DICECUP_REQUESTS_PER_SECOND="10000") as server:
        hall = Hall(server)
        await hall.ask("GET", "/api/me")
        given = setup(Format.SWISS, rounds=ROUNDS, dice=DiceKind.RESULTS)
        made = await hall.ask("POST", "/api/tournaments", {"setup": tournament_setup_to_json(given)})
        hall.path = f"/api/tournaments/{made['tournament']}"
        for number in range(1, ENTRANTS + 1):
            await hall.do(f"add {number}", type="add-entrant", name=f"Player {number}")
        for number in range(1, ROUNDS + 1):
            await hall.do(f"start {number}", type="start-round")
            pairings = [each for each in (await hall.view())["pairings"] if each["result"] is None]
            entering = [
                asyncio.create_task(
                    hall.do(
                        f"result {each['pairing']}",
                        type="enter-result",
                        pairing=each["pairing"],
                        game=1,
                        result=random.choice(["won", "drawn", "lost"]),
                    )
                )
                for each in pairings
            ]
            await entering[len(entering) // 2]
            await server.end(signal.SIGKILL)
            await server.start()
            await asyncio.gather(*entering)
            for entrant in leaving[number - 1 :: ROUNDS]:
                if number < ROUNDS:
                    await hall.do(f"leave {entrant}", type="withdraw", entrant=entrant)
        view = await hall.view()
        state = replay((await hall.ask("GET", f"{hall.path}/log"))["events"])
        crosstable = await hall.ask("GET", f"{hall.path}/crosstable")
        await hall.http.aclose()
    assert view["how"] == "rounds"
    assert len(state.rounds) == ROUNDS
    assert crosstable_view(state) == crosstable
    lines = standings(state)
    assert [(line.entrant, line.points / 2, line.rank) for line in lines] == [
        (line["entrant"], line["points"], line["rank"]) for line in view["standings"]
    ]
    pairs = Counter(frozenset((pairing.first, pairing.second)) for pairing in state.kept())
    assert set(pairs.values()) == {1}, "nobody meets twice"
    assert max(abs(line.seats) for line in lines) <= 2, "seats are balanced"
    assert max(Counter(each for played in state.rounds for each in played.byes).values(), default=0) <= 1
