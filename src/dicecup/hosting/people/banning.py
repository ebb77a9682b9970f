"""Banning people, and lifting bans, for administrators."""

from dicecup.hosting.ban_list import checked_ban
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.search import person_of
from dicecup.hosting.store import Store, bans
from dicecup.hosting.store.admins import is_admin
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.bans import Ban


async def ban(store: Store, person: str, until: float, reason: str, entry: AuditEntry) -> None:
    """Ban a person by identity or handle, or change the ban.

    Raises `HostingError` (`no-such-person`, `is-admin`, `not-a-time`, `not-a-reason`) and
    `StoreError`.
    """
    identity = await person_of(store, person)
    if await is_admin(store, identity):
        raise HostingError(HostingCode.IS_ADMIN, text=person)
    await bans.save_ban(store, checked_ban(Ban(identity, entry.time, until, reason)), entry)


async def lift(store: Store, person: str, entry: AuditEntry) -> bool:
    """End the ban of a person, and return whether there was one. Raises `HostingError`
    (`no-such-person`) and `StoreError`."""
    return await bans.delete_ban(store, await person_of(store, person), entry)
