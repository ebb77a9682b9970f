"""Actions of administrators that are written into the audit log, also when they are refused."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from dicecup.core.errors import DicecupError
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import AuditEntry, save_entry

Answer = TypeVar("Answer")


async def recorded(store: Store, entry: AuditEntry, work: Callable[[AuditEntry], Awaitable[Answer]]) -> Answer:
    """Return the result of `work`, which saves the entry that it gets.

    An entry with the code of the refusal is saved if `work` raises `DicecupError`, which is raised
    again.
    """
    try:
        return await work(entry)
    except DicecupError as error:
        with suppress(DicecupError):
            await save_entry(store, entry._replace(outcome=str(error.code)))
        raise
