"""The people who may use the administration page."""

from typing import Final

from sqlalchemy import Connection, bindparam, delete, select

from dicecup.hosting.store.audit import UNCHANGED, AuditEntry, note
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import ADMINS
from dicecup.hosting.store.statements import insert_if_missing
from dicecup.hosting.store.store import Store


async def grant(store: Store, identity: str, entry: AuditEntry) -> bool:
    """Make an identity an administrator, and return whether it was none. Raises `StoreError`."""

    def work(connection: Connection) -> bool:
        row = {"identity": identity, "since": entry.time}
        is_new = connection.execute(insert_if_missing(ADMINS, connection.dialect.name), row).rowcount > 0
        note(connection, entry if is_new else entry._replace(outcome=UNCHANGED))
        return is_new

    return await store.writer.work(work)


async def revoke(store: Store, identity: str, entry: AuditEntry) -> bool:
    """Take the role from an identity, and return whether it was an administrator. Raises
    `StoreError`."""

    def work(connection: Connection) -> bool:
        had = connection.execute(delete(ADMINS).where(ADMINS.c.identity == identity)).rowcount > 0
        note(connection, entry if had else entry._replace(outcome=UNCHANGED))
        return had

    return await store.writer.work(work)


async def admins_of(store: Store) -> list[tuple[str, float]]:
    """Return the administrators, each with the time of the grant, the earliest first. Raises
    `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [(row.identity, row.since) for row in await connection.execute(_ADMINS)]


async def is_admin(store: Store, identity: str) -> bool:
    """Return whether an identity is an administrator. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return (await connection.execute(_ADMIN, {"identity": identity})).first() is not None


_ADMINS: Final = select(ADMINS.c.identity, ADMINS.c.since).order_by(ADMINS.c.since, ADMINS.c.identity)
_ADMIN: Final = select(ADMINS.c.identity).where(ADMINS.c.identity == bindparam("identity"))
