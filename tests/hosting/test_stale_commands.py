"""A command with an old version number is refused without work for the thread of SQLite."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.store.sqlite_writer import SqliteWriter
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Throw
from tests.hosting.guests import alone, play, settings


class Steps:
    """Counts the steps of the threads of SQLite."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self._replace(monkeypatch, aiosqlite.Connection, "_execute")
        self._replace(monkeypatch, SqliteWriter, "begin")

    def _replace(self, monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> None:
        method = getattr(kind, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            self.count += 1
            return method(*arguments, **named)

        monkeypatch.setattr(kind, name, counted)


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[TableHost]:
    """Return a server whose time stands still: no clock and no heartbeat needs the database."""
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"), ServerClock(lambda: 1e9, lambda: 0.0))
    await opened.tasks.cancel_repeated()
    yield opened
    await opened.close()


async def test_a_stale_command_is_refused_without_the_database(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 6)
    steps = Steps(monkeypatch)
    for number in range(20):
        with pytest.raises(HostingError) as refused:
            await host.send(made.table, "anna", Throw(), version=number % 4, command_id=f"stale {number}")
        assert refused.value.code is HostingCode.STALE_VERSION
    assert steps.count == 0
    with pytest.raises(HostingError):
        await host.look("0" * 20, None)
    assert steps.count > 0  # reading is counted


async def test_a_saved_command_gets_its_number_again_also_after_an_eviction(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 2)
    seen = await host.look(made.table, "anna")
    saved = await host.send(made.table, "anna", Throw(), version=seen.number, command_id="t")
    await play(host, made.table, ["anna"], 2)
    for evicted in (False, True):
        if evicted:
            host.cache.tables.clear()
        assert await host.send(made.table, "anna", Throw(), version=seen.number, command_id="t") == saved
        with pytest.raises(HostingError):
            await host.send(made.table, "ben", Throw(), version=seen.number, command_id="t")
