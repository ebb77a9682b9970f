"""Storage of seeks: placed, paired, ended, and undone where a person does not come to the table.

All changes that may pair people run one after the other, under a lock of the database. A pair is
made in the transaction that saves its table, so a person never sits at two tables by one request.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import inf, nextafter
from secrets import token_hex
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, func, select, text

from dicecup.core.ids import split_id
from dicecup.hosting.event_rows import first_append
from dicecup.hosting.lobby.acquaintances import save_online
from dicecup.hosting.lobby.pairing import AT_TABLE, PATIENCE, WAITING, Seek, pairs
from dicecup.hosting.lobby.person_blocks import read_blocks_among
from dicecup.hosting.store import Append, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import LOBBY_WORKERS
from dicecup.hosting.store.statements import append_statements
from dicecup.hosting.store.steps import Rows, Steps, driver_text, run_steps, statement
from dicecup.table import codec, handlers
from dicecup.table.errors import TableCode
from dicecup.table.names import free_name
from dicecup.table.setup import Clock, SeatSetup, Setup

LEASE: Final = 12.0
"""Seconds without a sign of a worker after which the seeks of its people end."""
ARRIVE_WITHIN: Final = 10.0
"""Seconds in which both people of a pair must come to their table."""
KEPT: Final = 600.0
"""Seconds for which an ended seek is kept, so that a repeated request is not a new one."""
MOST_READ: Final = 256
"""People in the queue whom one transaction reads, besides those whose requests it handles."""
PAIRING_LOCK: Final = 0x6C6F6262
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


class _Found(NamedTuple):
    """A person with the last seek, the handle (`None` without an account), whether the person has
    blocked anybody or was blocked, and whether the seek was found in the queue."""

    identity: str
    seek: Seek | None
    handle: str | None
    has_block: bool
    is_queued: bool


def is_due(seek: Seek, now: float) -> bool:
    """Return whether `Seeks.tick` may change a seek: the person waits for so long that other
    options will do, or should have come to the table with the opponent."""
    if seek.state in WAITING:
        return seek.since + PATIENCE <= now
    return seek.state in AT_TABLE and seek.changed + ARRIVE_WITHIN <= now


def hold_pairing(connection: Connection) -> None:
    """Let no transaction handle requests until the end of this one. SQLite's transactions lock the
    file."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": PAIRING_LOCK})


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
            return (yield from self._handle(requests, now))

        return await run_steps(self._store, steps, PAIRING_LOCK)

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
            if pools := [pool for (pool,) in crowded]:
                found = _found((yield self._statement(_WAITING_IN, pools, now - LEASE, MOST_READ)))
                waiting = [each.seek for each in found if each.seek is not None]
                yield from self._pair(waiting, {each.identity: each for each in found}, changes, now)
                yield from self._save(changes.made)
            return changes

        return await run_steps(self._store, steps, PAIRING_LOCK)

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

    def _handle(self, requests: Sequence[Request], now: float) -> Steps[Changes]:
        """Handle requests in their order, pair the people who wait in the pools of new requests,
        and save what has changed."""
        identities = {each.identity for each in requests}
        tables = [each.table for each in requests if isinstance(each, Arrival)]
        wanted = {each.identity: each.pool for each in requests if isinstance(each, Wanted)}
        pools = sorted(set(wanted.values()))
        found = _found((yield self._statement(_CONCERNED, pools, now - LEASE, MOST_READ, list(identities), tables)))
        before = {each.identity: each.seek for each in found if each.seek is not None}
        seeks = _handled(requests, before, now)
        changed = [seek for identity, seek in seeks.items() if seek is not before.get(identity)]
        concerned = identities | {seek.identity for seek in changed}
        changes = Changes({identity: seeks[identity] for identity in concerned if identity in seeks}, [], set())
        # who asks again can be paired, also if the seek was that of a worker that is gone
        people = {each.identity: each for each in reversed(found)}  # the last rows lack handles and blocks
        candidates = dict.fromkeys((*(each.identity for each in found if each.is_queued), *wanted))
        waiting = [seeks[identity] for identity in candidates if seeks[identity].state in WAITING]
        yield from self._pair(waiting, people, changes, now)
        saved = {seek.identity: seek for seek in (*changed, *changes.made)}
        changes.seeks.update((yield from self._save(saved.values())))
        changes.made[:] = [changes.seeks[seek.identity] for seek in changes.made]
        return changes

    def _pair(self, waiting: Sequence[Seek], people: Mapping[str, _Found], changes: Changes, now: float) -> Steps[None]:
        """Pair people who wait and save a table for each pair, but not their seeks."""
        dialect = self._store.engines.dialect
        blocked = [seek.identity for seek in waiting if people[seek.identity].has_block]
        apart = (yield from read_blocks_among(blocked, dialect)) if len(blocked) > 1 else set()
        handles = [people[seek.identity].handle for seek in waiting]
        named = [seek if handle is None else seek._replace(name=handle) for seek, handle in zip(waiting, handles, strict=True)]
        appends = []
        for pair in pairs(named, lambda one, other: frozenset((one, other)) in apart, now):
            table = token_hex(10)
            appends.append(_opened(table, self._secret_of(table), pair, now))
            seated = [_later(seek, now, state="paired", table=table) for seek in pair]
            changes.seeks.update({seek.identity: seek for seek in seated})
            changes.made.extend(seated)
        if appends:
            for each in append_statements(appends, dialect):  # noqa: UP028 a list cannot be sent rows
                yield each

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

    def _save(self, seeks: Collection[Seek]) -> Steps[dict[str, Seek]]:
        """Save seeks, each in place of the last one of its person. Return them with their numbers,
        by identity."""
        if not seeks:
            return {}
        dialect = self._store.engines.dialect
        rows = [(seek.number or None, *seek[1:]) for seek in seeks]
        values = [tuple(zip(*rows, strict=True))] if dialect == "postgresql" else rows
        numbers = dict((yield driver_text(_SAVED[dialect], dialect), values))
        return {seek.identity: seek if seek.number else seek._replace(number=numbers[seek.identity]) for seek in seeks}


