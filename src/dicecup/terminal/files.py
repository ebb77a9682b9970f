"""The files of saved games: one record for each game, in the data folder of the platform."""

import errno
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import Final

from dicecup import record
from dicecup.record import Record, RecordError
from dicecup.terminal.errors import StorageError, TerminalCode

SUFFIX: Final = ".dicecup"
_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_MATCH_NUMBER: Final = re.compile(r"-([1-9][0-9]*)\Z", re.ASCII)


def default_folder() -> Path:
    """Return the platform's folder for saved games."""
    from platformdirs import user_data_path

    return user_data_path("dicecup") / "games"


def new_path(game: str) -> Path:
    """Return an unused path: the time, the game, and two random bytes, which distinguish games that
    begin in the same second.
    """
    now = datetime.now().astimezone()
    return default_folder() / f"{now:%Y-%m-%d-%H%M%S}-{game}-{token_hex(2)}{SUFFIX}"


def numbered(path: Path, number: int) -> Path:
    """Return the file of a later game of a match: `name-2.dicecup` beside `name.dicecup`."""
    stem = path.stem if number == 2 else _MATCH_NUMBER.sub("", path.stem)
    return path.with_name(f"{stem}-{number}{path.suffix}")


def create(path: Path, new: Record) -> None:
    """Save a new game. Raises `StorageError`, also if the file exists."""
    if path.exists():
        raise StorageError(TerminalCode.FILE_EXISTS, file=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_save(path, error) from None
    _save(path, new)


def replace(path: Path, old: Record, new: Record) -> None:
    """Save the next state of a game. Raises `StorageError`, also if another program has changed the
    file.
    """
    try:
        unchanged = path.read_bytes() == old.to_text().encode()
    except FileNotFoundError:
        unchanged = True  # a file that was moved away is written again
    except OSError as error:
        raise _cannot_save(path, error) from None
    if not unchanged:
        raise StorageError(TerminalCode.CHANGED_ELSEWHERE, file=path)
    _save(path, new)


def _save(path: Path, new: Record) -> None:
    """Write a record. Raises `StorageError`."""
    try:
        record.save(path, new)
    except OSError as error:
        raise _cannot_save(path, error) from None


def _cannot_save(path: Path, error: OSError) -> StorageError:
    """Return the error for a file that cannot be written (`disk-full` or `cannot-save`)."""
    code = TerminalCode.DISK_FULL if error.errno in _NO_SPACE else TerminalCode.CANNOT_SAVE
    return StorageError(code, file=path, why=error.strerror)


def load(path: Path) -> Record:
    """Return the record of a file.

    Raises `StorageError` if the file cannot be read and `RecordError` if the record is refused.
    """
    try:
        return record.load(path)
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_READ, file=path, why=error.strerror) from None


def newest_unfinished(folder: Path) -> Path:
    """Return the newest file of a game that can go on. Records that cannot be read are skipped.

    Raises `StorageError` (`nothing-to-resume`).
    """
    for path in _newest_first(folder):
        try:
            tags = load(path).tags
        except (StorageError, RecordError):
            continue
        if "End" not in tags or next_in_match(path, tags) is not None:
            return path
    raise StorageError(TerminalCode.NOTHING_TO_RESUME, file=folder)


def next_in_match(path: Path, tags: dict[str, str]) -> Path | None:
    """Return the file of the next game of a match, `None` if the match is over or the next game
    exists.
    """
    from dicecup.record.match import MatchGame

    if "Match" not in tags:
        return None
    game = MatchGame.from_text(tags["Match"])
    following = numbered(path, game.number + 1)
    return None if game.number == game.games or following.exists() else following


def _newest_first(folder: Path) -> Iterator[Path]:
    """Return the files of games, the most recently changed first. Hidden files are left out."""
    found = [(path.stat().st_mtime_ns, path) for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
    return (path for _, path in sorted(found, reverse=True))
