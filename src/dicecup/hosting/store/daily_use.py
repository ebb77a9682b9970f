"""Storage of the daily use of each network, for quotas."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.store.models import DAILY_USE
from dicecup.hosting.store.store import Store


class Use(NamedTuple):
    """The key of a count: a day since 1970 (UTC), what is counted, and a hash of the network."""

    day: int
    quota: str
    network: str


async def add_use(store: Store, day: int, counted: Mapping[Use, int]) -> dict[Use, int]:
    """Add counts to the stored ones and return those of a day, after deleting those of earlier
    days. Raises `StoreError`."""

    def work(connection: Connection) -> dict[Use, int]:
        connection.execute(delete(DAILY_USE).where(DAILY_USE.c.day < day))
        if counted:
            new = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(DAILY_USE)
            added = new.on_conflict_do_update(
                index_elements=list(DAILY_USE.primary_key), set_={"used": DAILY_USE.c.used + new.excluded.used}
            )
            # in the order of the keys, so that two workers never deadlock
            connection.execute(added, [{**use._asdict(), "used": used} for use, used in sorted(counted.items())])
        rows = connection.execute(select(DAILY_USE).where(DAILY_USE.c.day == day))
        return {Use(row.day, row.quota, row.network): row.used for row in rows}

    return await store.writer.work(work)
