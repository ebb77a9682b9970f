"""Timelines: whether the database went back to an earlier time, and what to do then.

A database that is restored from a backup does not know the last events, whose dice were seen. So
the database counts marks, and each server keeps the newest mark in a file of its data folder too.
If the file is ahead of the database, the database was restored: every unfinished table begins a new
commitment, and the database a new timeline, of which no file knows anything.
"""

import asyncio
import json
import logging
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from dicecup.hosting.administration import change_saved
from dicecup.hosting.competition.events import uncount_unfinished
from dicecup.hosting.dice_secrets import with_new_commitment
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.outages import LastServed, last_served
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import PRIVATE
from dicecup.hosting.store.locks import timeline_lock
from dicecup.hosting.store.models import FACTS
from dicecup.hosting.store.sqlite_files import sync_folder
from dicecup.hosting.store.statements import insert_if_missing, upsert
from dicecup.table.errors import TableError

LOG: Final = logging.getLogger(__name__)

FACT: Final = "timeline"
"""Name of the timeline among the facts of the database."""
FILE: Final = "timeline.json"
"""The file in the data folder: the newest mark by timeline."""
KEPT: Final = 16
"""Timelines in the file. The oldest are forgotten."""
RENEWING: Final = -1
"""Number of the mark while the tables are renewed. It is behind every other mark, so that servers
notice a renewal that was interrupted."""
AT_ONCE: Final = 32
"""Tables that begin a new commitment at the same time, so that they share commits."""


class Mark(NamedTuple):
    """The id of a timeline, and how many marks were made in it."""

    timeline: str
    number: int


class Timeline:
    """The timeline of a server's database, with its file. Without a folder nothing is marked."""

    def __init__(self, store: Store, folder: Path | None) -> None:
        self._store = store
        self._file = None if folder is None else folder / FILE
        self._marked = store.appends
        self.newest: Mark | None = None
        """The newest mark that this process knows."""
        self._earlier: set[str] = set()

    async def read(self) -> Mark | None:
        """Return the newest mark in the database and remember it. `None` if the database has no
        timeline. Raises `StoreError`."""
        mark = await newest_mark(self._store)
        if self.newest is not None and (mark is None or self.newest.timeline != mark.timeline):
            self._earlier.add(self.newest.timeline)
        self.newest = mark
        return mark

    async def is_earlier(self, timeline: str) -> bool:
        """Return whether this process or its file knew a timeline before the newest one began."""
        return timeline in self._earlier or (self._file is not None and timeline in await asyncio.to_thread(_read, self._file))

    async def went_back(self) -> bool:
        """Return whether the file is ahead of the database, or a renewal of its tables was
        interrupted. Raises `StoreError`."""
        now = await newest_mark(self._store)
        if now is None or now.number == RENEWING:
            return now is not None
        return self._file is not None and (await asyncio.to_thread(_read, self._file)).get(now.timeline, 0) > now.number

    async def advance(self) -> None:
        """Make a mark in the database and then in the file, if events were saved since the last
        one. Raises `StoreError`. An unwritable file is logged.
        """
        if self._file is None or self._marked == self._store.appends:
            return
        marked = self._store.appends
        mark = await self._store.writer.work(_save_next_mark)
        if mark is None:
            return
        self._marked, self.newest = marked, mark
        try:
            await asyncio.to_thread(_write, self._file, mark)
        except OSError as error:
            LOG.warning("%s cannot be written, so a restored backup is not noticed by it: %s", self._file, error.strerror)


async def begin_timeline_if_restored(store: Store, settings: Settings, now: float) -> None:
    """Begin a new timeline if the mark in the data folder is ahead of the database, or if this was
    begun and interrupted. Raises `StoreError`."""
    async with timeline_lock(store):
        if await Timeline(store, settings.folder).went_back():
            count = await begin_timeline(store, settings.host_key, await last_served(store, now))
            LOG.warning("the database went back to an earlier time: %d tables begin a new commitment", count)


