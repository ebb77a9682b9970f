"""Storage of seeks: placed, paired, ended, and undone where a person does not come to the table.

All changes that may pair people run one after the other, under a lock of the database. A pair is
made in the transaction that saves its table, so a person never sits at two tables by one request.
"""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import astuple, replace
from functools import lru_cache, partial
from math import inf, nextafter
from secrets import token_hex
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import func, select

from dicecup.core.ids import split_id
from dicecup.hosting.event_rows import first_append
from dicecup.hosting.lobby.acquaintances import save_online
from dicecup.hosting.lobby.pairing import AT_TABLE, WAITING, Seek, pairs
from dicecup.hosting.lobby.person_blocks import read_blocks_among
from dicecup.hosting.store import Append, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import LOBBY_WORKERS
from dicecup.hosting.store.statements import append_statements
from dicecup.hosting.store.steps import Rows, Steps, driver_text, run_steps, statement
from dicecup.table import codec, handlers
from dicecup.table.errors import TableCode
from dicecup.table.names import LONGEST_NAME, free_name, name_key
from dicecup.table.setup import Clock, SeatSetup, Setup

LEASE: Final = 12.0
"""Seconds without a sign of a worker after which the seeks of its people end."""
ARRIVE_WITHIN: Final = 10.0
"""Seconds in which both people of a pair must come to their table."""
KEPT: Final = 600.0
"""Seconds for which an ended seek is kept, so that a repeated request is not a new one."""
MOST_READ: Final = 256
"""Seeks that one transaction tries to pair."""
_LOCK: Final = 0x6C6F6262
"""Key of PostgreSQL's advisory lock: any number that is the same in every worker."""


class Wanted(NamedTuple):
    """A request for an opponent; see `Seek`. `clock` is JSON."""

    identity: str
    request: str
    game: str
    clock: str | None
    name: str
    worker: str
    rated: bool = False

    @property
    def pool(self) -> str:
        """Return the name of the game and the clock: only people of one pool are paired."""
        return f"{split_id(self.game)[0]} {self.clock or ''}"


class Arrival(NamedTuple):
    """The arrival of a person at the table of a pair."""

    identity: str
    table: str


class Leave(NamedTuple):
    """The end of a person's wait for an opponent. With `worker` only if the person is still
    connected there."""

    identity: str
    worker: str | None = None


Request: TypeAlias = Wanted | Arrival | Leave


class Beat(NamedTuple):
    """A sign of life of a worker, with the number of people in its lobby, and the identities of
    those who show that they are there."""

    worker: str
    people: int
    identities: Collection[str] = ()


class Changes(NamedTuple):
    """What a transaction changed: the seeks, and tables that were made or have to be closed."""

    seeks: dict[str, Seek]
    made: list[Seek]
    closed: set[str]


