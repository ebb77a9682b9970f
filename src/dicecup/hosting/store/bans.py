"""People who may not use the server."""

from typing import Final, NamedTuple

from sqlalchemy import select

from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.audited_rows import delete_row, save_row
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import BANS
from dicecup.hosting.store.store import Store


class Ban(NamedTuple):
    """A person who is banned from `since` to `until`, in seconds since 1970, for a reason that the
    person reads."""

    identity: str
    since: float
    until: float
    reason: str


async def save_ban(store: Store, ban: Ban, entry: AuditEntry) -> None:
    """Ban a person, or change the end and the reason of the ban. Raises `StoreError`."""
    await save_row(store, BANS, ban._asdict(), entry, unchanged=("since",))


async def delete_ban(store: Store, identity: str, entry: AuditEntry) -> bool:
    """End the ban of a person, and return whether there was one. Raises `StoreError`."""
    return await delete_row(store, BANS, BANS.c.identity == identity, entry)


async def bans_of(store: Store) -> list[Ban]:
    """Return all bans, also those that have ended, the newest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [Ban(*row) for row in await connection.execute(_BANS)]


_BANS: Final = select(*(BANS.c[name] for name in Ban._fields)).order_by(BANS.c.since.desc(), BANS.c.identity)
