"""How many mails the server may send in an hour: in all, and to one address.

The counts are in the database, for all workers together.
"""

import hashlib
from typing import Final, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.people.deliveries import HOUR
from dicecup.hosting.store import Store
from dicecup.hosting.store.models import MAIL_USE

ALL: Final = ""
"""The address of the count of all mails."""


class MailLimits(NamedTuple):
    """Mails an hour in all and to one address."""

    in_all: int = 200
    to_address: int = 10


async def take(store: Store, limits: MailLimits, address: str, now: float) -> bool:
    """Count a mail to an address in this hour, unless that would exceed a limit. Return whether it
    was counted. Raises `StoreError`."""
    hour, hashed = int(now // HOUR), hashlib.sha256(address.lower().encode()).hexdigest()[:32]

    def work(connection: Connection) -> bool:
        return _count(connection, hour, hashed) <= limits.to_address and _count(connection, hour, ALL) <= limits.in_all

    return await store.writer.work(work)


def _count(connection: Connection, hour: int, address: str) -> int:
    """Count a mail and return the new count, which also counts mails that were refused."""
    new = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(MAIL_USE)
    counted = new.values(hour=hour, address=address, used=1).on_conflict_do_update(
        index_elements=list(MAIL_USE.primary_key), set_={"used": MAIL_USE.c.used + 1}
    )
    return int(connection.execute(counted.returning(MAIL_USE.c.used)).scalar_one())


def next_hour(now: float) -> float:
    """Return the time at which the next hour of the counts begins."""
    return float((now // HOUR + 1) * HOUR)
