"""`dicecup export`: write tables as JSON Lines, which `dicecup import` reads."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import BinaryIO, Final

from dicecup.cli.database import add_database, with_store
from dicecup.hosting.store import Store
from dicecup.locale import Messages
from dicecup.terminal.errors import StorageError, TerminalCode

STANDARD_OUTPUT: Final = "-"
PRIVATE: Final = 0o600


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add `FILE`, `--table ID` and `--database URL`."""
    parser.add_argument("file", metavar="FILE", nargs="?", default=STANDARD_OUTPUT, help=messages("cli_export_file"))
    parser.add_argument("--table", metavar="ID", action="append", default=[], help=messages("cli_export_table"))
    add_database(parser, messages)


def run(arguments: Namespace, messages: Messages) -> int:
    """Export tables to a new file or to standard output, and print their number on standard error.

    Raises `StorageError` (`file-exists`) for a file that exists.
    """
    if arguments.file == STANDARD_OUTPUT:
        count = with_store(arguments, lambda store: _write(store, sys.stdout.buffer, arguments.table))
    else:
        with _new_file(Path(arguments.file)) as file:
            count = with_store(arguments, lambda store: _write(store, file, arguments.table))
    print(messages("export_done", tables=count), file=sys.stderr)
    return 0


async def _write(store: Store, file: BinaryIO, tables: list[str]) -> int:
    """Write the tables and their tokens, with all tables also the games on devices, and return the
    number of tables."""
    from dicecup.hosting.device_game_export import export_device_games
    from dicecup.hosting.table_export import export_tables
    from dicecup.hosting.token_export import export_tokens

    count = 0
    async for line in export_tables(store, tables, time()):
        file.write(f"{line}\n".encode())
        count += 1
    for line in await export_tokens(store, tables):
        file.write(f"{line}\n".encode())
    if not tables:
        async for line in export_device_games(store):
            file.write(f"{line}\n".encode())
    return count


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that only its owner can read, and delete it if writing fails. Raises
    `StorageError`."""
    try:
        path.touch(PRIVATE, exist_ok=False)
        try:
            with path.open("wb") as file:
                yield file
        except BaseException:
            path.unlink()
            raise
    except FileExistsError:
        raise StorageError(TerminalCode.FILE_EXISTS, file=path) from None
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=path, why=error.strerror) from None