class Seeks:
    """The queue of one database. `secret_of` returns the secret of the dice of a table."""

    def __init__(self, store: Store, secret_of: Callable[[str], bytes]) -> None:
        self._store = store
        self._secret_of = secret_of
        self._statement = partial(statement, store.engines.dialect)

    async def serve(self, requests: Sequence[Request], beat: Beat | None, now: float) -> Changes:
        """Handle requests in their order and pair people, all in one transaction. With `beat` save
        a sign of life, too. The changes have the seek of each person in `requests` that has one.
        Raises `StoreError`."""

        def steps() -> Steps[Changes]:
            if beat is not None:
                yield self._statement(_BEAT, beat.worker, now, beat.people)
            changes, pools = yield from self._handle(requests, now)
            yield from self._pair(pools, changes, now)
            return changes

        return await run_steps(self._store, steps, _LOCK)

    async def tick(self, beat: Beat | None, now: float) -> Changes:
        """Do what is due: pair people who wait for other options, and undo pairs of which a person
        did not come. With `beat` save a sign of life, and end the seeks of workers that are gone.
        Raises `StoreError`."""

        def steps() -> Steps[Changes]:
            changes = Changes({}, [], set())
            if beat is not None:
                yield self._statement(_BEAT, beat.worker, now, beat.people)
                yield from save_online(beat.identities, now, self._store.engines.dialect)
                yield self._statement(_LEFT, now, now - LEASE)
                yield self._statement(_FORGET, now - KEPT)
                yield self._statement(_FORGET_WORKERS, now - LEASE)
            yield from self._undo(changes, now)
            crowded = yield self._statement(_CROWDED)
            yield from self._pair([pool for (pool,) in crowded], changes, now)
            return changes

        return await run_steps(self._store, steps, _LOCK)

    async def of(self, identities: Iterable[str]) -> dict[str, Seek]:
        """Return the last seeks of identities. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                rows = await connection.exec_driver_sql(*self._statement(_OF, list(identities)))
        return {seek.identity: seek for seek in _seeks(rows.all())}

    async def leave(self, worker: str) -> None:
        """Remove a worker without people. Raises `StoreError`."""

        def steps() -> Steps[None]:
            yield self._statement("DELETE FROM lobby_workers WHERE worker = $1", worker)

        await run_steps(self._store, steps)

    async def people(self, now: float) -> int:
        """Return how many people are in the lobby of all workers. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                counted = select(func.sum(LOBBY_WORKERS.c.people)).where(LOBBY_WORKERS.c.seen > now - LEASE)
                return int((await connection.execute(counted)).scalar_one() or 0)

    def _handle(self, requests: Sequence[Request], now: float) -> Steps[tuple[Changes, set[str]]]:
        """Handle requests in their order and save what they change. Return the changes, and the
        pools in which people wait who may be paired now."""
        tables = [each.table for each in requests if isinstance(each, Arrival)]
        rows = yield self._statement(_CONCERNED, [each.identity for each in requests], tables)
        before = {seek.identity: seek for seek in _seeks(rows)}
        seeks = dict(before)
        for request in requests:
            seek = seeks.get(request.identity)
            match request:
                case Wanted():
                    seeks[request.identity] = _wanted(seek, request, now)
                case Leave() if seek is not None and seek.state in WAITING and request.worker in (None, seek.worker):
                    seeks[request.identity] = _later(seek, now, state="ended")
                case Arrival() if seek is not None and (seek.state, seek.table) == ("paired", request.table):
                    seeks[request.identity] = replace(seek, state="seated")
                    pair = [each for each in seeks.values() if each.table == request.table]
                    if all(each.state == "seated" for each in pair):
                        seeks.update({each.identity: _later(each, now, state="ended") for each in pair})
        changed = [seek for identity, seek in seeks.items() if seek is not before.get(identity)]
        yield from self._save([seek for seek in changed if seek.number])
        seeks.update((yield from self._insert([seek for seek in changed if not seek.number])))
        concerned = {each.identity for each in requests} | {seek.identity for seek in changed}
        found = {identity: seeks[identity] for identity in concerned if identity in seeks}
        wanted = [found[each.identity] for each in requests if isinstance(each, Wanted)]
        return Changes(found, [], set()), {seek.pool for seek in wanted if seek.state in WAITING}

    def _pair(self, pools: Collection[str], changes: Changes, now: float) -> Steps[None]:
        """Pair people of these pools and save a table for each pair."""
        if not pools:
            return
        dialect = self._store.engines.dialect
        rows = yield self._statement(_WAITING_IN, list(pools), now - LEASE, MOST_READ)
        waiting = _seeks([row[:-1] for row in rows])
        blocked = [seek.identity for seek, row in zip(waiting, rows, strict=True) if row[-1]]
        apart = (yield from read_blocks_among(blocked, dialect)) if len(blocked) > 1 else set()
        found = pairs(waiting, lambda one, other: frozenset((one, other)) in apart, now)
        appends = []
        for pair in found:
            table = token_hex(10)
            appends.append(_opened(table, self._secret_of(table), pair, now))
            seated = [_later(seek, now, state="paired", table=table) for seek in pair]
            changes.seeks.update({seek.identity: seek for seek in seated})
            changes.made.extend(seated)
        if appends:
            for each in append_statements(appends, dialect):  # noqa: UP028 a list cannot be sent rows
                yield each
            yield from self._save(changes.made)

    def _undo(self, changes: Changes, now: float) -> Steps[None]:
        """End the seeks of people who did not come to their tables in time, and let those who came
        wait again at their places."""
        tables = sorted({table for (table,) in (yield self._statement(_LATE, now - ARRIVE_WITHIN))})
        if not tables:
            return
        undone = []
        for seek in _seeks((yield self._statement(_SITTING, tables))):
            came = seek.state == "seated"
            undone.append(_later(seek, now, state="returned" if came else "missed", table=None if came else seek.table))
        yield from self._save(undone)
        changes.seeks.update({seek.identity: seek for seek in undone})
        changes.closed.update(tables)

    def _insert(self, seeks: Sequence[Seek]) -> Steps[dict[str, Seek]]:
        """Save new seeks in place of the last ones of these people, and return them with their
        numbers, by identity."""
        if not seeks:
            return {}
        identities = [seek.identity for seek in seeks]
        yield self._statement("DELETE FROM seeks WHERE identity = ANY($1::text[])", identities)
        yield driver_text(_INSERTED, self._store.engines.dialect), [astuple(seek)[1:] for seek in seeks]
        numbers: dict[str, int] = dict((yield self._statement(_NUMBERS, identities)))
        return {seek.identity: replace(seek, number=numbers[seek.identity]) for seek in seeks}

    def _save(self, seeks: Iterable[Seek]) -> Steps[None]:
        """Save what may change of seeks."""
        rows = [(seek.number, seek.request, seek.name, seek.worker, seek.state, seek.changed, seek.table) for seek in seeks]
        if rows:
            yield driver_text(_SAVED, self._store.engines.dialect), rows


@lru_cache(maxsize=128)
def setup_of_two(game: str, clock: Clock | None, *, rated: bool) -> Setup:
    """Return the setup of a table for two people. Raises `GameError` and `TableError`."""
    return Setup(game, (SeatSetup(), SeatSetup()), clock=clock, rated=rated)


