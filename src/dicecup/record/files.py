"""Records on disk: read with a limit, written so that the file is always either the old one or the new one."""

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from dicecup.record.codes import Fault, RecordCode, record_error
from dicecup.record.record import Record, read

LIMIT: Final = 16 * 1024 * 1024
"""The largest record that is read, in bytes. A sheet for sixteen players takes about 100 000."""


def load(path: str | os.PathLike[str]) -> Record:
    """The record in a file. Raises `OSError` and `RecordError` (also `record-too-large`, `not-utf8`)."""
    with Path(path).open("rb") as file:
        return load_stream(file)


def load_stream(file: BinaryIO) -> Record:
    """The record in an open binary file, which is never read further than the limit. Raises as `load`."""
    data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise record_error([Fault(0, RecordCode.TOO_LARGE, {"limit": LIMIT})])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise record_error([Fault(data.count(b"\n", 0, error.start) + 1, RecordCode.NOT_UTF8)]) from None
    return read(text)


def save(path: str | os.PathLike[str], record: Record) -> None:
    """Writes the record. Whatever happens, a full disk or a kill, the file holds the old record or the new one, whole.

    Raises `OSError`; then the old file is as it was."""
    target = Path(path)
    scratch = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
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
    """Makes the rename itself durable, where the system lets a folder be opened."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
