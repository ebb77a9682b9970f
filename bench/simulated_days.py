"""Ten simulated days of a server with 500 new tables a day: do file, memory or latency grow?

One process runs the tables on an SQLite file with `synchronous=FULL`, without sockets; its time is
handed in (`bench._simulated_time`). Within three hours of each day people create 500 tables over
HTTP, sit down and play: with each other and with computers, to the end or until they resign, agree
to a draw, run out of time, or go away, whereupon the other claims the win. Some tables never begin
or are left; the server abandons them after 30 days. A tenth asks for a rematch. Every day a
few people are new and all addresses are. A few addresses are blocked, and a backup is made.
To keep the run short, 24 games a day are played to the end and the others for 16 commands. An
argument gives another number of commands, and in proportion as many games to the end.

Ended tables are deleted after two days. So that the first measured day is one of many, it is
preceded by 30 days of tables that are left, and by two whole days, which also
show what the file grows without deletion. The goal: file, memory and p99 of the last day are
within 20 % of the first. A day's p50 and p99 are medians over 20 parts of the day, since other
programs on the machine disturb some of them. Linux only.
"""

import asyncio
import contextlib
import logging
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from bench._simulated_time import SimulatedLoop, SimulatedServer, simulated_server
from dicecup import players
from dicecup.core.errors import DicecupError
from dicecup.hosting.quotas import COMMAND_BYTES, Quota
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.blocks import Block, save_block
from dicecup.table import fairness
from dicecup.table.commands import (
    Act,
    AnswerDraw,
    Claim,
    Command,
    CommitSeed,
    OfferDraw,
    Rematch,
    Remedy,
    Resign,
    RevealSeed,
    Sit,
    StandUp,
    Throw,
)
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import GRACE
from dicecup.table.state import TableState
from dicecup.web.monitoring import log_as_json

DAYS: Final = 10
KEEP_DAYS: Final = 2
LEFT_DAYS: Final = 30
"""Days before the others with tables that are left: as many as the server waits for them."""
WHOLE_DAYS: Final = 2
"""Whole days before the measured ones."""
DAY: Final = 86_400.0
PLAY: Final = 3 * 3600.0
"""Seconds of a day in which tables are created."""
STEP, LONG_STEP = 20.0, 300.0
"""Seconds that are handed in at once while people play, and for the rest of the day."""
TO_THE_END: Final = 10**6
COMMANDS: Final = 16
"""Commands of people in a game that is not played to the end."""
PEOPLE: Final = 300
NEW_PEOPLE: Final = 10
ADDRESSES: Final = 64
PARTS: Final = 20
"""Parts of a day of which the median p99 counts."""
WITHIN: Final = 0.2
"""Share by which the last day may differ from the first."""
SEED: Final = bytes(16)
TURN_CLOCK: Final = {"kind": "turn", "seconds": 60}


@dataclass(frozen=True)
class Person:
    """A person with a bearer token."""

    identity: str
    token: str


@dataclass(frozen=True)
class Visit:
    """Table with the people who sit there, and their address today."""

    table: str
    people: tuple[Person, ...]
    address: str


@dataclass(frozen=True)
class Day:
    """Measurements of a day. Sizes are bytes, times seconds."""

    file: int
    log: int
    resident: int
    loaded: int
    most_loaded: int
    events: int
    tables: int
    p50: float
    p99: float
    commands: int
    tasks: int
    descriptors: int
    series: int


