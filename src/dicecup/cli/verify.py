"""`dicecup verify RECORD`: throw the dice of a record again and report whether they are right."""

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import Any, Final

from dicecup import record
from dicecup.cli.refusal import refuse
from dicecup.locale import Messages
from dicecup.record import Fault, Record, RecordError
from dicecup.sentences import code_sentence
from dicecup.table.table_record import place_text
from dicecup.table.verify import Report, check
from dicecup.terminal.console import Console
from dicecup.terminal.errors import TerminalCode

STANDARD_INPUT: Final = "-"


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
    except OSError as error:
        return _refuse(arguments, Fault(0, TerminalCode.CANNOT_READ, {"file": arguments.file, "why": error.strerror}), messages)
    report = check(checked)
    if arguments.json:
        print(json.dumps(_report(checked, report, arguments.file, messages)))
    else:
        _show(checked, report, Console(messages))
        if report.fault is not None:
            sys.stdout.flush()
            refuse(arguments.file, report.fault, messages)
    return int(report.fault is not None)


def _load(file: str) -> Record:
    """Return the record of a file or of standard input. Raises `RecordError` and `OSError`."""
    return record.load_stream(sys.stdin.buffer) if file == STANDARD_INPUT else record.load(file)


def _show(checked: Record, report: Report, console: Console) -> None:
    """Print what was checked, and the values that a person has to compare."""
    if "Position" in checked.tags:
        console.tell("verify_position", position=checked.tags["Position"])
    dice = checked.tags.get("Dice", "-")
    console.tell("verify_dice", dice=dice)
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
