"""The people of `bench.chaos`, and the ledger of all that they saw and sent."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from secrets import token_hex
from time import monotonic
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from dicecup.client import SeatAgent
from dicecup.table.commands import Command, Rematch, Resign, Sit, command_to_json

Json = dict[str, Any]

PACE: Final = (0.3, 1.5)
"""Seconds for which a person thinks, at least and at most."""
ANSWER_WITHIN: Final = 20.0
"""Seconds without an answer after which a person connects again."""
REMATCH_WITHIN: Final = 30.0
"""Seconds after which a person waits for the next table no more."""
RETRIED: Final = ("storage-down", "storage-full", "busy", "fault")
"""Codes of refusals after which a person sends the command again: it may have been saved."""
PASSING: Final = (None, 1000, 1001, 1006, 1011, 1012, 1013, 4408, 4429)
"""Close codes after which a person connects again (docs/protocol.md)."""
REPEATED, READ_ANEW, RESIGNED = 0.3, 0.1, 0.003
"""Shares: of new connections that send the last answered command again, and that read all events
again, and of commands that are a resignation."""


@dataclass(eq=False)
class Sent:
    """A command that was sent. `number` is the one in its answer.

    The id and the text are empty if `dicecup.client` chose them.
    """

    id: str
    table: str
    text: str = ""
    number: int | None = None
    refused: bool = False
    tries: int = 0


@dataclass(eq=False)
class TableSeen:
    """What the clients saw of a table: by number the digest of each event, and when it came.

    Times are those of `time.monotonic`.
    """

    arena: str
    begun: float
    events: dict[int, bytes] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    over_at: float = float("inf")
    end: str = ""

    @property
    def over(self) -> bool:
        return bool(self.end)


class Ledger:
    """All that the clients saw and sent, and the laws that were broken."""

    def __init__(self) -> None:
        self.tables: dict[str, TableSeen] = {}
        self.commands: dict[str, Sent] = {}
        self.of_programs: list[Sent] = []
        """Commands that were sent with `dicecup.client`."""
        self.broken: list[str] = []
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()

    def breaks(self, law: str) -> None:
        """Note that a law was broken."""
        self.broken.append(law)
        print(f"BROKEN: {law}", flush=True)

    def saw(self, table: str, event: Mapping[str, Any]) -> None:
        """Note an event that a client received, and compare it with what others saw."""
        seen, number, digest = self.tables[table], event["number"], digest_of(event)
        self.counts["events received"] += 1
        if (known := seen.events.setdefault(number, digest)) != digest:
            self.breaks(f"table {table}: event {number} has two contents")
        if known is digest:
            seen.times.append(monotonic())
            if event["type"] == "ended":
                seen.over_at, seen.end = seen.times[-1], event["end"]

    def send(self, table: str, command: Command, version: int) -> Sent:
        """Return a new command, to be sent with its text."""
        named = token_hex(8)
        message = {"type": "command", "id": named, "version": version, "command": command_to_json(command)}
        self.commands[named] = Sent(named, table, json.dumps(message))
        return self.commands[named]

    def done(self, sent: Sent, number: int) -> None:
        """Note that a command was acknowledged."""
        if sent.refused:
            self.breaks(f"table {sent.table}: command {sent.id} was refused and then done")
        if sent.number not in (None, number):
            self.breaks(f"table {sent.table}: command {sent.id} was answered with {sent.number} and {number}")
        sent.number = number


def digest_of(event: Mapping[str, Any]) -> bytes:
    """Return a digest of an event with its number and time."""
    return hashlib.sha256(json.dumps(event, sort_keys=True).encode()).digest()[:16]


class Person:
    """A person with a token and an address of this machine, who reaches the workers in turn."""

    def __init__(self, ledger: Ledger, urls: list[str], address: str, random: Random) -> None:
        self.ledger = ledger
        self.urls = urls
        self.address = address
        self.random = random
        self.token = ""
        self.leaving = asyncio.Event()
        """Set: the person plays no further command, and goes once the last one is answered."""
        self.connection: ClientConnection | None = None

    @property
    def header(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Return the successful answer of any worker, asking until there is one."""
        while True:
            transport = httpx.AsyncHTTPTransport(local_address=self.address)
            async with httpx.AsyncClient(base_url=self.random.choice(self.urls), timeout=10, transport=transport) as http:
                with suppress(httpx.HTTPError):
                    answer = await http.request(method, path, json=body, headers=self.header)
                    if answer.is_success:
                        return answer
                    if answer.status_code not in (429, 503, 507):
                        self.ledger.breaks(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
            await asyncio.sleep(self.random.uniform(0.5, 2.0))

    def command(self, agent: SeatAgent, view: Mapping[str, Any], *, rematch: bool) -> Command | None:
        """Return the command that the person would send at a view, `None` if there is none."""
        if self.leaving.is_set() or not view:
            return None
        if not view["you"]:
            return Sit("Ben") if any(seat["kind"] == "free" for seat in view["seats"]) else None
        if view["result"] is not None:
            asked = any(view["seats"][seat]["wants_rematch"] for seat in view["you"])
            return Rematch() if rematch and "rematch" in view["may"] and not asked else None
        command = agent.command(view, self._choose)
        return Resign() if command is not None and view["order"] and self.random.random() < RESIGNED else command

    def _choose(self, view: Mapping[str, Any]) -> str:
        action: str = self.random.choice(view["actions"])["action"]
        return action

    def drop(self) -> bool:
        """Cut the connection without a goodbye. Return whether there was one."""
        if self.connection is None:
            return False
        self.connection.transport.abort()
        return True

    async def play(self, table: str, key: str | None, *, rematch: bool) -> str:
        """Play at a table until its end, or until `leaving`. Return the next table, if any."""
        sitting = Sitting(self, table, key, rematch)
        while not sitting.finished:
            try:
                async with asyncio.timeout(10):
                    connection = await connect(
                        f"{self.random.choice(self.urls).replace('http', 'ws')}/ws/tables/{table}",
                        additional_headers=self.header,
                        compression=None,
                        max_size=2**23,
                        ping_interval=4,
                        ping_timeout=4,
                        close_timeout=1,
                        local_addr=(self.address, 0),
                    )
                try:
                    self.connection = connection
                    await sitting.follow(connection)
                finally:
                    self.connection = None
                    connection.transport.abort()
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                self.ledger.counts[f"connections closed with {code}"] += 1
                if code not in PASSING:
                    self.ledger.breaks(f"table {table}: closed with {code}")
            except InvalidStatus as refused:
                self.ledger.counts[f"handshakes answered {refused.response.status_code}"] += 1
                if refused.response.status_code not in (429, 503, 507):
                    self.ledger.breaks(f"table {table}: handshake answered {refused.response.status_code}")
            except (OSError, WebSocketException):  # a timeout is an OSError
                self.ledger.counts["connections failed"] += 1
            if not sitting.finished:
                await asyncio.sleep(self.random.uniform(0.1, 1.5))
        return sitting.next

    async def read(self, table: str, number: int) -> None:
        """Read all events of a table up to a number, as a client that returns."""
        while True:
            with suppress(OSError, WebSocketException):
                async with (
                    asyncio.timeout(20),
                    connect(
                        f"{self.random.choice(self.urls).replace('http', 'ws')}/ws/tables/{table}",
                        additional_headers=self.header,
                        compression=None,
                        max_size=2**23,
                        local_addr=(self.address, 0),
                    ) as connection,
                ):
                    await connection.send(json.dumps({"type": "hello", "since": 0}))
                    update: Json = {"type": "", "trouble": ""}
                    while update["type"] != "update" or update["trouble"]:
                        update = json.loads(await connection.recv())
                    for event in update["events"]:
                        self.ledger.saw(table, event)
                    if [event["number"] for event in update["events"]] != list(range(1, update["number"] + 1)):
                        self.ledger.breaks(f"table {table}: a reader got events with gaps")
                    if update["number"] < number:
                        self.ledger.breaks(f"table {table}: a reader got {update['number']} of {number} events")
                    return
            await asyncio.sleep(1)


class Sitting:
    """A person at one table: what was received, and the command without an answer."""

    def __init__(self, person: Person, table: str, key: str | None, rematch: bool) -> None:
        self.person, self.ledger, self.random = person, person.ledger, person.random
        self.table, self.key, self.rematch = table, key, rematch
        self.next = ""
        self.agent = SeatAgent()
        self.view: Json = {}
        self.number = 0
        self.newest = 0
        """The greatest number in an answer."""
        self.waiting: Sent | None = None
        self.again = False
        """Whether the command has to be sent again after a pause."""
        self.last: Sent | None = None
        self.over_since: float | None = None
        self.changed = asyncio.Event()

    @property
    def finished(self) -> bool:
        if self.waiting is not None:
            return False
        if self.person.leaving.is_set() or self.next:
            return True
        return self.over_since is not None and (not self.rematch or monotonic() > self.over_since + REMATCH_WITHIN)

    async def follow(self, connection: ClientConnection) -> None:
        """Receive and act over a connection until it ends or the person has finished."""
        since = 0 if self.random.random() < READ_ANEW else self.number
        await connection.send(json.dumps({"type": "hello", "since": since, "key": self.key}))
        if self.waiting is not None:
            await self._transmit(connection, self.waiting)
        elif self.last is not None and self.random.random() < REPEATED:
            await self._transmit(connection, self.last)
        tasks = [asyncio.create_task(self._receive(connection, since)), asyncio.create_task(self._act(connection))]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _transmit(self, connection: ClientConnection, sent: Sent) -> None:
        sent.tries += 1
        self.ledger.counts["commands repeated"] += sent.tries > 1
        await connection.send(sent.text)

    async def _act(self, connection: ClientConnection) -> None:
        """Send what the person has to send, until the person has finished."""
        while not self.finished:
            if self.waiting is not None and self.again:
                await asyncio.sleep(self.random.uniform(0.5, 1.5))
                if self.waiting is not None:  # an earlier answer may have come
                    self.again = False
                    await self._transmit(connection, self.waiting)
            elif self.waiting is None and self._command() is not None:
                await asyncio.sleep(self.random.uniform(*PACE))
                if (command := self._command()) is not None:
                    self.waiting = self.ledger.send(self.table, command, self.number)
                    await self._transmit(connection, self.waiting)
            self.changed.clear()
            if self.again or (self.waiting is None and self._command() is not None):
                continue
            try:
                async with asyncio.timeout(ANSWER_WITHIN if self.waiting is not None else 1.0):
                    await self.changed.wait()
            except TimeoutError:
                if self.waiting is not None:
                    self.ledger.counts["answers not awaited longer"] += 1
                    raise

    def _command(self) -> Command | None:
        """Return the command that the person would send now."""
        is_old = self.number < self.newest
        return None if is_old else self.person.command(self.agent, self.view, rematch=self.rematch)

    async def _receive(self, connection: ClientConnection, since: int) -> None:
        """Note everything that arrives over a connection that began with the events after
        `since`."""
        async for text in connection:
            message: Json = json.loads(text)
            match message["type"]:
                case "update":
                    since = self._update(message, since)
                case "done":
                    self._answered(message, lambda sent, found: self.ledger.done(sent, found["number"]))
                    self.newest = max(self.newest, message["number"])
                case "refused":
                    self._refused(message)
            self.changed.set()

    def _update(self, update: Json, since: int) -> int:
        """Note an update and return its number."""
        if update["trouble"]:
            self.ledger.counts[f"updates with {update['trouble']}"] += 1
            return since
        numbers = [event["number"] for event in update["events"]]
        if update["number"] < since or numbers != list(range(since + 1, update["number"] + 1)):
            self.ledger.breaks(f"table {self.table}: update {update['number']} after {since} has the events {numbers[:5]}…")
        for event in update["events"]:
            self.ledger.saw(self.table, event)
        self.number = update["number"]
        self.view |= update["view"]
        self.next = self.view["next"] or ""
        if self.view["result"] is not None and self.over_since is None:
            self.over_since = monotonic()
        return self.number

    def _refused(self, message: Json) -> None:
        code = message["error"]["code"]
        self.ledger.refusals[code] += 1
        if code in RETRIED and self.waiting is not None and message["id"] == self.waiting.id:
            self.again = True
        elif code not in RETRIED and message["id"] is not None:
            self._answered(message, lambda sent, _: self._note_refusal(sent, code))

    def _note_refusal(self, sent: Sent, code: str) -> None:
        sent.refused = True
        if sent.number is not None:
            self.ledger.breaks(f"table {self.table}: command {sent.id} was done and then refused with {code}")

    def _answered(self, message: Json, note: Callable[[Sent, Json], None]) -> None:
        if (sent := self.ledger.commands.get(message["id"] or "")) is None:
            self.ledger.breaks(f"table {self.table}: an answer to the unknown command {message['id']}")
            return
        note(sent, message)
        if sent is self.waiting:
            self.waiting, self.last, self.again = None, None if sent.refused else sent, False