class Simulation:
    """The people of a server and what they do."""

    def __init__(self, server: SimulatedServer, commands: int) -> None:
        self.server = server
        self.host = server.host
        self.commands = commands
        self.random = Random(1)
        self.people: list[Person] = []
        self.addresses: list[str] = []
        self.day = 0
        self.sent = 0
        self.refused: Counter[str] = Counter()
        self.places = asyncio.Semaphore(4)
        """At most four commands are handled at the same moment."""
        self.player = players.create("greedy", "people")

    # --- People -----------------------------------------------------------------------------------

    async def come(self, count: int) -> None:
        """Give new people a token."""
        for _ in range(count):
            address = self.random.choice(self.addresses)
            token = (await self.server.request(address, "POST", "/api/tokens")).json()["token"]
            credential = await self.host.credentials.of_token(token)
            assert credential is not None
            self.people.append(Person(credential.identity, token))

    async def create(self, game: str, seats: int = 2, computer: str = "", clock: dict[str, Any] | None = None) -> Visit:
        """Create a table, and let all people sit down who are to."""
        address = self.random.choice(self.addresses)
        people = tuple(self.random.sample(self.people, seats))
        taken: list[dict[str, Any]] = [{} for _ in people] + ([{"kind": "level", "level": computer}] if computer else [])
        setup = {"game": game, "seats": taken} | ({"clock": clock} if clock else {})
        new = {"setup": setup, "name": "Anna"}
        links = (await self.server.request(address, "POST", "/api/tables", new, people[0].token)).json()
        visit = Visit(links["table"], people, address)
        for number, person in enumerate(people):
            await self.host.credentials.of_device(person.identity, f"{person.identity} phone", "Firefox")
            if number:
                await self.send(visit, person, Sit(f"Ben {number}"), key=links["join_key"])
        return visit

    async def send(self, visit: Visit, person: Person, command: Command, key: str | None = None) -> None:
        """Send a command and note how long it took. A refusal is counted."""
        async with self.places:
            version = (await self.host.cache.state_of(visit.table)).number
            self.sent += 1
            self.server.context.take(Quota.BYTES, visit.address, COMMAND_BYTES)
            begin = perf_counter()
            try:
                await self.host.send(visit.table, person.identity, command, version=version, command_id=f"{self.sent}", key=key)
            except DicecupError as error:
                self.refused[f"{command.type}: {error.code}"] += 1
            else:
                self.server.times.append(perf_counter() - begin)

    async def watch(self, visit: Visit, person: Person) -> None:
        """Subscribe to a table, as an open page does, until cancelled."""
        with contextlib.suppress(DicecupError):
            async with self.host.subscribe(visit.table, person.identity) as updates:
                async for update in updates:
                    _ = update.text

    async def play(self, visit: Visit, commands: int = TO_THE_END) -> TableState:
        """Do for people what the table waits for, some times or to the end, and return its
        state."""
        wins = commands == TO_THE_END
        while (state := await self.host.cache.state_of(visit.table)).end is None and commands > 0:
            for seat in state.pending.seats:
                person = next((each for each in visit.people if seat in state.seats_of(each.identity)), None)
                if person is not None:
                    await self.send(visit, person, self.wanted(state, seat, wins=wins))
                    commands -= 1
                    break
            if state.pending.kind not in (PendingKind.COMMITMENTS, PendingKind.SEEDS):  # clients send these by themselves
                await self.server.pause(self.random.uniform(10, 40))
        return state

    def wanted(self, state: TableState, seat: int, *, wins: bool) -> Command:
        """Return the command that a table waits for from a seat, which `wins` or acts by chance."""
        match state.pending.kind:
            case PendingKind.COMMITMENTS:
                return CommitSeed(fairness.seed_commitment(SEED), seat=seat)
            case PendingKind.SEEDS:
                return RevealSeed(SEED.hex(), seat=seat)
            case PendingKind.THROW:
                return Throw(seat=seat)
            case PendingKind.ACTION if wins:
                return Act(str(self.player.choose(state.position)), seat=seat)
            case PendingKind.ACTION:
                return Act(str(self.random.choice(list(state.position.actions))), seat=seat)
            case kind:
                raise AssertionError(kind)

    # --- Tables -----------------------------------------------------------------------------------

    async def finished(self) -> None:
        """Two people play to the end."""
        await self.watched(await self.create("yam-master"), self.play)

    async def with_computer(self) -> None:
        """A person plays against a computer and resigns."""
        visit = await self.create(self.game(), 1, self.random.choice(["random", "greedy"]))
        await self.watched(visit, self.resigned)

    async def resigned(self, visit: Visit) -> None:
        state = await self.play(visit, self.commands)
        if state.end is None:
            await self.send(visit, visit.people[0], Resign())

    async def of_two(self) -> None:
        """One of two people resigns. Some play again."""
        visit = await self.create(self.game())
        await self.watched(visit, self.resigned)
        if self.random.random() < 0.2:
            for person in visit.people:
                await self.send(visit, person, Rematch())
            following = (await self.host.cache.state_of(visit.table)).next
            assert following is not None
            await self.watched(Visit(following, visit.people, visit.address), self.resigned)

    async def drawn(self) -> None:
        """Two people agree to a draw."""

        async def agree(visit: Visit) -> None:
            if (await self.play(visit, self.commands)).end is None:
                await self.send(visit, visit.people[0], OfferDraw())
                await self.send(visit, visit.people[1], AnswerDraw(accept=True))

        await self.watched(await self.create(self.game()), agree)

    async def timed_out(self) -> None:
        """Two people play with a clock and go away."""
        visit = await self.create(self.game(), clock=TURN_CLOCK)
        await self.watched(visit, lambda visit: self.play(visit, self.commands))

    async def claimed(self) -> None:
        """One of two people goes away, and the other claims the win."""

        async def claim(visit: Visit) -> None:
            state = await self.play(visit, self.commands)
            if state.end is not None:
                return
            awaited = state.seats_of(visit.people[0].identity) & frozenset(state.pending.seats)
            gone, there = visit.people if awaited else reversed(visit.people)
            watching[gone].cancel()
            await self.server.pause(2 * GRACE)
            await self.send(visit, there, Claim(Remedy.WIN))

        visit = await self.create(self.game())
        watching: dict[Person, asyncio.Task[None]] = {}
        await self.watched(visit, claim, watching)

    async def left(self) -> None:
        """Two people begin and never come back."""
        visit = await self.create(self.game())
        await self.watched(visit, lambda visit: self.play(visit, self.commands))

    async def alone(self) -> None:
        """A person waits for another in vain, and sometimes closes the table."""
        address, person = self.random.choice(self.addresses), self.random.choice(self.people)
        new = {"setup": {"game": self.game(), "seats": [{}, {}]}, "name": "Anna"}
        links = (await self.server.request(address, "POST", "/api/tables", new, person.token)).json()
        if self.random.random() < 0.4:
            await self.send(Visit(links["table"], (person,), address), person, StandUp())

    def game(self) -> str:
        return self.random.choice(["yam-master", "yamm"])

    async def watched(
        self,
        visit: Visit,
        act: Callable[[Visit], Coroutine[Any, Any, object]],
        watching: dict[Person, asyncio.Task[None]] | None = None,
    ) -> None:
        """Let people act while their pages are open. Then the pages are closed."""
        watching = {} if watching is None else watching
        watching |= {person: asyncio.create_task(self.watch(visit, person)) for person in visit.people}
        try:
            await act(visit)
        finally:
            for task in watching.values():
                task.cancel()
            await asyncio.gather(*watching.values(), return_exceptions=True)

    # --- Days -------------------------------------------------------------------------------------

    async def run(self, kinds: dict[Callable[[], Coroutine[Any, Any, None]], int], play: float, step: float) -> Day:
        """Let a day pass in which people play at so many tables of each kind, created within the
        first `play` seconds."""
        server, ends = self.server, self.host.clock() + DAY
        self.day += 1
        self.addresses = [f"10.{self.day}.{number}.1" for number in range(ADDRESSES)]
        server.times.clear()
        await self.come(NEW_PEOPLE if self.people else PEOPLE)
        for number in range(3):
            entry = AuditEntry(self.host.clock(), "block", f"192.0.2.{number}", "admin")
            await save_block(self.host.store, Block(f"192.0.2.{number}", ends), entry)
        wanted = [kind for kind, count in kinds.items() for _ in range(count)]
        self.random.shuffle(wanted)
        visits = [asyncio.create_task(self.later(kind, self.random.uniform(0, play))) for kind in wanted]
        most_loaded, begun = 0, self.host.clock()
        while not all(visit.done() for visit in visits) or self.host.clock() < begun + play:
            await server.advance(STEP)
            most_loaded = max(most_loaded, self.host.gauges()["loaded_states"])
        for visit in visits:
            visit.result()
        while self.host.clock() < ends:
            await server.advance(min(step, ends - self.host.clock() + 1))
        return await self.measured(most_loaded)

    async def later(self, kind: Callable[[], Coroutine[Any, Any, None]], seconds: float) -> None:
        """Let people play at a table after some seconds."""
        await asyncio.sleep(seconds)
        self.server.count(1)
        try:
            await kind()
        finally:
            self.server.count(-1)

    async def measured(self, most_loaded: int) -> Day:
        """Return the measurements at the end of a day."""
        server, times = self.server, self.server.times
        written = server.file.with_name("tables.sqlite-wal").stat().st_size
        with closing(sqlite3.connect(server.file)) as database:
            database.execute("PRAGMA wal_checkpoint(PASSIVE)")
            events, tables = database.execute("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM tables)").fetchone()
        size = len(times) // PARTS
        parts = [quantiles(times[start : start + size], n=100) for start in range(0, PARTS * size, size)] if size > 1 else []
        return Day(
            file=server.file.stat().st_size,
            log=written,
            resident=server.resident(),
            loaded=self.host.gauges()["loaded_states"],
            most_loaded=most_loaded,
            events=events,
            tables=tables,
            p50=median(part[49] for part in parts) if parts else 0.0,
            p99=median(part[98] for part in parts) if parts else 0.0,
            commands=len(times),
            tasks=len(asyncio.all_tasks()),
            descriptors=server.open_files(),
            series=len(server.context.metrics.text().splitlines()),
        )


