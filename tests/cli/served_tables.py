"""The folder of a server with two tables, and what an administrator's commands print about it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from dicecup.cli import main
from dicecup.hosting.settings import Settings, database
from dicecup.hosting.store import Store
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, play, two


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty data folder of a server. The other server's folder is `there`."""
    for name in ("DICECUP_DATABASE_URL", "DICECUP_HOST_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DICECUP_DATA", str(tmp_path / "here"))
    monkeypatch.setenv("LANG", "C")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tables() -> list[str]:
    """Return the ids of a running and of an open table."""

    async def make() -> list[str]:
        """Return the id of a new table."""
        host = await TableHost.open(Settings.read())
        running = await host.create("anna", alone(), name="Anna")
        await play(host, running.table, ["anna"], 9)
        waiting = await host.create("anna", two(), name="Zoë")
        await host.close()
        return [running.table, waiting.table]

    return asyncio.run(make())


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, object]]:
    """Return the JSON objects that `admin list` prints."""
    capsys.readouterr()
    assert main(["admin", "list", "--json", *arguments]) == 0
    return {entry["table"]: entry for entry in map(json.loads, capsys.readouterr().out.splitlines())}


def exported(capsys: pytest.CaptureFixture[str], table: str) -> str:
    """Return the lines of an export."""
    assert main(["export", "--table", table]) == 0
    return capsys.readouterr().out


async def with_store(work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Return the result of `work` on the server's database."""
    store = await Store.open(database())
    try:
        return await work(store)
    finally:
        await store.close()


def audit(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the entries of the audit log."""
    capsys.readouterr()
    assert main(["admin", "audit", "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
