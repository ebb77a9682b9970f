"""What is written and read, as values: rows of a state, and what a table looks like at a glance."""

from dataclasses import dataclass
from typing import NamedTuple


class Row(NamedTuple):
    """One event as it is stored. `time` in seconds since 1970; `body`: JSON; `command_id` only at the last event of a command."""

    table: str
    number: int
    time: float
    body: str
    identity: str | None = None
    command_id: str | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """What derives from the events of a table. `state`: open, running or over; `creator`: whose it is; `wake`: when the table must be looked after, though
    nobody asks; `summary`: JSON; `seats`: each identity with its outcome (won, drawn, lost) once there is one, `None` where they are as they were; `faces`: how often the
    server's dice showed each face, at the end of the game only, and `ended`, when that was."""

    table: str
    game: str
    state: str
    created: float
    creator: str | None
    wake: float | None
    summary: str
    seats: tuple[tuple[str, str | None], ...] | None
    ended: float | None = None
    faces: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """New rows of one table, with consecutive numbers, and what its digest now is; `None`: as it was."""

    rows: tuple[Row, ...]
    digest: Digest | None = None


class Raced(Exception):  # noqa: N818 nothing went wrong
    """Another worker was first: one of these numbers, or this command, is already there. Nothing was written."""
