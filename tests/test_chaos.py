"""`make bench FIGURE=chaos` notices what it is meant to notice: events and commands that are lost,
changed or doubled."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench._chaos_laws import compared
from bench._chaos_players import Ledger, TableSeen
from bench.chaos import faults_in
from dicecup.table.commands import Rematch

Row = dict[str, Any]


def row(number: int, command: str = "") -> Row:
    event = {"type": "rematch-asked", "seat": number % 2}
    return {"number": number, "time": 1.0, "event": event, **({"identity": "anna", "command": command} if command else {})}


def noted() -> tuple[Ledger, list[Row]]:
    """Return a ledger of five events, the third and the fifth by acknowledged commands, and the
    rows that a server has stored."""
    ledger = Ledger()
    ledger.tables["t"] = TableSeen("here", 0.0)
    sent = [ledger.send("t", Rematch(), 1) for _ in range(2)]
    for each, number in zip(sent, (3, 5), strict=True):
        ledger.done(each, number)
    rows = [row(number, {3: sent[0].id, 5: sent[1].id}.get(number, "")) for number in range(1, 6)]
    for stored in rows:
        ledger.saw("t", {"number": stored["number"], "time": stored["time"], **stored["event"]})
    return ledger, rows


def lost(rows: list[Row]) -> None:
    del rows[-1]


def lost_within(rows: list[Row]) -> None:
    del rows[1]


def changed(rows: list[Row]) -> None:
    rows[1]["event"]["seat"] = 1


def at_another_time(rows: list[Row]) -> None:
    rows[1]["time"] = 2.0


def doubled(rows: list[Row]) -> None:
    rows.append(row(6, rows[-1]["command"]))


def without_its_command(rows: list[Row]) -> None:
    del rows[-1]["command"], rows[-1]["identity"]


def of_nobody(rows: list[Row]) -> None:
    rows.append(row(6, "unknown"))


def test_what_was_seen_and_stored_keeps_the_laws(capsys: pytest.CaptureFixture[str]) -> None:
    ledger, rows = noted()
    counts = compared(ledger, "here", {"t": rows})
    assert ledger.broken == []
    assert (counts["events stored"], counts["events seen by clients"], counts["acknowledged"]) == (5, 5, 2)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("fault", [lost, lost_within, changed, at_another_time, doubled, without_its_command, of_nobody])
def test_a_fault_of_the_log_breaks_a_law(fault: Callable[[list[Row]], None]) -> None:
    ledger, rows = noted()
    fault(rows := json.loads(json.dumps(rows)))
    compared(ledger, "here", {"t": rows})
    assert ledger.broken


def test_a_refused_command_must_not_be_stored() -> None:
    ledger, rows = noted()
    refused = ledger.send("t", Rematch(), 5)
    refused.refused = True
    compared(ledger, "here", {"t": [*rows, row(6, refused.id)]})
    assert len(ledger.broken) == 1


def test_a_command_without_an_answer_may_be_stored_once() -> None:
    ledger, rows = noted()
    unanswered = ledger.send("t", Rematch(), 5)
    assert compared(ledger, "here", {"t": [*rows, row(6, unanswered.id)]})["without an answer"] == 1
    assert ledger.broken == []
    compared(ledger, "here", {"t": [*rows, row(6, unanswered.id), row(7, unanswered.id)]})
    assert ledger.broken


def test_two_contents_of_one_event_and_two_answers_to_one_command_break_a_law() -> None:
    ledger, _ = noted()
    ledger.saw("t", {"number": 1, "time": 1.0, "type": "rematch-asked", "seat": 0})
    ledger.done(next(iter(ledger.commands.values())), 4)
    assert len(ledger.broken) == 2


ORPHANED = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/usr/lib/python3.11/multiprocessing/spawn.py", line 122, in spawn_main
    exitcode = _main(fd, parent_sentinel)
  File "/usr/lib/python3.11/multiprocessing/spawn.py", line 132, in _main
    self = reduction.pickle.load(from_parent)
EOFError: Ran out of input
"""
FAULT = """Traceback (most recent call last):
  File "/usr/lib/python3.11/dicecup/web/server.py", line 9, in run
EOFError
"""


def test_only_errors_of_dicecup_itself_are_faults_in_a_log(tmp_path: Path) -> None:
    known = [{"level": "error", "event": "storage failed", "status": "down"}, {"level": "info", "event": "fault"}]
    told = {"level": "error", "event": "fault"}
    log = tmp_path / "log"
    log.write_text("\n".join([*map(json.dumps, known), ORPHANED + FAULT + ORPHANED.rstrip(), json.dumps(told), ""]), "utf-8")
    faults, others = faults_in(log)
    assert [text.split()[-1] for text in faults] == ["EOFError", '"fault"}']
    assert others == {"storage failed down": 1, "not JSON": 1}