@lru_cache(maxsize=128)
def setup_of_two(game: str, clock: Clock | None, *, rated: bool) -> Setup:
    """Return the setup of a table for two people. Raises `GameError` and `TableError`."""
    return Setup(game, (SeatSetup(), SeatSetup()), clock=clock, rated=rated)


def _seeks(rows: Rows) -> list[Seek]:
    """Return the seeks of rows."""
    return [_seek(row) for row in rows]


def _seek(row: Any) -> Seek:
    """Return the seek of a row. SQLite's driver returns a truth value as a number."""
    return Seek(*(*row[:-1], bool(row[-1])))


def _found(rows: Rows) -> list[_Found]:
    """Return what rows hold of seeks and their people."""
    return [_Found(row[1], None if row[0] is None else _seek(row[:-3]), row[-3], bool(row[-2]), bool(row[-1])) for row in rows]


def _handled(requests: Sequence[Request], before: Mapping[str, Seek], now: float) -> dict[str, Seek]:
    """Return the seeks of people, by identity, after their requests. New ones have the number 0."""
    seeks = dict(before)
    for request in requests:
        seek = seeks.get(request.identity)
        match request:
            case Wanted():
                seeks.pop(request.identity, None)  # new seeks get their numbers in this order
                seeks[request.identity] = _wanted(seek, request, now)
            case Leave() if seek is not None and seek.state in WAITING and request.worker in (None, seek.worker):
                seeks[request.identity] = _later(seek, now, state="ended")
            case Arrival() if seek is not None and (seek.state, seek.table) == ("paired", request.table):
                seeks[request.identity] = seek._replace(state="seated")
                pair = [each for each in seeks.values() if each.table == request.table]
                if all(each.state == "seated" for each in pair):
                    seeks.update({each.identity: _later(each, now, state="ended") for each in pair})
    return seeks


