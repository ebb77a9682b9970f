"""`dicecup export`, `import` and `admin`, on databases in a folder."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from time import time
from typing import Any

import pytest

from dicecup.cli import main
from dicecup.hosting.settings import Settings, database
from dicecup.hosting.store import Store
from dicecup.hosting.store.identities import issue_token, redeem
from dicecup.hosting.store.tokens import tokens_of
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


def test_tables_are_listed(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(capsys)
    assert [found[table]["state"] for table in tables] == ["running", "open"]
    assert list(listed(capsys, "--state", "open")) == tables[1:]
    assert main(["admin", "list", "--lang", "de"]) == 0
    shown = capsys.readouterr().out
    assert "läuft" in shown
    assert "Zoë, (frei)" in shown


def test_tables_move_to_another_server(
    tables: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "all.jsonl"]) == 0
    before = listed(capsys)
    monkeypatch.setenv("DICECUP_DATA", str(here / "there"))
    assert main(["import", "all.jsonl"]) == 0
    assert capsys.readouterr().out == "Tables new: 2, continued: 0, already here: 0, refused: 0\n"
    assert listed(capsys) == before
    assert (here / "here" / "host.key").read_text() != (here / "there" / "host.key").read_text()
    assert "commitment-begun" in exported(capsys, tables[0])


@pytest.mark.usefixtures("tables")
def test_tokens_move_with_their_tables(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(with_store(lambda store: issue_token(store, "anna")))
    assert main(["export", "all.jsonl"]) == 0
    monkeypatch.setenv("DICECUP_DATA", str(here / "there"))
    capsys.readouterr()
    output = "Tables new: {}, continued: 0, already here: {}, refused: 0\n"
    assert main(["import", "all.jsonl"]) == 0
    assert capsys.readouterr().out == "New access tokens of programs: 1\n" + output.format(2, 0)
    assert main(["import", "all.jsonl"]) == 0
    assert capsys.readouterr().out == output.format(0, 2)
    assert len(asyncio.run(with_store(lambda store: tokens_of(store, "anna")))) == 1


async def with_store(work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Return the result of `work` on the server's database."""
    store = await Store.open(database())
    try:
        return await work(store)
    finally:
        await store.close()


def test_a_link_returns_a_seat_to_its_person(
    tables: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for given, url in (
        ([], "http://192.0.2.7:8421"),
        (["--public-url", "https://dice.example.org/"], "https://dice.example.org"),
    ):
        monkeypatch.setenv("DICECUP_HOST", "192.0.2.7")
        capsys.readouterr()
        assert main(["admin", "link", tables[0], "1", *given]) == 0
        shown = capsys.readouterr()
        assert shown.out.startswith(f"{url}/transfer#")
        assert "10 minutes" in shown.err
        secret = shown.out.strip().partition("#")[2]
        assert asyncio.run(with_store(partial(redeem, transfer=secret, now=time()))) == "anna"
    assert main(["admin", "link", tables[1], "2"]) == 1
    assert "nobody-sits-there" in capsys.readouterr().err
    assert main(["admin", "link", tables[0], "3"]) == 1
    assert "no-such-seat: There is no seat 3" in capsys.readouterr().err
    for names in ([], [tables[0]], [tables[0], "x"], [tables[0], "1", "2"], [tables[0], "-1"], [tables[0], "1" * 5000]):
        assert main(["admin", "link", *names]) == 2


def exported(capsys: pytest.CaptureFixture[str], table: str) -> str:
    """Return the lines of an export."""
    assert main(["export", "--table", table]) == 0
    return capsys.readouterr().out


def test_import_names_refused_lines_and_reads_the_others(
    tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "all.jsonl"]) == 0
    good = (here / "all.jsonl").read_text(encoding="utf-8").splitlines()
    (here / "some.jsonl").write_text(f"{good[0]}\nnonsense\n{good[1]}\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["import", "some.jsonl", "--database", f"sqlite:///{here / 'new.sqlite'}"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "Tables new: 2, continued: 0, already here: 0, refused: 1\n"
    assert shown.err.startswith("some.jsonl:2: not-an-export: ")
    assert len(tables) == 2


def test_export_keeps_existing_files_and_leaves_no_partial_one(
    tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "there.jsonl").write_text("mine")
    assert main(["export", "there.jsonl"]) == 1
    assert (here / "there.jsonl").read_text() == "mine"
    assert main(["export", "new.jsonl", "--table", tables[0], "--table", "nowhere"]) == 1
    assert not (here / "new.jsonl").exists()
    assert "no-such-table" in capsys.readouterr().err


def test_a_table_is_closed_and_its_secret_published(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "close", *tables]) == 0
    assert [entry["state"] for entry in listed(capsys).values()] == ["over", "over"]
    assert "secret-published" in exported(capsys, tables[0])
    assert main(["admin", "close", tables[0]]) == 0
    assert "was already over" in capsys.readouterr().out


def test_a_table_is_deleted(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "delete", tables[0]]) == 0
    assert list(listed(capsys)) == tables[1:]
    assert main(["admin", "delete", tables[0]]) == 1
    assert "no-such-table" in capsys.readouterr().err


def test_a_backup_is_a_complete_database(tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "backup", "copy.sqlite"]) == 0
    assert set(listed(capsys, "--database", f"sqlite:///{here / 'copy.sqlite'}")) == set(tables)
    with sqlite3.connect(here / "copy.sqlite") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    copy.close()
    assert main(["admin", "backup", "copy.sqlite"]) == 1
    assert "file-exists" in capsys.readouterr().err


def test_backup_of_postgresql_is_refused_without_its_password(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "--database", "postgresql://anna:geheim@localhost/dicecup", "backup", "x"]) == 1
    shown = capsys.readouterr().err
    assert "pg_dump" in shown
    assert "geheim" not in shown


def test_rebuild_restores_derived_tables(tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = listed(capsys)
    with sqlite3.connect(here / "here" / "tables.sqlite") as database:
        database.execute("DELETE FROM tables")
        database.execute("DELETE FROM seats")
    database.close()
    assert listed(capsys) == {}
    assert main(["admin", "rebuild"]) == 0
    assert listed(capsys) == before
    assert set(before) == set(tables)


@pytest.mark.parametrize("arguments", [["close"], ["delete"], ["link"], ["backup"], ["list", "x"], ["rebuild", "x"], ["dance"]])
def test_an_invalid_command_line_ends_with_2(arguments: list[str]) -> None:
    assert main(["admin", *arguments]) == 2


@pytest.mark.parametrize("command", ["export", "import", "admin"])
@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_help(command: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help", "--lang", language]) == 0
    assert "DICECUP_DATABASE_URL" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name, value",
    [("DICECUP_PROCESSES", "0"), ("DICECUP_PROCESSES", "many"), ("DICECUP_WAITING", "-1"), ("DICECUP_DATA", "/dev/null/x")],
)
def test_an_invalid_setting_is_refused(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DICECUP_HOST_KEY", "00" * 32)
    monkeypatch.setenv(name, value)
    assert main(["admin", "close", "x"]) == 1
    assert capsys.readouterr().err.startswith(f"dicecup: not-a-setting: {name}")
