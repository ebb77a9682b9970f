"""The calendar of the daily challenges of a person, and days in a row."""

from collections.abc import Collection
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select

from dicecup.hosting.competition.events import Entry, Event, entries_by, events_of_days
from dicecup.hosting.store import Store
from dicecup.hosting.store.competition_models import DUPLICATES, ENTRIES
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import TABLES
from dicecup.table import daily


class Day(NamedTuple):
    """A day with its challenges, and the person's entries by event."""

    day: int
    events: tuple[Event, ...]
    entries: dict[str, Entry]


class Calendar(NamedTuple):
    """Days with challenges. `streak` counts the days in a row, until today or yesterday, on which
    the person played a challenge to its end, and `longest` the most such days ever. Days on which
    no server ran do not interrupt them."""

    days: list[Day]
    streak: int
    longest: int


async def calendar_of(store: Store, identity: str | None, first: int, last: int, now: float) -> Calendar:
    """Return the calendar of a person from one day to another. Raises `StoreError`."""
    found: dict[int, list[Event]] = {}
    for event in await events_of_days(store, first, last):
        assert event.day is not None
        found.setdefault(event.day, []).append(event)
    names = [event.event for listed in found.values() for event in listed]
    entries = {} if identity is None else await entries_by(store, identity, names)
    days = [
        Day(day, tuple(listed), {event.event: entries[event.event] for event in listed if event.event in entries})
        for day, listed in sorted(found.items())
    ]
    played, missed = (set[int](), set[int]()) if identity is None else await _days(store, identity)
    return Calendar(days, *streaks(played, missed, daily.day_of(now)))


def streaks(played: Collection[int], missed: Collection[int], today: int) -> tuple[int, int]:
    """Return the days in a row until today or yesterday, and the most days in a row.

    `played`: the days on which the person played. `missed`: the days on which nobody could.
    """
    longest = run = 0
    runs: dict[int, int] = {}
    for day in range(min(played, default=today), today + 1):
        if day in played:
            run += 1
        elif day not in missed and day != today:
            run = 0
        runs[day] = run
        longest = max(longest, run)
    return runs.get(today, 0), longest


async def _days(store: Store, identity: str) -> tuple[set[int], set[int]]:
    """Return the days on which a person played a challenge to its end, and those on which nobody
    could. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            played = set((await connection.execute(_PLAYED, {"identity": identity})).scalars())
            missed = set((await connection.execute(_MISSED)).scalars())
    return played, missed


_PLAYED: Final = (
    select(DUPLICATES.c.day)
    .join(ENTRIES, ENTRIES.c.event == DUPLICATES.c.event)
    .outerjoin(TABLES, TABLES.c.table_id == ENTRIES.c.table_id)
    .where(
        ENTRIES.c.identity == bindparam("identity"),
        DUPLICATES.c.day.is_not(None),
        ENTRIES.c.score.is_not(None) | (TABLES.c.state == "over"),
    )
)
_MISSED: Final = select(DUPLICATES.c.day).where(DUPLICATES.c.created >= DUPLICATES.c.closes)
