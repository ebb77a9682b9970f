"""What happened on the server on each of the last days (UTC)."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Column, Integer, Select, cast, func, select

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import ACCOUNTS, EVENTS, FINISHED, SAID, SEATS, TABLES
from dicecup.hosting.store.store import Store

DAY: Final = 86_400


async def numbers_since(store: Store, first: int) -> dict[str, dict[int, int]]:
    """Return by name what is counted, and by day since 1970 how often, from the day `first` on.
    Raises `StoreError`.

    `tables` that were begun, `games` that ended, `people` at the tables that were begun, new
    `accounts`, and `messages`: phrases, reactions and texts of people at tables.
    """
    people = TABLES.join(SEATS, SEATS.c.table_id == TABLES.c.table_id)
    counted: Mapping[str, tuple[Any, Column[Any], Any]] = {
        "tables": (TABLES, TABLES.c.created, func.count()),
        "games": (FINISHED, FINISHED.c.ended, func.count()),
        "people": (people, TABLES.c.created, func.count(SEATS.c.identity.distinct())),
        "accounts": (ACCOUNTS, ACCOUNTS.c.created, func.count()),
    }
    found = {}
    with translated():
        async with store.engines.readers.connect() as connection:
            queries = {name: _by_day(store, *of, first) for name, of in counted.items()}
            queries["messages"] = _by_day(store, EVENTS, EVENTS.c.time, func.count(), first).where(SAID)
            for name, query in queries.items():
                found[name] = {int(row.day): int(row.many) for row in await connection.execute(query)}
    return found


def _by_day(store: Store, source: Any, time: Column[Any], count: Any, first: int) -> Select[Any]:
    """Return the query that counts by day. PostgreSQL rounds in a cast, SQLite truncates."""
    days = time / DAY
    day = cast(func.floor(days) if store.shared else days, Integer).label("day")
    return select(day, count.label("many")).select_from(source).where(time >= first * DAY).group_by(day)