def _seeks(rows: Rows) -> list[Seek]:
    """Return the seeks of rows. SQLite's driver returns a truth value as a number."""
    return [Seek(*(*row[:-1], bool(row[-1]))) for row in rows]


def _later(seek: Seek, now: float, **changes: Any) -> Seek:
    """Return a changed seek. It is later than the one before, by which a worker knows that it is
    newer, also if the clock of another worker was ahead or this one has waited for the lock."""
    return replace(seek, changed=max(now, nextafter(seek.changed, inf)), **changes)


def _wanted(seek: Seek | None, wanted: Wanted, now: float) -> Seek:
    """Return the seek of a person for a request. A new one has the number 0.

    A request for the same game keeps the place of the last one. Who is paired already has to come
    to that table first.
    """
    is_known = seek is not None and (seek.request == wanted.request or seek.state in AT_TABLE)
    wishes = (wanted.pool, wanted.game, wanted.rated)
    if seek is not None and seek.state in WAITING and (is_known or (seek.pool, seek.game, seek.rated) == wishes):
        return replace(seek, request=wanted.request, name=wanted.name, worker=wanted.worker)
    if seek is not None and is_known:
        return seek
    return Seek(
        number=0,
        identity=wanted.identity,
        request=wanted.request,
        pool=wanted.pool,
        game=wanted.game,
        clock=wanted.clock,
        name=wanted.name,
        since=now,
        worker=wanted.worker,
        state="waiting",
        changed=now,
        table=None,
        rated=wanted.rated,
    )


def _opened(table: str, secret: bytes, pair: tuple[Seek, Seek], now: float) -> Append:
    """Return the first events of the table of a pair, with the options of who has waited longer.
    The game is rated if both want that."""
    first, second = pair
    clock = None if first.clock is None else codec.from_json(Clock, json.loads(first.clock), TableCode.NOT_A_SETUP)
    setup = setup_of_two(first.game, clock, rated=first.rated and second.rated)
    name = second.name
    if name_key(name) == name_key(first.name):
        name = free_name(name[: LONGEST_NAME - 4].strip(), [first.name])
    sitters = [handlers.Sitter(0, first.name, first.identity), handlers.Sitter(1, name, second.identity)]
    return first_append(table, handlers.open_table(table, setup, secret, sitters, now), now, None)


_FIELDS: Final = "number, identity, request, pool, game, clock, {name}, since, worker, state, changed, table_id, rated"
"""The columns in the order of the fields of a `Seek`."""
_HANDLE_OR_NAME: Final = "coalesce((SELECT handle FROM accounts WHERE accounts.identity = seeks.identity), name)"
_ALL: Final = f"SELECT {_FIELDS.format(name='name')} FROM seeks "  # noqa: S608 the text has no foreign input
_INSERTED: Final = """
    INSERT INTO seeks (identity, request, pool, game, clock, name, since, worker, state, changed, table_id, rated)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
"""
"""With the fields of a `Seek` after its number, in their order."""
_NUMBERS: Final = "SELECT identity, number FROM seeks WHERE identity = ANY($1::text[])"
_SAVED: Final = """
    UPDATE seeks SET request = $2, name = $3, worker = $4, state = $5, changed = $6, table_id = $7 WHERE number = $1
"""
_OF: Final = _ALL + "WHERE identity = ANY($1::text[])"
_CONCERNED: Final = _ALL + "WHERE identity = ANY($1::text[]) OR table_id = ANY($2::text[])"
_SITTING: Final = _ALL + "WHERE table_id = ANY($1::text[]) AND state IN ('paired', 'seated')"
_WAITING_IN: Final = f"""
    SELECT {_FIELDS.format(name=_HANDLE_OR_NAME)},
        EXISTS (SELECT 1 FROM person_blocks WHERE person_blocks.identity = seeks.identity OR other = seeks.identity)
    FROM seeks WHERE state IN ('waiting', 'returned') AND pool = ANY($1::text[])
        AND worker IN (SELECT worker FROM lobby_workers WHERE seen > $2)
    ORDER BY number LIMIT $3
"""  # noqa: S608 the text has no foreign input
"""The seeks of a pool, in which a person with an account has its handle as name, each with whether
its person has blocked anybody or was blocked."""
_CROWDED: Final = "SELECT pool FROM seeks WHERE state IN ('waiting', 'returned') GROUP BY pool HAVING count(*) > 1"
_LATE: Final = "SELECT table_id FROM seeks WHERE state = 'paired' AND changed <= $1"
_LEFT: Final = """
    UPDATE seeks SET state = 'ended', changed = $1
    WHERE state IN ('waiting', 'returned') AND worker NOT IN (SELECT worker FROM lobby_workers WHERE seen > $2)
"""
_FORGET: Final = "DELETE FROM seeks WHERE state IN ('ended', 'missed') AND changed < $1"
_FORGET_WORKERS: Final = "DELETE FROM lobby_workers WHERE seen < $1"
_BEAT: Final = """
    INSERT INTO lobby_workers (worker, seen, people) VALUES ($1, $2, $3)
    ON CONFLICT (worker) DO UPDATE SET seen = excluded.seen, people = excluded.people
"""
