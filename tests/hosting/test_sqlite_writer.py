"""SQLite's writer: the event loop commits small transactions without waiting for a lock, and nobody
sees them before they are on disk."""

import asyncio
import errno
import os
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from dicecup.hosting.refreshed import Refreshed
from dicecup.hosting.store import Append, AppendConflict, Store, engines, sqlite_writer
from dicecup.hosting.store.engines import sqlite_url
from dicecup.hosting.store.sqlite_writer import MOST_VALUES, THREAD_EVERY
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from tests.hosting.test_store import digest, rows

PAGE = 4096
EVENT_LOOP = threading.main_thread()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """Return a store on SQLite in `tables.sqlite` of `tmp_path`."""
    opened = await Store.open(sqlite_url(tmp_path / "tables.sqlite"))
    yield opened
    await opened.close()


@pytest.fixture
def written_by(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Return a list to which the thread of each transaction of statements is added."""
    threads = []
    run: Callable[..., None] = sqlite_writer._run_statements

    def noted(*arguments: object) -> None:
        threads.append(threading.current_thread())
        run(*arguments)

    monkeypatch.setattr(sqlite_writer, "_run_statements", noted)
    return threads


async def test_the_event_loop_writes_what_is_small(store: Store, written_by: list[threading.Thread]) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t")))
    await store.append(Append(rows("u", 1, MOST_VALUES)))
    await store.append(Append(rows("v", 1, 5), digest("v")))
    assert [thread is EVENT_LOOP for thread in written_by] == [True, False, True]
    assert await store.newest("tuv") == {"t": 1, "u": MOST_VALUES, "v": 5}


async def test_a_refused_write_of_the_event_loop_leaves_nothing(store: Store, written_by: list[threading.Thread]) -> None:
    await store.append(Append(rows("t", 1, 1)))
    with pytest.raises(AppendConflict):
        await store.append(Append(rows("new", 1, 1)), Append(rows("t", 1, 1)))
    assert [thread is EVENT_LOOP for thread in written_by] == [True, True, False]  # the thread tells why
    assert await store.events("new") == []
    await store.append(Append(rows("t", 2, 1)))
    assert await store.newest(["t"]) == {"t": 2}


async def test_the_event_loop_waits_for_no_lock(store: Store, tmp_path: Path, written_by: list[threading.Thread]) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        append = store.append(Append(rows("t", 1, 1)))
        assert not append.done()
        other.execute("COMMIT")
    await append
    assert [thread is EVENT_LOOP for thread in written_by] == [True, False]
    assert await store.newest(["t"]) == {"t": 1}


async def test_nobody_reads_what_is_not_on_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(log: int) -> None:
        started.set()
        assert go_on.wait(60)
        os.fdatasync(log)

    monkeypatch.setattr(sqlite_writer, "_sync_data", slow)
    append = store.append(Append(rows("t", 1, 1)))
    reading = asyncio.create_task(store.events("t"))
    cancelled = asyncio.create_task(store.events("t"))
    await asyncio.to_thread(started.wait)
    assert _committed(store) == [(1,)]
    await asyncio.wait([reading, cancelled], timeout=0.2)  # longer than a reader takes to answer
    assert not append.done()
    assert not reading.done()
    cancelled.cancel()
    await asyncio.sleep(0)
    go_on.set()
    await append
    assert [row.number for row in await reading] == [1]
    with pytest.raises(asyncio.CancelledError):
        await cancelled


def _committed(store: Store) -> list[tuple[int]]:
    """Return the numbers of the events that another process can read."""
    with closing(sqlite3.connect(Path(str(store.faults.name)))) as other:
        return other.execute("SELECT number FROM events").fetchall()


async def test_what_cannot_be_synced_is_copied_into_the_file(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writer, "_sync_data", fail)
    await store.append(Append(rows("t", 1, 1)))
    shutil.copy(tmp_path / "tables.sqlite", tmp_path / "without-log.sqlite")
    with closing(sqlite3.connect(tmp_path / "without-log.sqlite")) as copied:
        assert copied.execute("SELECT table_id, number FROM events").fetchall() == [("t", 1)]


async def test_the_outcome_of_a_write_that_cannot_reach_the_disk_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "LOCK_TIMEOUT", 0.01)
    store = await Store.open(sqlite_url(tmp_path / "tables.sqlite"))
    reported: list[StoreError | None] = []
    store.faults.report = reported.append
    await store.append(Append(rows("t", 1, 1)))
    with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM events").fetchall()  # keeps the log from being copied
        with monkeypatch.context() as patched:
            patched.setattr(sqlite_writer, "_sync_data", fail)
            with pytest.raises(StoreError) as refused:
                await store.append(Append(rows("t", 2, 1)))
    assert refused.value.code is StoreCode.DOWN
    assert refused.value.details["why"] == f"[Errno {errno.EIO}] {os.strerror(errno.EIO)}"
    await store.append(Append(rows("u", 1, 1)))
    assert [error and error.code for error in reported] == [StoreCode.DOWN, None]
    await store.close()


def fail(_log: int) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


async def test_the_log_does_not_grow_for_ever(store: Store, tmp_path: Path, written_by: list[threading.Thread]) -> None:
    log = tmp_path / "tables.sqlite-wal"
    for number in range(1, 6 * THREAD_EVERY):
        await store.append(Append(rows("t", number, 1), digest("t", summary="x" * 2 * PAGE)))
    written = [thread is EVENT_LOOP for thread in written_by]
    assert written.count(False) == 5
    assert log.stat().st_size < (1000 + 8 * THREAD_EVERY) * PAGE


async def test_a_list_is_read_when_something_else_than_an_append_was_written(store: Store, tmp_path: Path) -> None:
    readings = 0

    async def read(_store: Store) -> list[int]:
        nonlocal readings
        readings += 1
        return []

    async def read_again() -> bool:
        before = readings
        await store.engines.writer.synced()  # type: ignore[union-attr]
        await listed.refresh()
        return readings > before

    listed = Refreshed(store, read)
    assert await read_again()
    assert not await read_again()
    await store.append(Append(rows("t", 1, 1), digest("t")))
    assert not await read_again()
    await store.delete("t")
    assert await read_again()
    assert not await read_again()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as other, other:
        other.execute("INSERT INTO presence (table_id, identity, seen) VALUES ('t', 'anna', 1)")
    assert await read_again()
    assert not await read_again()
    append = store.append(Append(rows("t", 1, 1), digest("t")))
    await listed.refresh()
    assert readings == 4  # the writer is at work: whether anything else was written is unknown
    await append
