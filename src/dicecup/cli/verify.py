"""`dicecup verify FILE`: throw the dice of a record, or of all games of a duplicate event, again,
and report whether they are right."""

import io
import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final

from dicecup import record
from dicecup.cli.refusal import refuse
from dicecup.locale import Messages
from dicecup.record import Fault, Record, RecordError
from dicecup.sentences import code_sentence
from dicecup.table.errors import TableError
from dicecup.table.event_file import EventFile, EventReport, check_event, event_file_from_text
from dicecup.table.table_record import place_text
from dicecup.table.verify import Report, check
from dicecup.terminal.console import Console
from dicecup.terminal.errors import TerminalCode

STANDARD_INPUT: Final = "-"
MOST_BYTES: Final = 256 * 1024 * 1024
"""Bytes of a file that are read. A game of one person takes about 5 000."""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add `RECORD`, and `--json` for programs."""
    parser.add_argument("file", metavar="RECORD", help=messages("cli_replay_file"))
    parser.add_argument("--json", action="store_true", help=messages("cli_verify_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Print the report and return 0 if every throw is right. Else return 1; one line on standard
    error, or with `--json` the member `error`, names the fault.
    """
    try:
        checked = _load(arguments.file)
    except RecordError as error:
        return _refuse(arguments, error.faults[0], messages)
    except TableError as error:
        return _refuse(arguments, Fault(0, error.code, error.details), messages)
    except OSError as error:
        return _refuse(arguments, Fault(0, TerminalCode.CANNOT_READ, {"file": arguments.file, "why": error.strerror}), messages)
    if isinstance(checked, EventFile):
        return _run_event(arguments, checked, messages)
    report = check(checked)
    if arguments.json:
        print(json.dumps(_report(checked, report, arguments.file, messages)))
    else:
        _show(checked, report, Console(messages))
        if report.fault is not None:
            sys.stdout.flush()
            refuse(arguments.file, report.fault, messages)
    return int(report.fault is not None)


def _load(file: str) -> Record | EventFile:
    """Return the record or the event in a file or on standard input. Raises `RecordError`,
    `TableError` (`not-an-event-file`) and `OSError`."""
    if file == STANDARD_INPUT:
        data = sys.stdin.buffer.read(MOST_BYTES)
    else:
        with Path(file).open("rb") as opened:
            data = opened.read(MOST_BYTES)
    if data.lstrip()[:1] != b"{":
        return record.load_stream(io.BytesIO(data))
    return event_file_from_text(data.decode("utf-8", "replace"))


def _run_event(arguments: Namespace, event: EventFile, messages: Messages) -> int:
    """Print the report of an event and return 0 if every throw of every game is right, else 1."""
    report = check_event(event)
    if arguments.json:
        print(json.dumps(_event_report(event, report, arguments.file, messages)))
        return int(report.fault is not None)
    console = Console(messages)
    console.tell("verify_event", event=event.event, game=event.game, games=report.games)
    console.tell("verify_event_commitment", commitment=event.commitment)
    unchecked = report.throws - report.right - report.wrong
    console.tell("verify_counts", throws=report.throws, right=report.right, wrong=report.wrong, unchecked=unchecked)
    if report.fault is None:
        console.tell("verify_event_right")
        return 0
    sys.stdout.flush()
    refuse(_game_of_file(arguments.file, report.fault.place), report.fault.fault, messages)
    return 1


def _game_of_file(file: str, place: int) -> str:
    """Return the name of a game in the file of an event: `FILE#3`, and of the event `FILE`."""
    return f"{file}#{place}" if place else file


def _event_report(event: EventFile, report: EventReport, file: str, messages: Messages) -> dict[str, Any]:
    """Return the JSON object of the report of an event."""
    fault = report.fault
    return {
        "event": event.event,
        "game": event.game,
        "commitment": event.commitment,
        "games": report.games,
        "throws": report.throws,
        "right": report.right,
        "wrong": report.wrong,
        "verified": fault is None,
        "error": None if fault is None else _error(_game_of_file(file, fault.place), fault.fault, messages),
    }


def _show(checked: Record, report: Report, console: Console) -> None:
    """Print what was checked, and the values that a person has to compare."""
    if "Position" in checked.tags:
        console.tell("verify_position", position=checked.tags["Position"])
    dice = checked.tags.get("Dice", "-")
    console.tell("verify_dice", dice=dice)
    if dice.startswith("duplicate:"):
        console.tell("verify_of_event", event=checked.tags.get("Event", "-"))
    if dice.startswith("committed:"):
        console.tell("verify_compare")
        console.tell("verify_seeds", seeds=checked.tags.get("Seeds", "-"))
    unchecked = report.throws - report.right - report.wrong
    if report.renewed:
        console.tell("verify_renewed", places=", ".join(map(place_text, report.renewed)))
    if report.on_device:
        console.tell("verify_on_device", places=report.on_device)
    console.tell("verify_counts", throws=report.throws, right=report.right, wrong=report.wrong, unchecked=unchecked)
    if report.fault is None:
        console.tell("verify_right")


def _report(checked: Record, report: Report, file: str, messages: Messages) -> dict[str, Any]:
    """Return the JSON object of a report."""
    return {
        "game": checked.game.id,
        "position": checked.tags.get("Position"),
        "dice": checked.tags.get("Dice"),
        "seeds": checked.tags.get("Seeds") if checked.tags.get("Dice", "").startswith("committed:") else None,
        "renewed": list(map(place_text, report.renewed)),
        "on_device": report.on_device.split("; ") if report.on_device else [],
        "throws": report.throws,
        "right": report.right,
        "wrong": report.wrong,
        "verified": report.fault is None,
        "error": None if report.fault is None else _error(file, report.fault, messages),
    }


def _error(file: str, fault: Fault, messages: Messages) -> dict[str, Any]:
    """Return the JSON object of a fault."""
    message = code_sentence(str(fault.code), fault.details, messages)
    return {"file": file, "line": fault.line, "code": str(fault.code), "message": message}


def _refuse(arguments: Namespace, fault: Fault, messages: Messages) -> int:
    """Print on standard error why a record cannot be read, and return 1."""
    if arguments.json:
        print(json.dumps({"error": _error(arguments.file, fault, messages)}), file=sys.stderr)
    else:
        refuse(arguments.file, fault, messages)
    return 1