def _later(seek: Seek, now: float, **changes: Any) -> Seek:
    """Return a changed seek. It is later than the one before, by which a worker knows that it is
    newer, also if the clock of another worker was ahead or this one has waited for the lock."""
    return seek._replace(changed=max(now, nextafter(seek.changed, inf)), **changes)


def _wanted(seek: Seek | None, wanted: Wanted, now: float) -> Seek:
    """Return the seek of a person for a request. A new one has the number 0.

    A request for the same game keeps the place of the last one. Who is paired already has to come
    to that table first.
    """
    is_known = seek is not None and (seek.request == wanted.request or seek.state in AT_TABLE)
    wishes = (wanted.pool, wanted.game, wanted.rated)
    if seek is not None and seek.state in WAITING and (is_known or (seek.pool, seek.game, seek.rated) == wishes):
        return seek._replace(request=wanted.request, name=wanted.name, worker=wanted.worker)
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
    name = free_name(second.name, [first.name])
    sitters = [handlers.Sitter(0, first.name, first.identity), handlers.Sitter(1, name, second.identity)]
    return first_append(table, handlers.open_table(table, setup, secret, sitters, now), now, None)


_FIELDS: Final = "number, identity, request, pool, game, clock, name, since, worker, state, changed, table_id, rated"
"""The columns in the order of the fields of a `Seek`."""
_PERSON: Final = """
    (SELECT handle FROM accounts WHERE accounts.identity = {0}.identity),
    EXISTS (SELECT 1 FROM person_blocks WHERE person_blocks.identity = {0}.identity OR other = {0}.identity)
"""
"""The handle of the person of a seek, and whether the person is on either side of a block."""
_ALL: Final = f"SELECT {_FIELDS} FROM seeks "  # noqa: S608 the text has no foreign input
_REPLACED: Final = f"""
    ON CONFLICT (identity) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _FIELDS.split(", "))}
    RETURNING identity, number
"""
"""What follows an insert that replaces the last seek of a person."""
_SAVED: Final = {
    "postgresql": f"""
        INSERT INTO seeks ({_FIELDS})
        SELECT coalesce(number, nextval('seeks_number_seq')), {_FIELDS.removeprefix("number, ")} FROM unnest(
            $1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float[], $9::text[],
            $10::text[], $11::float[], $12::text[], $13::bool[]
        ) AS saved ({_FIELDS}) {_REPLACED}
    """,  # noqa: S608 the text has no foreign input
    "sqlite": f"""
        INSERT INTO seeks ({_FIELDS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) {_REPLACED}
    """,  # noqa: S608 the text has no foreign input
}
"""With the fields of a `Seek` in their order. PostgreSQL has an array for each of them. Without a
number a seek gets the next one."""
_OF: Final = _ALL + "WHERE identity = ANY($1::text[])"
_SITTING: Final = _ALL + "WHERE table_id = ANY($1::text[]) AND state IN ('paired', 'seated')"
_WAITING_IN: Final = f"""
    SELECT {_FIELDS}, {_PERSON.format("seeks")}, true FROM seeks
    WHERE state IN ('waiting', 'returned') AND pool = ANY($1::text[])
        AND worker IN (SELECT worker FROM lobby_workers WHERE seen > $2)
    ORDER BY number LIMIT $3
"""  # noqa: S608 the text has no foreign input
"""The people who can be paired in some pools, at most `$3` who have waited longest, with the fields
of `_Found`."""
_CONCERNED: Final = f"""
    SELECT * FROM ({_WAITING_IN}) AS queue
    UNION ALL SELECT {_FIELDS}, {_PERSON.format("asked")}, false
        FROM (SELECT value AS identity FROM unnest($4::text[]) AS value) AS asked LEFT JOIN seeks USING (identity)
    UNION ALL SELECT {_FIELDS}, NULL, false, false FROM seeks WHERE table_id = ANY($5::text[])
"""  # noqa: S608 the text has no foreign input
"""The rows of `_WAITING_IN`, with the same values, and those of some people and of all who belong
to some tables. Who has no seek has a row, too."""
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
