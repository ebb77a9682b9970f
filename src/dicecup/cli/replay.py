"""`dicecup replay FILE`: replays a record, checking every throw and action, and shows the state it ends in."""

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from dicecup import record
from dicecup.cli.refusal import refuse
from dicecup.locale import Messages
from dicecup.record import Fault, Record, RecordError
from dicecup.sentences import code_sentence
from dicecup.terminal.console import Console
from dicecup.terminal.display import show_record
from dicecup.terminal.errors import TerminalCode

STANDARD_INPUT: Final = "-"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """`FILE`, and `--json` for programs."""
    parser.add_argument("file", metavar="FILE", help=messages("cli_replay_file"))
    parser.add_argument("--json", action="store_true", help=messages("cli_replay_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Exit code 1 and one line (or one object) on standard error where the record is refused."""
    try:
        replayed = _load(arguments.file)
    except RecordError as error:
        return _refuse(arguments, error.faults[0], messages)
    except OSError as error:
        why = {"file": arguments.file, "why": error.strerror}
        return _refuse(arguments, Fault(0, TerminalCode.CANNOT_READ, why), messages)
    if arguments.json:
        print(json.dumps(record.state(replayed)))
    else:
        show_record(replayed, Console(messages))
    return 0


def _load(file: str) -> Record:
    if file == STANDARD_INPUT:
        return record.load_stream(sys.stdin.buffer)
    return record.load(file)


def _refuse(arguments: Namespace, fault: Fault, messages: Messages) -> int:
    if arguments.json:
        wrong = code_sentence(str(fault.code), fault.details, messages)
        error = {"file": arguments.file, "line": fault.line, "code": str(fault.code), "message": wrong}
        print(json.dumps({"error": error}), file=sys.stderr)
    else:
        refuse(arguments.file, fault, messages)
    return 1
