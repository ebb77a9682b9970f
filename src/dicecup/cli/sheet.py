"""`dicecup sheet`: write an empty score sheet of Yamm, the sheets of a game, or the rules of thumb,
as a PDF."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from dicecup import record
from dicecup.cli.refusal import refuse
from dicecup.locale import Messages
from dicecup.record import Fault, Record, RecordError
from dicecup.terminal.errors import StorageError, TerminalCode

STANDARD: Final = "-"
"""Standard input or output."""
ALL: Final = "all"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the options: what is printed, and the output file."""
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=messages("cli_sheet_output"))
    parser.add_argument("--players", metavar="N", type=int, help=messages("cli_sheet_players"))
    parser.add_argument("--pairs", action="store_true", help=messages("cli_sheet_pairs"))
    parser.add_argument("--name", metavar="NAME", action="append", default=[], help=messages("cli_sheet_name"))
    parser.add_argument("--record", metavar="FILE", help=messages("cli_sheet_record"))
    parser.add_argument("--rules-of-thumb", action="store_true", help=messages("cli_sheet_thumb"))
    parser.add_argument("--player-sheet", metavar="all|N", type=_sheet, help=messages("cli_sheet_player_sheet"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Write the PDF and return 0. Return 1 for a refused record. Raises `SheetError` and
    `StorageError`.
    """
    from dicecup import sheets

    of_record = arguments.record is not None
    for_empty = arguments.players is not None or arguments.pairs or arguments.name
    if for_empty if of_record else arguments.player_sheet is not None:
        raise sheets.SheetError(sheets.SheetCode.RECORD_ALONE)
    if arguments.rules_of_thumb:
        if of_record or for_empty:
            raise sheets.SheetError(sheets.SheetCode.THUMB_ALONE)
        printed = sheets.thumb_page(messages.language)
    elif not of_record:
        printed = sheets.empty_sheet(messages.language, players=arguments.players, names=arguments.name, pairs=arguments.pairs)
    else:
        try:
            played = _load(arguments.record)
        except RecordError as error:
            refuse(arguments.record, error.faults[0], messages)
            return 1
        except OSError as error:
            why = {"file": arguments.record, "why": error.strerror}
            refuse(arguments.record, Fault(0, TerminalCode.CANNOT_READ, why), messages)
            return 1
        chosen = None if arguments.player_sheet in (None, ALL) else [arguments.player_sheet - 1]
        printed = sheets.of_game(played, messages.language, sheets=chosen)
    _write(arguments.output, printed)
    return 0


def _sheet(text: str) -> int | str:
    """Return `all` or the number of a sheet. Raises `ValueError`."""
    return ALL if text == ALL else int(text)


def _load(file: str) -> Record:
    """Return the record of a file or of standard input. Raises `RecordError` and `OSError`."""
    return record.load_stream(sys.stdin.buffer) if file == STANDARD else record.load(file)


def _write(file: str, printed: bytes) -> None:
    """Write a PDF to a file or to standard output.

    Raises `StorageError`, and `BrokenPipeError` if the reader of standard output has closed it.
    """
    try:
        if file == STANDARD:
            sys.stdout.buffer.write(printed)
            sys.stdout.buffer.flush()
        else:
            Path(file).write_bytes(printed)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=file, why=error.strerror) from None
