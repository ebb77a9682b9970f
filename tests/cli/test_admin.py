"""`dicecup admin`, on databases in a folder."""

import asyncio
import json
import os
import re
import sqlite3
import stat
from functools import partial
from pathlib import Path
from time import time

import pytest

from dicecup.cli import main
from dicecup.core.errors import DicecupError
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.identities import issue_token, redeem
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Sit
from tests.cli.served_tables import audit, exported, here, listed, tables, with_store

__all__ = ["here", "tables"]


def test_tables_are_listed(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(capsys)
    assert [found[table]["state"] for table in tables] == ["running", "open"]
    assert list(listed(capsys, "--state", "open")) == tables[1:]
    assert main(["admin", "list", "--lang", "de"]) == 0
    shown = capsys.readouterr().out
    assert "läuft" in shown
    assert "Zoë, (frei)" in shown


@pytest.mark.slow
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
        assert asyncio.run(with_store(partial(redeem, secret=secret, now=time()))) == "anna"
    assert main(["admin", "link", tables[1], "2"]) == 1
    assert "nobody-sits-there" in capsys.readouterr().err
    assert main(["admin", "link", tables[0], "3"]) == 1
    assert "no-such-seat: There is no seat 3" in capsys.readouterr().err
    for names in ([], [tables[0]], [tables[0], "x"], [tables[0], "1", "2"], [tables[0], "-1"], [tables[0], "1" * 5000]):
        assert main(["admin", "link", *names]) == 2


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


@pytest.mark.usefixtures("tables")
def test_only_the_owner_can_read_what_holds_tables(here: Path) -> None:
    before = os.umask(0)
    try:
        asyncio.run(with_store(lambda store: _write_to(store, here)))
        assert main(["admin", "backup", "copy.sqlite"]) == main(["export", "all.jsonl"]) == 0
    finally:
        os.umask(before)
    made = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (here / "copy.sqlite", here / "all.jsonl")}
    assert made == {"copy.sqlite": 0o600, "all.jsonl": 0o600}


async def _write_to(store: Store, folder: Path) -> None:
    """Write to the store, and check the mode of every file of the database meanwhile."""
    await issue_token(store, "anna")
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder / "here").glob("tables.sqlite*")}
    assert found == {f"tables.sqlite{end}": 0o600 for end in ("", "-shm", "-wal")}


@pytest.mark.parametrize(
    "url",
    [
        "postgresq://anna:geheim@localhost/dicecup",
        "postgresql:/anna:geheim@localhost/dicecup",
        "postgresql://anna:geheim@localhost:port/dicecup",
        "postgresql://anna:geheim@localhost:70000/dicecup",
        "postgresql://anna:geheim",
        "postgresql://anna:ge/he@im@local host:1/dicecup",
        "postgresql://anna:geheim@[::1/dicecup",
        "anna:geheim@localhost",
        "postgresql://localhost:1/dicecup?user=anna&password=geheim&colour=red",
        "postgresql://anna:geheim@localhost:1/dicecup?ssl=geheim",
        "postgresql://anna:geheim@localhost:1/dicecup?command_timeout=soon",
    ],
)
def test_a_mistyped_url_is_refused_without_its_password(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "list", "--database", url]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith(("dicecup: not-a-database: ", "dicecup: storage-down: "))
    assert len(shown.err.splitlines()) == 1
    assert "geheim" not in shown.out + shown.err.replace("ssl=geheim", "")


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


