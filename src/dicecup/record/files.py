"""Files of records: reading with a limit of size, and atomic writing."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from dicecup.record.codes import Fault, RecordCode, record_error
from dicecup.record.record import Record, read

LIMIT: Final = 16 * 1024 * 1024
"""The largest file that is read, in bytes. A game of Yamm with sixteen players takes about 100 000
bytes.
"""
PRIVATE: Final = 0o600


def load(path: str | os.PathLike[str]) -> Record:
    """Return the record in a file. Raises `OSError` and `RecordError` (also `record-too-large`,
    `not-utf8`).
    """
    with Path(path).open("rb") as file:
        return load_stream(file)


def load_stream(file: BinaryIO) -> Record:
    """Return the record in an open binary file. Reads at most `LIMIT` + 1 bytes. Raises the errors
    of `load`.
    """
    data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise record_error([Fault(0, RecordCode.TOO_LARGE, {"limit": LIMIT})])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise record_error([Fault(data.count(b"\n", 0, error.start) + 1, RecordCode.NOT_UTF8)]) from None
    return read(text)


def save(path: str | os.PathLike[str], record: Record) -> None:
    """Save a record atomically: after a full disk or a crash the file holds the whole old record or
    the whole new one. Only its owner can read a new file; an existing one keeps its mode.

    Raises `OSError`; the old file is unchanged then.
    """
    target = Path(path)
    scratch = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        scratch.touch(PRIVATE)
        with suppress(FileNotFoundError):
            scratch.chmod(stat.S_IMODE(target.stat().st_mode))
        with scratch.open("wb") as file:
            file.write(record.to_text().encode())
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(target)
    except BaseException:
        with suppress(OSError):
            scratch.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename durable, on systems where a folder can be opened."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
