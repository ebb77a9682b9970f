"""Who sits at the table: people at this keyboard, and the computer at a level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dicecup.table.seats import is_name
from dicecup.terminal.errors import TableCode, TableError

HUMAN: Final = "human"
ELSEWHERE: Final = "elsewhere"
"""Somebody plays here, at another device."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A name, and `human` or the level of the computer."""

    name: str
    player: str = HUMAN

    @property
    def is_human(self) -> bool:
        """Whether somebody at the keyboard plays here."""
        return self.player == HUMAN

    @property
    def is_computer(self) -> bool:
        """Whether the computer plays here, at a level."""
        return self.player not in (HUMAN, ELSEWHERE)


def seat_from_text(text: str, levels: Sequence[str]) -> Seat:
    """`Anna`, `Anna=human`, `Robo=greedy`; a level alone, `greedy`, is a computer of that name.

    Raises `TableError` (`not-a-name`, `not-a-level`)."""
    name, equals, player = (part.strip() for part in text.partition("="))
    if not equals:
        player = name.lower() if name.lower() in levels else HUMAN
    if not is_name(name):
        raise TableError(TableCode.NOT_A_NAME, text=name)
    if player != HUMAN and player not in levels:
        raise TableError(TableCode.NOT_A_LEVEL, text=player, levels=", ".join(levels))
    return Seat(name, player)


def seats_from_texts(texts: Sequence[str], levels: Sequence[str]) -> tuple[Seat, ...]:
    """All seats; a second computer of the same level gets a number. Raises `TableError` (as `seat_from_text`, `name-twice`)."""
    seats: list[Seat] = []
    for text in texts:
        seat = seat_from_text(text, levels)
        taken = {other.name.casefold() for other in seats}
        if seat.name.casefold() in taken:
            if seat.is_human or seat.name.lower() != seat.player:
                raise TableError(TableCode.NAME_TWICE, text=seat.name)
            seat = Seat(next(name for n in range(2, 99) if (name := f"{seat.name} {n}").casefold() not in taken), seat.player)
        seats.append(seat)
    return tuple(seats)