# --- Report ---------------------------------------------------------------------------------------


def show(name: str, day: Day) -> None:
    """Print a line for a day."""
    print(
        f"{name:>10} {day.file / 1e6:7.2f} {day.log / 1e6:6.2f} {day.resident / 1e6:7.1f} {day.loaded:6} {day.most_loaded:6} "
        f"{1e3 * day.p50:6.2f} {1e3 * day.p99:6.2f} {day.commands:8} {day.tables:7} {day.events:8} {day.tasks:5} "
        f"{day.descriptors:5} {day.series:6}",
        flush=True,
    )


async def simulate(folder: Path, commands: int) -> list[Day]:
    """Let all days pass and return the measured ones."""
    finished = 3 * commands // 2
    async with simulated_server(folder, KEEP_DAYS) as server:
        simulation = Simulation(server, commands)
        left = {simulation.left: 25, simulation.alone: 15}
        whole = left | {
            simulation.finished: finished,
            simulation.with_computer: 100,
            simulation.of_two: 250 - finished,
            simulation.drawn: 35,
            simulation.timed_out: 40,
            simulation.claimed: 35,
        }
        print(
            f"{'day':>10} {'file':>7} {'WAL':>6} {'memory':>7} {'loaded':>6} {'most':>6} {'p50':>6} {'p99':>6} {'commands':>8} "
            f"{'tables':>7} {'events':>8} {'tasks':>5} {'files':>5} {'series':>6}   (MB, ms)"
        )
        days = [await simulation.run(left, 600.0, DAY / 24) for _ in range(LEFT_DAYS)]
        show("left", days[-1])
        for number in range(1 - WHOLE_DAYS, DAYS + 1):
            days.append(await simulation.run(whole, PLAY, LONG_STEP))
            show(str(number), days[-1])
        before, undeleted = days[LEFT_DAYS - 1], days[LEFT_DAYS + KEEP_DAYS - 1]
        a_day = (undeleted.file - before.file) / KEEP_DAYS
        each = a_day / sum(whole.values())
        print(f"without deletion the file grows by {a_day / 1e6:.2f} MB a day, {each / 1e3:.1f} kB for each table")
        print(f"refused commands: {dict(simulation.refused) or 'none'}; deleted tables: {server.context.retention.deleted}")
        with closing(sqlite3.connect(server.file)) as database:
            print(f"ends: {dict(database.execute(ENDS).fetchall())}")
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in sorted(names)}  # noqa: S608 our own names
            print(f"rows: {rows}")
        return days[-DAYS:]


ENDS: Final = "SELECT coalesce(summary ->> 'end', state), count(*) FROM tables GROUP BY 1 ORDER BY 2 DESC"


def main(commands: int = COMMANDS) -> int:
    """Print the days; return 0 if the last is within `WITHIN` of the first and 1 otherwise."""
    log_as_json(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        first, *_, last = runner.run(simulate(Path(folder), commands))
    succeeded = True
    for name, before, after in (
        ("file", first.file, last.file),
        ("memory", first.resident, last.resident),
        ("p99", first.p99, last.p99),
    ):
        change = after / before - 1
        succeeded = succeeded and change <= WITHIN
        print(f"{name}: day {DAYS} differs by {change:+.1%} from day 1 (goal: within {WITHIN:.0%})")
    return 0 if succeeded else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
