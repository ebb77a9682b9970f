"""Duplicate events in the database: challenges of a day, pairs of duels and tables of four.

An event goes through `STATES`. Each step is a change of its row that only one worker can make, or
one that changes nothing when it is repeated.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, insert, select, update

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.store import Store
from dicecup.hosting.store.competition_models import BOARDS, DUPLICATES, ENTRIES
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.statements import insert_if_missing
from dicecup.table import daily
from dicecup.table.duplicate import event_secret
from dicecup.table.fairness import commitment
from dicecup.table.setup import Setup, setup_from_json, setup_to_json

OPEN: Final = "open"
"""People may enter or still play. The secret is not published."""
SETTLED: Final = "settled"
"""All games are over and their results are saved. The secret is public."""
PUBLISHED: Final = "published"
"""The records of all games have the secret."""
ANALYSED: Final = "analysed"
"""The line of `master` and the costliest decision are known."""
PLACES: Final = {"pair": 2, "four": 4}
"""Kinds of events for invited people, and how many people each needs."""


class Event(NamedTuple):
    """A duplicate event; see `competition_models.DUPLICATES`."""

    event: str
    kind: str
    day: int | None
    setup: str
    commitment: str
    creator: str | None
    created: float
    opens: float
    closes: float
    settles: float
    state: str
    leased: float = 0.0
    analysis: str | None = None

    @property
    def table_setup(self) -> Setup:
        """Return the setup of the tables of the event."""
        return setup_from_json(json.loads(self.setup))

    @property
    def is_over(self) -> bool:
        """Return whether the results and the secret are public."""
        return self.state != OPEN

    @property
    def places(self) -> int | None:
        """Return how many people enter, `None` for any number."""
        return PLACES.get(self.kind)


class Entry(NamedTuple):
    """The entry of a person; see `competition_models.ENTRIES`."""

    event: str
    identity: str
    name: str
    entered: float
    place: int
    table_id: str | None
    counts: bool
    finished: bool | None = None
    score: float | None = None
    result: str | None = None
    facts: str | None = None


def new_event(host_key: bytes, event: str, kind: str, setup: Setup, times: Sequence[float], **more: Any) -> Event:
    """Return an event that nobody has entered. `times`: created, opens, closes, settles."""
    committed = commitment(event_secret(host_key, event))
    text = json.dumps(setup_to_json(setup), separators=(",", ":"))
    created, opens, closes, settles = times
    return Event(
        event,
        kind,
        more.get("day"),
        text,
        committed,
        more.get("creator"),
        created,
        opens,
        closes,
        settles,
        more.get("state", OPEN),
    )


def daily_events(host_key: bytes, day: int, now: float) -> list[Event]:
    """Return the challenges of a day. Those of a past day are over: nobody could enter."""
    opens, closes = daily.opens_at(day), daily.opens_at(day + 1)
    times = (now, opens, closes, closes + daily.LATE_SECONDS)
    state = OPEN if now < closes else PUBLISHED
    return [
        new_event(host_key, daily.daily_event(kind, day), kind, daily.daily_setup(kind, day), times, day=day, state=state)
        for kind in daily.SERIES
    ]


def check_over(event: Event) -> None:
    """Raise `HostingError` (`event-running`) for what is public only after the end of an event."""
    if not event.is_over:
        raise HostingError(HostingCode.EVENT_RUNNING, text=event.event)


def invited_kind(setup: Setup) -> str:
    """Return the kind of the event whose table has this setup: `pair`, `four`, or an empty text for
    all other tables."""
    kind = "" if setup.duplicate is None else setup.duplicate.event.partition("-")[0]
    return kind if kind in PLACES else ""


def invitation_key(host_key: bytes, event: str) -> str:
    """Return the key of the link with which people enter a pair or a table of four."""
    return derived_key(host_key, f"event {event}").hex()[:22]


# --- Reading --------------------------------------------------------------------------------------


async def event_of(store: Store, event: str) -> Event:
    """Return an event. Raises `HostingError` (`no-such-event`) and `StoreError`."""
    found = await _events(store, select(DUPLICATES).where(DUPLICATES.c.event == event))
    if not found:
        raise HostingError(HostingCode.NO_SUCH_EVENT, text=event)
    return found[0]


async def events_of_days(store: Store, first: int, last: int) -> list[Event]:
    """Return the challenges from one day to another, in their order. Raises `StoreError`."""
    found = await _events(store, select(DUPLICATES).where(DUPLICATES.c.day >= first, DUPLICATES.c.day <= last))
    return sorted(found, key=lambda event: (event.day, list(daily.SERIES).index(event.kind)))


async def events_in(store: Store, states: Iterable[str]) -> list[Event]:
    """Return the events in one of these states, the first that closes first. Raises
    `StoreError`."""
    query = select(DUPLICATES).where(DUPLICATES.c.state.in_(list(states)))
    return await _events(store, query.order_by(DUPLICATES.c.closes, DUPLICATES.c.event))


async def newest_day(store: Store) -> int | None:
    """Return the last day that has challenges. Raises `StoreError`."""
    rows = await _read(store, select(func.max(DUPLICATES.c.day)))
    return None if rows[0][0] is None else int(rows[0][0])


async def entries_of(store: Store, event: str) -> list[Entry]:
    """Return the entries of an event, the best first once it is over, else in the order in which
    they came. Raises `StoreError`."""
    order = (ENTRIES.c.finished.desc(), ENTRIES.c.score.desc(), ENTRIES.c.place, ENTRIES.c.entered, ENTRIES.c.identity)
    return [Entry(*row) for row in await _read(store, select(ENTRIES).where(ENTRIES.c.event == event).order_by(*order))]


async def entries_by(store: Store, identity: str, events: Iterable[str]) -> dict[str, Entry]:
    """Return the entries of a person in some events, by event. Raises `StoreError`."""
    rows = await _read(store, select(ENTRIES).where(ENTRIES.c.identity == identity, ENTRIES.c.event.in_(list(events))))
    return {row.event: Entry(*row) for row in rows}


async def counts_of(store: Store, events: Iterable[str]) -> dict[str, int]:
    """Return how many people entered each of these events. Raises `StoreError`."""
    query = select(ENTRIES.c.event, func.count()).where(ENTRIES.c.event.in_(list(events))).group_by(ENTRIES.c.event)
    return {row[0]: int(row[1]) for row in await _read(store, query)}


async def own_events(store: Store, identity: str) -> list[Event]:
    """Return the pairs and tables of four that a person entered, the newest first. Raises
    `StoreError`."""
    query = select(DUPLICATES).join(ENTRIES, ENTRIES.c.event == DUPLICATES.c.event)
    query = query.where(ENTRIES.c.identity == identity, DUPLICATES.c.day.is_(None))
    return await _events(store, query.order_by(DUPLICATES.c.created.desc()).limit(50))


async def boards_of(store: Store, event: str) -> list[str]:
    """Return the tables of a pair or a table of four in their order. Raises `StoreError`."""
    query = select(BOARDS.c.table_id).where(BOARDS.c.event == event).order_by(BOARDS.c.board)
    return [row.table_id for row in await _read(store, query)]


async def _events(store: Store, query: Select[Any]) -> list[Event]:
    return [Event(*row) for row in await _read(store, query)]


async def _read(store: Store, query: Select[Any]) -> Sequence[Any]:
    with translated():
        async with store.engines.readers.connect() as connection:
            return list(await connection.execute(query))


# --- Writing --------------------------------------------------------------------------------------


async def add_events(store: Store, events: Sequence[Event]) -> None:
    """Save events that are not saved yet. Raises `StoreError`."""
    rows = [event._asdict() for event in events]
    if rows:
        await store.writer.work(lambda connection: _insert(connection, rows))


def _insert(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    connection.execute(insert_if_missing(DUPLICATES, connection.dialect.name), rows)


async def advance(store: Store, event: str, before: str, after: str, **values: Any) -> bool:
    """Move an event from one state to the next, and return whether this worker did it. Raises
    `StoreError`."""

    def work(connection: Connection) -> bool:
        return is_advanced(connection, event, before, after, **values)

    return await store.writer.work(work)


def is_advanced(connection: Connection, event: str, before: str, after: str, **values: Any) -> bool:
    """Move an event from one state to the next in a transaction, and return whether it was in the
    first one."""
    changed = update(DUPLICATES).where(DUPLICATES.c.event == event, DUPLICATES.c.state == before)
    return connection.execute(changed.values(state=after, **values)).rowcount == 1


async def lease(store: Store, event: Event, now: float, seconds: float) -> bool:
    """Take an event for a time in which no other worker analyses it. Raises `StoreError`."""

    def work(connection: Connection) -> bool:
        free = (DUPLICATES.c.event == event.event, DUPLICATES.c.state == PUBLISHED, DUPLICATES.c.leased <= now)
        return connection.execute(update(DUPLICATES).where(*free).values(leased=now + seconds)).rowcount == 1

    return await store.writer.work(work)


def save_result(connection: Connection, entry: Entry) -> None:
    """Save how the game of an entry ended."""
    values = {"finished": entry.finished, "score": entry.score, "result": entry.result}
    own = (ENTRIES.c.event == entry.event, ENTRIES.c.identity == entry.identity)
    connection.execute(update(ENTRIES).where(*own).values(values))


async def save_facts(store: Store, entry: Entry, facts: str) -> None:
    """Save the decisions of an entry that lost something. Raises `StoreError`."""
    own = (ENTRIES.c.event == entry.event, ENTRIES.c.identity == entry.identity)
    await store.writer.work(lambda connection: connection.execute(update(ENTRIES).where(*own).values(facts=facts)).rowcount)


def is_entered(connection: Connection, entry: Entry) -> bool:
    """Save the entry of a person, and return `False` if the person has entered before."""
    statement = insert_if_missing(ENTRIES, connection.dialect.name)
    return connection.execute(statement, entry._asdict()).rowcount == 1


def add_board(connection: Connection, event: str, board: int, table: str) -> None:
    """Save a table of a pair or a table of four."""
    connection.execute(insert(BOARDS), {"event": event, "board": board, "table_id": table})


def locked_event(connection: Connection, event: str) -> Event | None:
    """Return an event in a transaction that no other worker can change meanwhile."""
    row = connection.execute(_LOCKED, {"event": event}).first()
    return None if row is None else Event(*row)


def uncount_unfinished(connection: Connection) -> None:
    """Let no open entry count: after a restore its person may have seen coming throws."""
    running = select(DUPLICATES.c.event).where(DUPLICATES.c.state == OPEN)
    connection.execute(update(ENTRIES).where(ENTRIES.c.event.in_(running)).values(counts=False))


_LOCKED: Final = select(DUPLICATES).where(DUPLICATES.c.event == bindparam("event")).with_for_update()