async def begin_first_timeline(store: Store) -> None:
    """Begin a timeline if the database has none. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        connection.execute(insert_if_missing(FACTS, connection.dialect.name), _row(Mark(token_hex(16), 0)))

    await store.writer.work(work)


async def begin_timeline(store: Store, host_key: bytes, served: LastServed) -> int:
    """Begin a new timeline: every unfinished table with dice of the server begins a new commitment.

    The caller holds `timeline_lock`, unless no other program uses the database. Returns the number
    of these tables. If it is interrupted, the timeline has not begun, and a worker that compares
    or starts changes all tables again. Raises `StoreError`.
    """
    await store.writer.work(_save_renewing)
    tables = [digest.table for state in ("open", "running") for digest in await store.tables(state)]
    count = 0
    for start in range(0, len(tables), AT_ONCE):
        batch = [_renew(store, host_key, table, served) for table in tables[start : start + AT_ONCE]]
        answers = await asyncio.gather(*batch, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
            count += answer
    await store.writer.work(uncount_unfinished)
    await store.writer.work(partial(_save, Mark(token_hex(16), 0)))
    return count


async def _renew(store: Store, host_key: bytes, table: str, served: LastServed) -> bool:
    """Begin a new commitment at a table and return whether it has one. Raises `StoreError`."""
    try:
        return await change_saved(store, host_key, table, partial(with_new_commitment, host_key), served)
    except HostingError as error:
        if error.code is not HostingCode.NO_SUCH_TABLE:  # deleted meanwhile
            raise
    except TableError as error:  # damaged events: nobody can go on at this table
        LOG.error("table %s cannot be read: %s", table, error)  # noqa: TRY400 the code says what is wrong
    return False


async def newest_mark(store: Store) -> Mark | None:
    """Return the newest mark in the database, `None` if it has no timeline. Raises `StoreError`."""
    value = await store.fact(FACT)
    return None if value is None else _mark_of(value)


def _mark_of(value: str) -> Mark:
    timeline, _, number = value.partition(" ")
    return Mark(timeline, int(number))


def _row(mark: Mark) -> dict[str, str]:
    return {"name": FACT, "value": f"{mark.timeline} {mark.number}"}


def _save_next_mark(connection: Connection) -> Mark | None:
    """Save the next mark of the timeline and return it. `None` if there is no timeline, or if its
    tables are renewed."""
    before = _mark_to_change(connection)
    return None if before is None or before.number == RENEWING else _save(before._replace(number=before.number + 1), connection)


def _save_renewing(connection: Connection) -> None:
    """Note that a renewal of the tables begins, if the database has a timeline."""
    before = _mark_to_change(connection)
    if before is not None:
        _save(before._replace(number=RENEWING), connection)


def _mark_to_change(connection: Connection) -> Mark | None:
    """Return the newest mark under a lock, so that one worker at a time makes a mark."""
    value = connection.execute(_LOCKED).scalar_one_or_none()
    return None if value is None else _mark_of(value)


def _save(mark: Mark, connection: Connection) -> Mark:
    connection.execute(upsert(FACTS, connection.dialect.name), _row(mark))
    return mark


_LOCKED: Final = select(FACTS.c.value).where(FACTS.c.name == FACT).with_for_update()


def _read(file: Path) -> dict[str, int]:
    """Return the marks of a file, none for a file that is missing or that no server wrote."""
    with suppress(OSError, ValueError):
        marks = json.loads(file.read_text("utf-8"))
        if isinstance(marks, dict) and all(isinstance(number, int) for number in marks.values()):
            return marks
    return {}


def _write(file: Path, mark: Mark) -> None:
    """Add a mark to a file, which is replaced as a whole. Raises `OSError`."""
    marks = _read(file)
    number = max(mark.number, marks.pop(mark.timeline, 0))
    newest = dict([*marks.items(), (mark.timeline, number)][-KEPT:])
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    scratch = file.with_name(f".{file.name}.{token_hex(8)}")
    try:
        scratch.touch(PRIVATE, exist_ok=False)
        scratch.write_text(json.dumps(newest), "utf-8")
        scratch.replace(file)
    finally:
        scratch.unlink(missing_ok=True)
    sync_folder(file.parent)
