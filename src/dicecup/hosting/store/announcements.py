"""Messages of the host to everybody."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import Connection, insert, select, update

from dicecup.hosting.store.audit import UNCHANGED, AuditEntry, note
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import ANNOUNCEMENTS
from dicecup.hosting.store.store import Store

MOST_LISTED: Final = 20
"""Announcements in a list, the newest."""


class Announcement(NamedTuple):
    """A message that is shown from `since` to `until`, in seconds since 1970, with a text for one
    language or several."""

    number: int
    since: float
    until: float
    texts: Mapping[str, str]


async def save_announcement(store: Store, until: float, texts: Mapping[str, str], entry: AuditEntry) -> None:
    """Show a message from now on, in place of the one before. Raises `StoreError`."""
    row = {"since": entry.time, "until": until, "texts": json.dumps(texts, ensure_ascii=False)}

    def work(connection: Connection) -> None:
        _end(connection, entry.time)
        connection.execute(insert(ANNOUNCEMENTS), row)
        note(connection, entry)

    await store.writer.work(work)


async def end_announcement(store: Store, entry: AuditEntry) -> bool:
    """Withdraw the message that is shown now, and return whether there was one. Raises
    `StoreError`."""

    def work(connection: Connection) -> bool:
        had = _end(connection, entry.time)
        note(connection, entry if had else entry._replace(outcome=UNCHANGED))
        return had

    return await store.writer.work(work)


async def announcements_of(store: Store) -> list[Announcement]:
    """Return the newest messages, the newest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = await connection.execute(_ANNOUNCEMENTS)
            return [Announcement(row.number, row.since, row.until, json.loads(row.texts)) for row in rows]


def _end(connection: Connection, now: float) -> bool:
    return connection.execute(update(ANNOUNCEMENTS).where(ANNOUNCEMENTS.c.until > now).values(until=now)).rowcount > 0


_ANNOUNCEMENTS: Final = select(ANNOUNCEMENTS).order_by(ANNOUNCEMENTS.c.number.desc()).limit(MOST_LISTED)
