"""The audit log: what the administrators of a server did, each with the change itself in one
transaction."""

from typing import Final, NamedTuple

from sqlalchemy import Connection, insert, select

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import AUDIT
from dicecup.hosting.store.rows import Append
from dicecup.hosting.store.statements import append_statements
from dicecup.hosting.store.store import Store

DONE: Final = "done"
UNCHANGED: Final = "unchanged"
LONGEST_SUBJECT: Final = 1000
"""Characters of a line. A message to everybody, a note and a reason are shorter, so the log has
them whole."""


class AuditEntry(NamedTuple):
    """A command of an administrator, without secrets.

    - `time`: seconds since 1970.
    - `command`: the name of the command, such as `close`.
    - `subject`: the table, the table and the seat, the file, the network or the person that it was
      for. Lines after the first one hold a message to everybody.
    - `operator`: the user of the operating system, or the identity of the administrator in the
      browser.
    - `outcome`: `done`, `unchanged`, or the code of the refusal.
    """

    time: float
    command: str
    subject: str
    operator: str
    outcome: str = DONE


def note(connection: Connection, entry: AuditEntry | None) -> None:
    """Add an entry in the transaction of a connection, if there is one."""
    if entry is not None:
        connection.execute(insert(AUDIT), entry._asdict())


async def save_entry(store: Store, entry: AuditEntry) -> None:
    """Save an entry of a command that changed nothing in the database. Raises `StoreError`."""
    await store.writer.work(lambda connection: note(connection, entry))


async def append_noted(store: Store, entry: AuditEntry | None, *appends: Append) -> None:
    """Write all appends and the entry, or nothing. Raises as `Store.append`."""
    if entry is None:
        await store.append(*appends)  # shares the commit of others
        return

    def work(connection: Connection) -> None:
        for statement in append_statements(appends, store.engines.dialect):
            connection.exec_driver_sql(*statement)
        note(connection, entry)

    await store.writer.work(work)


async def entries_of(store: Store) -> list[AuditEntry]:
    """Return all entries, the oldest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [AuditEntry(*row) for row in await connection.execute(_ENTRIES)]


async def newest_entries(store: Store, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
    """Return the newest entries with their numbers, the newest first, or those before a number.
    Raises `StoreError`."""
    query = select(AUDIT.c.number, *_FIELDS).order_by(AUDIT.c.number.desc()).limit(limit)
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = await connection.execute(query if before is None else query.where(AUDIT.c.number < before))
            return [(number, AuditEntry(*fields)) for number, *fields in rows]


_FIELDS: Final = tuple(AUDIT.c[name] for name in AuditEntry._fields)
_ENTRIES: Final = select(*_FIELDS).order_by(AUDIT.c.number)
