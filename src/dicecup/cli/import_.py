"""`dicecup import`: read tables that `dicecup export` wrote, and check every event."""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import time
from typing import BinaryIO, Final

from dicecup.cli.database import add_database, environment, with_store
from dicecup.cli.refusal import refuse
from dicecup.core.errors import DicecupError
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.store_errors import StoreError
from dicecup.locale import Messages
from dicecup.record import Fault
from dicecup.terminal.errors import StorageError, TerminalCode

STANDARD_INPUT: Final = "-"
TOKENS: Final = "tokens"
DEVICE_GAMES: Final = "device games"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add `FILE` and `--database URL`."""
    parser.add_argument("file", metavar="FILE", nargs="?", default=STANDARD_INPUT, help=messages("cli_import_file"))
    add_database(parser, messages)


def run(arguments: Namespace, messages: Messages) -> int:
    """Import tables and print their numbers. Return 1 if a table was refused.

    A refused table leaves the database unchanged and is named by a line on standard error.
    """
    from dicecup.hosting.table_export import ImportResult

    try:
        with nullcontext(sys.stdin.buffer) if arguments.file == STANDARD_INPUT else Path(arguments.file).open("rb") as file:
            counts = with_store(arguments, lambda store: _import_lines(store, file, arguments, messages))
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_READ, file=arguments.file, why=error.strerror) from None
    if counts[TOKENS]:
        print(messages("import_tokens", tokens=counts[TOKENS]))
    if counts[DEVICE_GAMES]:
        print(messages("import_device_games", games=counts[DEVICE_GAMES]))
    print(
        messages(
            "import_done",
            new=counts[ImportResult.NEW],
            longer=counts[ImportResult.LONGER],
            known=counts[ImportResult.KNOWN],
            refused=counts[None],
        )
    )
    return int(counts[None] > 0)


async def _import_lines(store: Store, file: BinaryIO, arguments: Namespace, messages: Messages) -> Counter[object]:
    """Import every line of a file. Return the number of tables for each `ImportResult`, for `None`
    the number of refused lines, for `TOKENS` the number of tokens, and for `DEVICE_GAMES` that of
    new games on devices.
    """
    from dicecup.hosting.device_game_export import import_device_game, is_device_game
    from dicecup.hosting.key_of_database import with_checked_key
    from dicecup.hosting.table_export import LONGEST_LINE, import_table
    from dicecup.hosting.token_export import are_tokens, import_tokens

    host_key = (await with_checked_key(store, Settings.read(environment(arguments)))).host_key
    counts: Counter[object] = Counter()
    for number, line in enumerate(_lines(file, LONGEST_LINE), 1):
        try:
            if line is None:
                raise HostingError(HostingCode.NOT_AN_EXPORT, text=f"> {LONGEST_LINE}")
            if are_tokens(line):
                counts[TOKENS] += await import_tokens(store, line)
            elif is_device_game(line):
                counts[DEVICE_GAMES] += await import_device_game(store, line, time())
            else:
                counts[await import_table(store, host_key, line, time())] += 1
        except StoreError:
            raise
        except DicecupError as error:
            refuse(arguments.file, Fault(number, error.code, error.details), messages)
            counts[None] += 1
    return counts


def _lines(file: BinaryIO, longest: int) -> Iterator[bytes | None]:
    """Yield the lines of a file, `None` for each that has more than `longest` bytes."""
    while line := file.readline(longest + 1):
        too_long = len(line) > longest
        while len(line) > longest and not line.endswith(b"\n"):
            line = file.readline(longest + 1)
        yield None if too_long else line
