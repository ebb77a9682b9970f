"""`dicecup admin` for people: found, banned, and made administrators."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from dicecup.cli import main
from tests.cli.served_tables import audit, here, tables

__all__ = ["here", "tables"]
SOON = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M+00:00")


@pytest.mark.usefixtures("tables")
def test_a_person_is_found_and_banned(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "people", "zoë", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["identity"], sorted(found["names"]), found["tables"]) == ("anna", ["Anna", "Zoë"], 2)
    assert main(["admin", "people", "Anna", "--lang", "de"]) == 0
    assert "Tische: 2" in capsys.readouterr().out
    given = ["--until", SOON, "--reason", "insults\x1b[2J"]
    assert main(["admin", "ban", "anna", "--until", SOON]) == 2
    assert main(["admin", "ban", "anna", *given]) == 1
    assert "not-a-reason" in capsys.readouterr().err
    assert main(["admin", "ban", "nobody", "--until", SOON, "--reason", "x"]) == 1
    assert "no-such-person" in capsys.readouterr().err
    assert main(["admin", "ban", "anna", "--until", SOON, "--reason", "insults"]) == 0
    assert "anna: banned until" in capsys.readouterr().out
    assert main(["admin", "ban", "--until", SOON, "--reason", "insults", "anna"]) == 0  # options before the name
    capsys.readouterr()
    assert main(["admin", "bans", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reason"] == "insults"
    assert main(["admin", "unban", "anna"]) == main(["admin", "unban", "anna"]) == 0
    assert "may use the server again" in capsys.readouterr().out
    assert main(["admin", "bans"]) == 0
    assert capsys.readouterr().out == ""
    assert [(each["command"], each["subject"].partition(" ")[0], each["outcome"]) for each in audit(capsys)] == [
        ("ban", "anna", "not-a-reason"),
        ("ban", "nobody", "no-such-person"),
        ("ban", "anna", "done"),
        ("ban", "anna", "done"),
        ("unban", "anna", "done"),
        ("unban", "anna", "unchanged"),
    ]


@pytest.mark.parametrize("action", ["close", "people", "grant", "ban", "restore"])
def test_an_action_without_its_name_says_so(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", action]) == 2
    assert capsys.readouterr().err.endswith(f": {action} needs NAME\n")


def test_an_action_that_takes_no_name_refuses_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "bans", "anna"]) == 2
    assert "NAME is used with close, delete" in capsys.readouterr().err


@pytest.mark.usefixtures("tables")
def test_the_host_names_administrators(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "grant", "nobody"]) == 1
    assert main(["admin", "grant", "anna"]) == main(["admin", "grant", "anna"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "anna: may open the administration page now",
        "anna: was so already",
    ]
    assert main(["admin", "admins"]) == 0
    assert "anna: administrator since" in capsys.readouterr().out
    assert main(["admin", "revoke-admin", "anna"]) == 0
    assert main(["admin", "admins", "--json"]) == 0
    assert "{" not in capsys.readouterr().out
    assert [(each["command"], each["outcome"]) for each in audit(capsys)] == [
        ("grant", "no-such-person"),
        ("grant", "done"),
        ("grant", "unchanged"),
        ("revoke-admin", "done"),
    ]
