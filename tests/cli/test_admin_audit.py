"""The audit log of the commands of an administrator."""

import json
import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from time import time

import pytest

from dicecup.cli import main
from dicecup.hosting.store import AppendConflict
from tests.cli.served_tables import audit, here, listed, tables

__all__ = ["here", "tables"]


def test_all_that_administrators_do_is_logged(
    tables: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = time()
    running, waiting = tables
    monkeypatch.setenv("SUDO_USER", "anna\x1b[2J")
    monkeypatch.setenv("DICECUP_HOST", "192.0.2.7")
    for arguments, code in (
        (["link", running, "1"], 0),
        (["close", running], 0),
        (["close", running], 0),
        (["close", "nowhere\n"], 1),
        (["link", waiting, "2"], 1),
        (["delete", waiting], 0),
        (["backup", "copy.sqlite"], 0),
        (["rebuild"], 0),
        (["new-key"], 0),
        (["list"], 0),
    ):
        assert main(["admin", *arguments]) == code
    secret = re.search(r"transfer#(\S+)", capsys.readouterr().out)
    assert secret is not None
    found = audit(capsys)
    assert [(entry["command"], entry["subject"], entry["outcome"]) for entry in found] == [
        ("link", f"{running} 1", "done"),
        ("close", running, "done"),
        ("close", running, "unchanged"),
        ("close", "nowhere?", "no-such-table"),
        ("link", f"{waiting} 2", "nobody-sits-there"),
        ("delete", waiting, "done"),
        ("backup", "copy.sqlite", "done"),
        ("rebuild", "", "done"),
        ("new-key", "", "unchanged"),
    ]
    assert secret[1] not in json.dumps(found)
    assert all(begun <= entry["time"] <= time() and entry["operator"].endswith("(anna?[2J)") for entry in found)
    assert set(audit_tables(here / "copy.sqlite")) == {"link", "close", "delete"}  # a backup has the log up to it
    for language, word in (("de", "abgelehnt: no-such-table"), ("en", "refused: no-such"), ("fr", "refusé\u00a0: no-such")):
        assert main(["admin", "audit", "--lang", language]) == 0
        assert word in capsys.readouterr().out


@pytest.mark.usefixtures("tables")
def test_a_message_to_everybody_is_shown_below_its_entry(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subject = "2027-01-31 18:00 UTC\nde: Neustart.\nBis bald!\nen: We restart"
    with sqlite3.connect(here / "here" / "tables.sqlite") as database:
        row = (time(), "announce", subject, "anna", "done")
        database.execute("INSERT INTO audit (time, command, subject, operator, outcome) VALUES (?, ?, ?, ?, ?)", row)
    database.close()
    assert main(["admin", "audit"]) == 0
    first, *texts = capsys.readouterr().out.splitlines()
    assert first.endswith("  anna  announce  2027-01-31 18:00 UTC  done")
    assert texts == ["    de: Neustart.", "    Bis bald!", "    en: We restart"]
    assert [each["subject"] for each in audit(capsys)] == [subject]


def audit_tables(file: Path) -> list[str]:
    """Return the commands in the audit log of a backup."""
    with sqlite3.connect(file) as copy:
        found = [command for (command,) in copy.execute("SELECT command FROM audit")]
    copy.close()
    return found


def test_a_change_without_its_entry_is_not_saved(tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(here / "here" / "tables.sqlite") as database:
        database.execute("CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'no entry'); END")
    database.close()
    before = listed(capsys)
    for arguments in (["delete", tables[0]], ["link", tables[0], "1"], ["rebuild"]):
        with suppress(AppendConflict):
            assert main(["admin", *arguments]) == 1
    assert listed(capsys) == before
    with sqlite3.connect(here / "here" / "tables.sqlite") as database:
        assert database.execute("SELECT count(*) FROM tokens").fetchone() == (0,)
    database.close()
