"""The saved answers of the trainer. The file is in the platform's data folder and has one JSON
object a line, the oldest first.
"""

import json
import os
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final

from dicecup.analysis.trainer import Answer
from dicecup.terminal.errors import StorageError, TerminalCode, TerminalError

NAME: Final = "training.jsonl"


class HistoryCode(StrEnum):
    """Why a history is not read."""

    NOT_A_HISTORY = "not-a-history"


class HistoryError(TerminalError):
    """A history with a line that is not an answer (`details`: `file`, and `line`,
    counted from 1)."""


def default_path() -> Path:
    """Return the file of the answers."""
    from platformdirs import user_data_path

    return user_data_path("dicecup") / NAME


def load(path: Path) -> tuple[Answer, ...]:
    """Return all answers; none if the file does not exist.

    Raises `StorageError` if the file cannot be read and `HistoryError` for a damaged line.
    """
    answers = []
    for number, line in enumerate(_lines(path), 1):
        answer = _answer(line)
        if answer is None:
            raise HistoryError(HistoryCode.NOT_A_HISTORY, file=path, line=number)
        answers.append(answer)
    return tuple(answers)


def rescue(path: Path) -> Path:
    """Copy a damaged file, keep its readable answers in the file, and return the path of the copy.
    Raises `StorageError`.
    """
    lines = _lines(path)
    aside = next(other for number in count(1) if not (other := path.with_name(f"{path.name}.damaged-{number}")).exists())
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        aside.write_bytes(b"".join(lines))
        scratch.write_bytes(b"".join(line for line in lines if _answer(line) is not None))
        scratch.replace(path)
    except OSError as error:
        raise _cannot_save(path, error) from None
    return aside


def append(path: Path, answer: Answer) -> None:
    """Append an answer and wait until it is on the disk. Raises `StorageError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(f"{json.dumps(answer.to_json())}\n".encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _cannot_save(path, error) from None


def _lines(path: Path) -> list[bytes]:
    """Return the lines with their line feeds. The last one may have none."""
    try:
        return path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_READ, file=path, why=error.strerror) from None


def _answer(line: bytes) -> Answer | None:
    """Return the answer of a line, `None` for a damaged line or a line without a line feed."""
    try:
        return Answer.from_json(json.loads(line)) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None


def _cannot_save(path: Path, error: OSError) -> StorageError:
    """Return the error for a file that cannot be written."""
    return StorageError(TerminalCode.CANNOT_SAVE, file=path, why=error.strerror)
