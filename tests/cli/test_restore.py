"""`dicecup admin restore` and `restored`, on databases in a folder and on PostgreSQL."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.hosting.settings import Settings, database
from dicecup.hosting.table_host import TableHost
from dicecup.web.single_server import locked
from tests.cli.served_tables import exported, here, listed, tables
from tests.hosting.conftest import postgres
from tests.hosting.guests import alone, play, play_alone
from tests.postgres import Postgres

__all__ = ["here", "postgres", "tables"]


def play_on(table: str) -> None:
    """Play at a table of the server's database and create another one."""

    async def run() -> None:
        host = await TableHost.open(Settings.read())
        await play(host, table, ["anna"], 9)
        await host.create("anna", alone(), name="Anna")
        await host.close()

    asyncio.run(run())


def events(capsys: pytest.CaptureFixture[str], table: str) -> list[dict[str, object]]:
    capsys.readouterr()
    return [row["event"] for row in json.loads(exported(capsys, table))["events"]]


def test_a_backup_takes_the_place_of_the_database(tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "backup", "copy.sqlite"]) == 0
    before = events(capsys, tables[0])
    play_on(tables[0])
    lost = events(capsys, tables[0])
    capsys.readouterr()
    assert main(["admin", "restore", "copy.sqlite"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Restored. Tables: 2. Of these, 2 begin a new commitment")
    assert [path.name for path in here.glob("copy*")] == ["copy.sqlite"]
    (kept,) = (here / "here").glob("tables.sqlite.replaced-*Z")
    assert str(kept) in shown
    assert set(listed(capsys)) == set(tables)
    after = events(capsys, tables[0])
    assert after[: len(before)] == before
    assert [event["type"] for event in after[len(before) :]] == ["commitment-ended", "commitment-begun"]
    assert main(["export", "--database", f"sqlite:///{kept}", "--table", tables[0]]) == 0
    assert [row["event"] for row in json.loads(capsys.readouterr().out)["events"]] == lost
    play_on(tables[0])  # neither the key nor the mark of the server is in the way
    assert [event["type"] for event in events(capsys, tables[0])].count("commitment-begun") == 1
    assert main(["admin", "audit"]) == 0
    assert "restore  copy.sqlite  done" in capsys.readouterr().out
    names = {path.name for path in (here / "here").iterdir() if not path.name.startswith(kept.name)}
    assert names <= {"host.key", "timeline.json", *(f"tables.sqlite{end}" for end in ("", "-wal", "-shm", ".lock"))}


def test_a_lost_database_comes_back_with_its_key(
    tables: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", "backup", "copy.sqlite"]) == 0
    (here / "new").mkdir()
    shutil.copy(here / "here" / "host.key", here / "new")
    monkeypatch.setenv("DICECUP_DATA", str(here / "new"))
    assert main(["admin", "restore", "copy.sqlite", "--lang", "fr"]) == 0
    assert "conservée" not in capsys.readouterr().out
    assert set(listed(capsys)) == set(tables)
    assert (here / "new" / "tables.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("fault", ["damaged", "missing", "folder", "other key", "lost key", "server"])
def test_a_backup_that_cannot_be_used_changes_nothing(
    tables: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    assert main(["admin", "backup", "copy.sqlite"]) == 0
    before = listed(capsys)
    content = (here / "here" / "tables.sqlite").read_bytes()
    names = {path.name for path in (here / "here").iterdir()}
    code = {"damaged": "backup-damaged", "other key": "other-host-key", "lost key": "host-key-lost", "server": "data-in-use"}
    match fault:
        case "damaged":
            with closing(sqlite3.connect("copy.sqlite")) as damaged, damaged:
                damaged.execute("UPDATE events SET body = '{}' WHERE number = 3")
        case "missing":
            (here / "copy.sqlite").unlink()
        case "folder":
            (here / "copy.sqlite").unlink()
            (here / "copy.sqlite").mkdir()
        case "other key":
            monkeypatch.setenv("DICECUP_HOST_KEY", "00" * 32)
        case "lost key":
            (here / "here" / "host.key").rename(here / "host.key")
            names.remove("host.key")
    if fault == "server":
        with locked(database()):
            assert main(["admin", "restore", "copy.sqlite"]) == 1
        names.add("tables.sqlite.lock")
    else:
        assert main(["admin", "restore", "copy.sqlite"]) == 1
    assert capsys.readouterr().err.startswith(f"dicecup: {code.get(fault, 'cannot-read')}: ")
    assert (here / "here" / "tables.sqlite").read_bytes() == content
    assert {path.name for path in (here / "here").iterdir()} - {"tables.sqlite.lock"} == names - {"tables.sqlite.lock"}
    monkeypatch.delenv("DICECUP_HOST_KEY", raising=False)
    assert listed(capsys) == before
    assert len(tables) == 2


@pytest.mark.slow
def test_restored_begins_new_commitments_on_postgresql(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DICECUP_DATABASE_URL", postgres.the_database())

    table = asyncio.run(play_alone(5))
    for count in (1, 2):
        assert main(["admin", "restored"]) == 0
        assert "no dice that were seen fall again: 1" in capsys.readouterr().out
        assert [event["type"] for event in events(capsys, table)].count("commitment-begun") == count
    assert main(["admin", "restore", "copy.dump"]) == 2
    assert "pg_restore" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["restore"], ["restore", "a", "b"], ["restored", "x"]])
def test_an_invalid_command_line_ends_with_2(arguments: list[str]) -> None:
    assert main(["admin", *arguments]) == 2
