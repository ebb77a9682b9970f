"""`dicecup replay FILE`: replay a record, check every throw and action, and print the last
position.
"""

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
    """Add `FILE`, and `--json` for programs."""
    parser.add_argument("file", metavar="FILE", help=messages("cli_replay_file"))
    parser.add_argument("--json", action="store_true", help=messages("cli_replay_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Print the state of a record and return 0. For a refused record print one line or JSON object
    on standard error and return 1.
    """
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
    """Return the record of a file or of standard input. Raises `RecordError` and `OSError`."""
    if file == STANDARD_INPUT:
        return record.load_stream(sys.stdin.buffer)
    return record.load(file)


def _refuse(arguments: Namespace, fault: Fault, messages: Messages) -> int:
    """Print on standard error why a record is refused, and return 1."""
    if arguments.json:
        wrong = code_sentence(str(fault.code), fault.details, messages)
        error = {"file": arguments.file, "line": fault.line, "code": str(fault.code), "message": wrong}
        print(json.dumps({"error": error}), file=sys.stderr)
    else:
        refuse(arguments.file, fault, messages)
    return 1
