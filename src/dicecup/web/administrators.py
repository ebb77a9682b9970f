"""Who may look after the server in the browser, and the audit log of what they do."""

from collections.abc import Awaitable, Callable
from time import time
from typing import Annotated, TypeVar

from fastapi import Depends, HTTPException

from dicecup.hosting.recorded import recorded
from dicecup.hosting.store.admins import is_admin
from dicecup.hosting.store.audit import LONGEST_SUBJECT, AuditEntry
from dicecup.sentences import on_own_lines
from dicecup.web.context import AppContext
from dicecup.web.requests import Context, KnownIdentity

Answer = TypeVar("Answer")


async def administrator(context: Context, identity: KnownIdentity) -> str:
    """Return the identity of an administrator. To everybody else there is no such page."""
    if identity is None or not await is_admin(context.tables.store, identity):
        raise HTTPException(404)
    return identity


Admin = Annotated[str, Depends(administrator)]


async def audited(
    context: AppContext, admin: str, command: str, about: str, work: Callable[[AuditEntry], Awaitable[Answer]]
) -> Answer:
    """Return the result of `work` for an entry of the audit log; see `recorded`."""
    entry = AuditEntry(time(), command, on_own_lines(about, LONGEST_SUBJECT), admin)
    return await recorded(context.tables.store, entry, work)
