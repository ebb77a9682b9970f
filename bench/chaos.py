"""Games that go on while everything fails: no seen event is lost, and no command is doubled.

Two workers on PostgreSQL and one server on SQLite, each database on a small disk of its own. People
play at tables of both games, with computers too, with and without clocks. A schedule that follows
from a seed kills and freezes workers, stops and freezes PostgreSQL, fills the disks, and lets the
system time of workers jump. All the while a fifth of the people lose their connections again and
again, and one address runs the attacks of `bench.abuse` in turn.

Each client notes every event that it received and every command that it sent. In the end the faults
stop, all tables have to go on, every client reads its tables again, and the notes are compared with
an export. `CHAOS_MINUTES` (default 3) and `CHAOS_SEED` change the schedule. Linux only; without
root no disk is filled.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Any, Final

from bench import _jumping
from bench._chaos_laws import compared
from bench._chaos_players import Ledger, Person, TableSeen
from bench._chaos_programs import ProgramPerson
from bench._chaos_servers import HOST_KEY, JUMPS, TOP, Arena, arenas
from bench.abuse import ATTACKS

TABLES: Final = {"PostgreSQL": 20, "SQLite": 10}
"""Tables of each arena at which people play at any time. Every fifth is against a computer."""
PAUSE: Final = (1.0, 6.0)
"""Seconds between two faults, at least and at most."""
TWO_AT_ONCE: Final = 0.2
"""Share of the faults at which another one begins at the same time."""
DROP_EVERY, DROPPED = 5.0, 0.2
"""Seconds between two drops, and the share of the people who then lose their connections."""
ATTACK, ATTACK_PAUSE = 10.0, 10.0
"""Seconds of each attack and between two."""
GO_ON_WITHIN: Final = 60.0
"""Seconds within which every table goes on after the last fault, and every command is answered."""
VERIFIED: Final = 20
"""Finished games of each arena whose records are verified."""
FAULTS: Final = ("fault", "work at a table failed", "background work failed")
"""Errors in a log that no fault of this program excuses, beside tracebacks of Python itself."""
TRACEBACK: Final = "Traceback (most recent call last):"
ORPHANED: Final = re.compile(r"spawn_main.*^(EOFError|_pickle\.UnpicklingError)", re.DOTALL | re.MULTILINE)
"""The traceback of a process whose parent was killed while it sent the process its work."""
CLOCKS: Final[tuple[dict[str, Any] | None, ...]] = (
    None,
    {"kind": "turn", "seconds": 60},
    {"kind": "game", "seconds": 600, "increment": 5},
    {"kind": "days", "seconds": 86_400},
)


class Chaos:
    """One run. `rests` are the times without a fault, by arena."""

    def __init__(self, ledger: Ledger, seconds: float, seed: int) -> None:
        self.ledger = ledger
        self.random = Random(seed)
        self.until = monotonic() + seconds
        self.people: list[Person] = []
        self.seats: dict[str, list[Person]] = {}
        """The people of each table."""
        self.rests: dict[str, list[tuple[float, float]]] = {}
        self.attacks: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        """Errors in the logs of the servers."""
        self.drops = 0

    # --- Play -------------------------------------------------------------------------------------

    async def lane(self, arena: Arena, number: int) -> None:
        """Let people play one game after the other until they leave."""
        urls = [worker.url for worker in arena.workers]
        computer = number % 5 == 4
        kinds = (Person,) if computer else (Person, ProgramPerson if number % 3 == 0 else Person)
        people: list[Person] = []
        for kind in kinds:
            address = f"127.0.{1 + len(self.people) // 200}.{1 + len(self.people) % 200}"
            people.append(kind(self.ledger, urls, address, self._random()))
            self.people.append(people[-1])
        for person in people:
            person.token = (await person.ask("POST", "/api/tokens")).json()["token"]
        opponent = {"kind": "level", "level": ("random", "greedy")[number % 2]} if computer else {}
        setup = {"game": ("yam-master", "yamm")[number // 2 % 2], "seats": [{}, opponent], "clock": CLOCKS[number % 4]}
        while not people[0].leaving.is_set():
            made = (await people[0].ask("POST", "/api/tables", {"setup": setup, "name": "Anna"})).json()
            table, key = made["table"], made["join_key"]
            while table and not people[0].leaving.is_set():
                self.ledger.tables.setdefault(table, TableSeen(arena.name, monotonic()))
                self.seats[table] = people
                playing = (person.play(table, key, rematch=number % 2 == 0) for person in people)
                table, key = max(await asyncio.gather(*playing)), None

    def _random(self) -> Random:
        return Random(self.random.random())

    # --- Faults -----------------------------------------------------------------------------------

    async def schedule(self, arena: Arena) -> None:
        """Begin one fault after the other until the end."""
        random, rests = self._random(), self.rests.setdefault(arena.name, [])
        while True:
            begun, pause = monotonic(), random.uniform(*PAUSE)
            chosen = random.choices(arena.kinds, k=2 if random.random() < TWO_AT_ONCE else 1)
            if begun + pause >= self.until:
                break
            await asyncio.sleep(pause)
            rests.append((begun, monotonic()))
            faults = [arena.fault(kind, random, max(1.0, self.until - monotonic())) for kind in dict.fromkeys(chosen)]
            await asyncio.gather(*(fault() for fault in faults))
        await arena.all_up()
        rests.append((monotonic(), float("inf")))

    async def drop(self) -> None:
        """Cut the connections of a fifth of the people, again and again."""
        random = self._random()
        while monotonic() < self.until:
            await asyncio.sleep(DROP_EVERY)
            dropped = random.sample(self.people, round(DROPPED * len(self.people)))
            self.drops += sum(person.drop() for person in dropped)

    async def attack(self, fought: list[Arena]) -> None:
        """Run the attacks of `bench.abuse` in turn, each against another worker."""
        workers = [worker for arena in fought for worker in arena.workers]
        order = self._random().sample(list(ATTACKS), len(ATTACKS))
        at = 0
        while monotonic() + ATTACK_PAUSE < self.until:
            await asyncio.sleep(ATTACK_PAUSE)
            name, url = order[at % len(order)], workers[at % len(workers)].url
            process = await asyncio.create_subprocess_exec(
                *("nice", "-n", "19", sys.executable, "-m", "bench.abuse", name, url), stderr=subprocess.DEVNULL
            )
            self.attacks[name] += 1
            at += 1
            await asyncio.sleep(max(0.0, min(ATTACK, self.until - monotonic())))
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    # --- The end ----------------------------------------------------------------------------------

    async def run(self, fought: list[Arena]) -> None:
        """Play while everything fails, and then until every table has gone on."""
        lanes = [asyncio.create_task(self.lane(arena, at)) for arena in fought for at in range(TABLES[arena.name])]
        await asyncio.gather(*(self.schedule(arena) for arena in fought), self.drop(), self.attack(fought))
        for lane in lanes:
            if lane.done():  # with an error of this program
                lane.result()
        calm = monotonic()
        while waiting := [table for table, seen in self.ledger.tables.items() if not seen.over and last(seen) < calm]:
            if monotonic() > calm + GO_ON_WITHIN:
                for table in waiting:
                    self.ledger.breaks(f"table {table} does not go on after the last fault")
                break
            await asyncio.sleep(0.5)
        print(f"all tables went on {monotonic() - calm:.1f} s after the last fault", flush=True)
        for person in self.people:
            person.leaving.set()
        _, playing = await asyncio.wait(lanes, timeout=GO_ON_WITHIN)
        for lane in playing:
            self.ledger.breaks("a command stays without an answer")
            lane.cancel()
        for ended in await asyncio.gather(*lanes, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    async def read_again(self) -> None:
        """Let every client return and read its tables from their beginning."""
        places = asyncio.Semaphore(8)

        async def read(person: Person, table: str) -> None:
            async with places:
                await person.read(table, max(self.ledger.tables[table].events, default=0))

        async with asyncio.timeout(300):
            await asyncio.gather(*(read(person, table) for table, people in self.seats.items() for person in people))

    async def verify(self, arena: Arena, folder: Path) -> int:
        """Verify the records of finished games and return their number."""
        finished = [table for table, seen in self.ledger.tables.items() if seen.over and seen.arena == arena.name]
        chosen = self.random.sample(finished, min(VERIFIED, len(finished)))
        for table in chosen:
            record = (await self.seats[table][0].ask("GET", f"/api/tables/{table}/record")).text
            file = folder / f"{table}.record"
            file.write_text(record, "utf-8")
            if (found := await program("verify", str(file), folder=folder)) is not None:
                self.ledger.breaks(f"table {table}: its record is refused: {found}")
        return len(chosen)


def last(seen: TableSeen) -> float:
    """Return the time of the last event of a table, or of its creation."""
    return seen.times[-1] if seen.times else seen.begun


async def program(*arguments: str, folder: Path, **environment: str) -> str | None:
    """Run `dicecup` and return the end of its output if it fails.

    The system time is later than that of any worker was: imports refuse events of the future.
    """
    _jumping.write(folder / "time", 3 * max(JUMPS))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench._jumping", str(folder / "time")),
        *arguments,
        cwd=TOP,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return output.decode()[-300:] if process.returncode else None


# --- Laws -----------------------------------------------------------------------------------------


async def compare(ledger: Ledger, arena: Arena, folder: Path) -> Mapping[str, int]:
    """Compare what the clients of an arena saw and sent with its export, and return counts.

    The export is also imported into an empty database, which replays all games and their dice.
    """
    file = folder / f"{arena.name}.jsonl"
    if (failed := await program("export", str(file), "--database", arena.url, folder=folder)) is not None:
        ledger.breaks(f"{arena.name}: export fails: {failed}")
        return {}
    replayed = {"DICECUP_HOST_KEY": HOST_KEY, "DICECUP_DATA": str(folder / arena.name), "DICECUP_DATABASE_URL": ""}
    if (failed := await program("import", str(file), folder=folder, **replayed)) is not None:
        ledger.breaks(f"{arena.name}: the export is refused: {failed}")
    with file.open(encoding="utf-8") as lines:
        stored = {data["table"]: data["events"] for data in map(json.loads, lines) if "events" in data}
    return compared(ledger, arena.name, stored)


# --- Figures --------------------------------------------------------------------------------------


def waits(ledger: Ledger, arena: str, rests: list[tuple[float, float]]) -> tuple[list[float], int]:
    """Return the seconds from the end of each fault to the next event of each table at play.

    Also returns how often the next fault came first; that time counts in full.
    """
    found, cut = [], 0
    for seen in ledger.tables.values():
        if seen.arena != arena:
            continue
        for since, until in rests[1:]:
            if seen.begun > since or seen.over_at <= since:
                continue
            at = bisect(seen.times, since)
            if at < len(seen.times) and seen.times[at] <= until:
                found.append(seen.times[at] - since)
            elif until < float("inf"):
                found.append(until - since)
                cut += 1
    return found, cut


def report(chaos: Chaos, fought: list[Arena], counts: list[Mapping[str, int]], verified: list[int]) -> None:
    """Print the tables of the run."""
    ledger = chaos.ledger
    print(f"\n| | {' | '.join(arena.name for arena in fought)} |\n|---|{'---|' * len(fought)}")

    def row(name: str, values: list[object]) -> None:
        print(f"| {name} | {' | '.join(map(str, values))} |")

    for kind in dict.fromkeys(kind for arena in fought for kind in arena.kinds):
        row(kind, [arena.faults[kind] if kind in arena.kinds else "–" for arena in fought])
    row("starts of workers", [sum(worker.starts for worker in arena.workers) for arena in fought])
    row("of them refused", [sum(worker.refused_starts for worker in arena.workers) for arena in fought])
    for name in dict.fromkeys(name for each in counts for name in each):
        row(name, [each.get(name, "–") for each in counts])
    row("records verified", list(verified))
    found = [waits(ledger, arena.name, chaos.rests[arena.name]) for arena in fought]
    row("seconds from a fault's end to a table's next event, median", [f"{median(each or [0]):.1f}" for each, _ in found])
    row("the same, longest", [f"{max(each, default=0):.1f}" for each, _ in found])
    row("times that another fault came first", [cut for _, cut in found])
    print(f"\nconnections cut: {chaos.drops}; attacks: {sum(chaos.attacks.values())} of {len(chaos.attacks)} kinds")
    print(f"ends of games: {dict(Counter(seen.end for seen in ledger.tables.values() if seen.over))}")
    print(f"refusals: {dict(ledger.refusals)}\nclients: {dict(sorted(ledger.counts.items()))}")
    print(f"errors in logs: {dict(chaos.errors)}")


async def measure(minutes: float, seed: int, fought: list[Arena], folder: Path) -> list[str]:
    """Run for some minutes, print the figures and return the laws that were broken."""
    for worker in (worker for arena in fought for worker in arena.workers):
        worker.start()
    for arena in fought:
        await arena.all_up()
    ledger = Ledger()
    chaos = Chaos(ledger, 60 * minutes, seed)
    await chaos.run(fought)
    await chaos.read_again()
    verified = [await chaos.verify(arena, folder) for arena in fought]
    for worker in (worker for arena in fought for worker in arena.workers):
        if (code := await worker.stop()) != 0:
            ledger.breaks(f"{worker.name} ended with code {code}")
        if worker.orphans:
            ledger.breaks(f"{worker.orphans} processes outlived a killed {worker.name}")
        faults, errors = faults_in(worker.log)
        chaos.errors += errors
        for line in faults:
            ledger.breaks(f"the log of {worker.name}: {line}")
    report(chaos, fought, [await compare(ledger, arena, folder) for arena in fought], verified)
    return ledger.broken


def _is_json(line: str) -> bool:
    return line.startswith("{")


def faults_in(log: Path) -> tuple[list[str], Counter[str]]:
    """Return the lines of a server's log that tell of an error in Dicecup itself, and how often
    each other error was logged."""
    faults, others = [], Counter[str]()
    lines = log.read_text("utf-8", "replace").splitlines()
    for is_json, group in groupby(lines, key=_is_json):
        if not is_json:  # of Python itself, as a warning of processes that were killed
            _, *tracebacks = "\n".join(group).split(TRACEBACK)
            faults += [text[:3000] for text in tracebacks if not ORPHANED.search(text)]
            others["not JSON"] += 1
            continue
        for line in group:
            told = json.loads(line)
            if told["level"] not in ("error", "critical"):
                continue
            if told["event"] in FAULTS:
                faults.append(line[:3000])
            else:
                others[" ".join([*told["event"].split()[:2], told.get("status", "")])] += 1
    return faults, others


def main() -> int:
    """Run, and return 0 if no law was broken and 1 otherwise."""
    minutes = float(os.environ.get("CHAOS_MINUTES") or 3)
    seed = int(os.environ.get("CHAOS_SEED") or Random().randrange(10**6))
    print(f"CHAOS_MINUTES={minutes:g} CHAOS_SEED={seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="dicecup-chaos-"))
    with arenas(folder) as fought:
        for arena in fought:
            if arena.disk is None:
                print(f"{arena.name}: no disk is filled, because only root can make a small one")
        broken = asyncio.run(measure(minutes, seed, fought, folder))
    if broken:
        print(f"logs and exports: {folder}")
    else:
        shutil.rmtree(folder)
    print(f"laws broken: {len(broken)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