def test_the_host_takes_back_seats_replaces_links_and_closes_tables(
    tables: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DICECUP_HOST", "192.0.2.7")
    running, waiting = tables
    links = []
    for arguments in (["rotate", waiting], ["free", waiting, "1"], ["free", running, "1"]):
        assert main(["admin", *arguments]) == 0
        shown = capsys.readouterr()
        links.append(re.findall(r"http://192.0.2.7:8421/tables/(\w+)#(join|watch)=(\w{22})\n", shown.out))
        assert "old links no longer work" in shown.err
    assert [[(table, kind) for table, kind, _ in found] for found in links] == [
        [(table, "join"), (table, "watch")] for table in (waiting, waiting, running)
    ]
    assert len({key for found in links for _, _, key in found}) == 6

    async def sit() -> list[tuple[str, str]]:
        """Return what becomes of people who come with a link and sit down."""
        host, answers = await TableHost.open(Settings.read()), []
        for count, ((table, _, key), _) in enumerate(links):
            try:
                number = (await host.look(table, None, key)).number
                await host.send(table, f"new {count}", Sit(f"N{count}"), version=number, command_id="s", key=key)
                answers.append((table, "sits"))
            except DicecupError as error:
                answers.append((table, str(error.code)))
        await host.close()
        return answers

    assert asyncio.run(sit()) == [(waiting, "no-such-table"), (waiting, "sits"), (running, "sits")]
    assert [seat["name"] for seat in listed(capsys)[running]["seats"]] == ["N2"]  # type: ignore[attr-defined]
    for action, told in (("shut", "closed to newcomers"), ("shut", "was so already"), ("admit", "open to newcomers again")):
        assert main(["admin", action, waiting]) == 0
        assert told in capsys.readouterr().out
    for arguments in (["free", running], ["free", running, "x"]):
        assert main(["admin", *arguments]) == 2
    assert main(["admin", "free", waiting, "9"]) == 1
    assert "no-such-seat" in capsys.readouterr().err
    assert [entry["outcome"] for entry in audit(capsys)] == ["done"] * 4 + ["unchanged", "done", "no-such-seat"]


def test_networks_are_blocked_listed_and_admitted_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "block", "203.0.113.7", "2001:db8::1/48"]) == 0
    assert main(["admin", "block", "::ffff:198.51.100.9/120", "--until", "2999-01-31T18:00+00:00"]) == 0
    shown = capsys.readouterr().out
    assert shown == "203.0.113.7/32: blocked\n2001:db8::/48: blocked\n198.51.100.0/24: blocked until 2999-01-31 18:00 UTC\n"
    assert main(["admin", "blocks"]) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(shown.splitlines())
    assert main(["admin", "blocks", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {entry["network"]: entry["until"] for entry in found}["203.0.113.7/32"] is None
    assert main(["admin", "unblock", "203.0.113.7"]) == main(["admin", "unblock", "203.0.113.7"]) == 0
    assert "admitted again\n203.0.113.7/32: was not blocked" in capsys.readouterr().out
    for given, code in (
        (["block", "203.0.113.300"], "not-a-network"),
        (["unblock", "example.org"], "not-a-network"),
        (["block", "203.0.113.8", "--until", "soon"], "not-a-time"),
        (["block", "203.0.113.8", "--until", "2020-01-01"], "not-a-time"),
    ):
        assert main(["admin", *given]) == 1
        assert code in capsys.readouterr().err
    assert [(entry["command"], entry["subject"], entry["outcome"]) for entry in audit(capsys)] == [
        ("block", "203.0.113.7/32", "done"),
        ("block", "2001:db8::/48", "done"),
        ("block", "198.51.100.0/24 2999-01-31 18:00 UTC", "done"),
        ("unblock", "203.0.113.7/32", "done"),
        ("unblock", "203.0.113.7/32", "unchanged"),
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["close"],
        ["delete"],
        ["link"],
        ["backup"],
        ["list", "x"],
        ["audit", "x"],
        ["blocks", "x"],
        ["block"],
        ["rebuild", "x"],
        ["new-key", "x"],
        ["dance"],
    ],
)
def test_an_invalid_command_line_ends_with_2(arguments: list[str]) -> None:
    assert main(["admin", *arguments]) == 2


@pytest.mark.parametrize("command", ["export", "import", "admin"])
@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_help_names_the_setting_of_the_database(command: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
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
