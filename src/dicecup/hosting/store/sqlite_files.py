"""Copies of SQLite files."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from dicecup.hosting.store.engines import PRIVATE

COMPANIONS: Final = ("-wal", "-shm")
"""Ends of the names of the files that SQLite keeps beside a database in use."""


def copy(source: Path, target: Path) -> None:
    """Copy an SQLite database, with what its write-ahead log holds, to a new file that only its
    owner can read. Other processes may write meanwhile.

    Raises `OSError` and `sqlite3.Error`, after deleting the file.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
            closing(sqlite3.connect(target)) as writing,
        ):
            reading.backup(writing)
            # Without a write-ahead log a copy is one file, also while it is read.
            writing.execute("PRAGMA journal_mode=DELETE")
    except BaseException:
        with suppress(OSError):
            target.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Write the names of a folder's files to disk, on systems that can open a folder."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
