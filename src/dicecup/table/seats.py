"""Seats and the names of those who sit on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dicecup.table.errors import TableCode, TableError

LONGEST_NAME: Final = 40
"""The most characters of a name."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat with the person or the computer on it, or a free seat.

    `identity` belongs to a person and is known to this server alone. `level` belongs to a computer.
    `hash` is the commitment to the seat's seed, `seed` the revealed seed in hex: empty for a
    computer's and for one that was not revealed in time.
    """

    name: str = ""
    identity: str | None = None
    level: str = ""
    hash: str | None = None
    seed: str | None = None

    @property
    def is_taken(self) -> bool:
        """Return whether a person or a computer sits here."""
        return self.is_human or bool(self.level)

    @property
    def is_human(self) -> bool:
        """Return whether a person sits here."""
        return self.identity is not None


def people_among(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return the numbers of the seats of people, ascending."""
    return tuple(seat for seat, held in enumerate(seats) if held.is_human)


def is_name(text: str) -> bool:
    """Return whether a text is a name: 1 to 40 printable characters, no space at either end."""
    return text == text.strip() and 1 <= len(text) <= LONGEST_NAME and text.isprintable()


def check_name(text: str, others: Iterable[str]) -> None:
    """Raise `TableError` for a text that is no name (`not-a-name`) or is taken (`name-twice`)."""
    if not is_name(text):
        raise TableError(TableCode.NOT_A_NAME, text=text)
    if text.casefold() in {other.casefold() for other in others}:
        raise TableError(TableCode.NAME_TWICE, text=text)


def free_name(level: str, others: Iterable[str]) -> str:
    """Return the name of a computer: its level, with a number if the level is one of the
    `others`."""
    taken = {other.casefold() for other in others}
    count = 2
    name = level
    while name.casefold() in taken:
        name = f"{level} {count}"
        count += 1
    return name
