"""Rows of tables that administrators change, each with its entry of the audit log."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete

from dicecup.hosting.store.audit import UNCHANGED, AuditEntry, note
from dicecup.hosting.store.statements import upsert
from dicecup.hosting.store.store import Store


async def save_row(store: Store, table: Table, row: dict[str, Any], entry: AuditEntry, unchanged: tuple[str, ...] = ()) -> None:
    """Insert a row, or change the one with its key but for the columns `unchanged`. Raises
    `StoreError`."""

    def work(connection: Connection) -> None:
        connection.execute(upsert(table, connection.dialect.name, unchanged=unchanged), row)
        note(connection, entry)

    await store.writer.work(work)


async def delete_row(store: Store, table: Table, which: ColumnElement[bool], entry: AuditEntry) -> bool:
    """Delete a row, and return whether there was one. Without one the entry says `unchanged`.
    Raises `StoreError`."""

    def work(connection: Connection) -> bool:
        was_there = connection.execute(delete(table).where(which)).rowcount > 0
        note(connection, entry if was_there else entry._replace(outcome=UNCHANGED))
        return was_there

    return await store.writer.work(work)
