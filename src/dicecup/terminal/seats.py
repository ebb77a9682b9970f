"""The seats of a table as entries and records name them: people, and computers at a level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dicecup.table.names import hides_characters, is_name, name_key
from dicecup.terminal.errors import TerminalCode, TerminalError

HUMAN: Final = "human"
ELSEWHERE: Final = "elsewhere"
"""The player of a seat whose person sits at another device."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: the name, and `human`, `elsewhere` or the level of the computer."""

    name: str
    player: str = HUMAN

    @property
    def is_human(self) -> bool:
        """Return whether a person at this keyboard plays here."""
        return self.player == HUMAN

    @property
    def is_computer(self) -> bool:
        """Return whether a computer plays here."""
        return self.player not in (HUMAN, ELSEWHERE)


def seat_from_text(text: str, levels: Sequence[str]) -> Seat:
    """Return the seat of a text: `Anna`, `Anna=human`, `Robo=greedy`, or `greedy` for a computer
    that is called by its level.

    Raises `TerminalError` (`not-a-name`, `hidden-in-name`, `not-a-level`).
    """
    name, equals, player = (part.strip() for part in text.partition("="))
    if not equals:
        player = name.lower() if name.lower() in levels else HUMAN
    if name and hides_characters(name):
        raise TerminalError(TerminalCode.HIDDEN_IN_NAME, text=name)
    if not is_name(name):
        raise TerminalError(TerminalCode.NOT_A_NAME, text=name)
    if player != HUMAN and player not in levels:
        raise TerminalError(TerminalCode.NOT_A_LEVEL, text=player, levels=", ".join(levels))
    return Seat(name, player)


def seats_from_texts(texts: Sequence[str], levels: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats of texts. Further computers of the same level get a number in their names.

    Raises `TerminalError` (`name-twice`, and as `seat_from_text`).
    """
    seats: list[Seat] = []
    for text in texts:
        seat = seat_from_text(text, levels)
        taken = {name_key(other.name) for other in seats}
        if name_key(seat.name) in taken:
            if seat.is_human or seat.name.lower() != seat.player:
                raise TerminalError(TerminalCode.NAME_TWICE, text=seat.name)
            seat = Seat(next(name for n in range(2, 99) if name_key(name := f"{seat.name} {n}") not in taken), seat.player)
        seats.append(seat)
    return tuple(seats)
