"""The host key in the commands of an administrator."""

import os
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.hosting.settings import database
from dicecup.web.single_server import locked
from tests.cli.served_tables import audit, exported, here, tables

__all__ = ["here", "tables"]


def with_key(tables: list[str]) -> list[list[str]]:
    """Return the commands that change tables for which the host key is needed."""
    running, waiting = tables
    return [["close", running], ["free", running, "1"], ["rotate", running], ["shut", waiting], ["admit", waiting]]


@pytest.mark.usefixtures("here")
def test_another_key_changes_no_table(
    tables: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = [exported(capsys, table).partition("events")[2] for table in tables]
    monkeypatch.setenv("DICECUP_HOST_KEY", "00" * 32)
    monkeypatch.setenv("DICECUP_HOST", "192.0.2.7")
    for command in with_key(tables):
        assert main(["admin", *command]) == 1
        shown = capsys.readouterr()
        assert shown.err.startswith("dicecup: other-host-key: ")
        assert shown.out == ""
    assert [exported(capsys, table).partition("events")[2] for table in tables] == before
    assert [entry["outcome"] for entry in audit(capsys)] == ["other-host-key"] * 5


def test_a_lost_key_is_not_replaced(tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = (here / "here" / "host.key").rename(here / "copy")
    for command in (*(["admin", *words] for words in with_key(tables)), ["import", str(Path(os.devnull))]):
        assert main(command) == 1
        shown = capsys.readouterr()
        assert shown.err.startswith("dicecup: host-key-lost: ")
        assert str(here / "here" / "host.key") in shown.err
        assert "dicecup admin new-key" in shown.err
        assert shown.out == ""
        assert not (here / "here" / "host.key").exists()
    assert [entry["outcome"] for entry in audit(capsys)] == ["host-key-lost"] * 5
    assert main(["admin", "list"]) == 0  # needs no key
    key.rename(here / "here" / "host.key")
    assert main(["admin", "close", tables[0]]) == 0


def test_a_host_can_begin_with_a_new_key(tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "here" / "host.key").rename(here / "old")
    assert main(["admin", "new-key"]) == 0
    assert "new commitment" in capsys.readouterr().out
    assert (here / "here" / "host.key").read_text() != (here / "old").read_text()
    assert main(["admin", "new-key"]) == 0
    assert "already" in capsys.readouterr().out
    assert main(["admin", "close", tables[0]]) == 0
    (here / "old").replace(here / "here" / "host.key")
    assert main(["admin", "close", tables[1]]) == 1
    assert capsys.readouterr().err.startswith("dicecup: other-host-key: ")


def test_a_served_database_keeps_its_key(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert tables
    with locked(database()):
        assert main(["admin", "new-key"]) == 1
    assert capsys.readouterr().err.startswith("dicecup: data-in-use: ")
