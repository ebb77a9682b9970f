"""Seats and the names of those who sit on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from dicecup import yam_master, yamm
from dicecup.core.game import Position, Rules
from dicecup.table.errors import TableCode, TableError
from dicecup.yamm import Options
from dicecup.yamm.seats import last_turn, player_of_turn, players_of_sheet, sheet_of_turn

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


def player_count(game: Rules) -> int:
    """How many seats the game has."""
    return game.options.players if isinstance(game, yamm.Yamm) else 2


@cache
def player_tags(game: Rules) -> tuple[str, ...]:
    """The tags of a record that hold the players' names, in the order of play."""
    return tuple(f"P{place + 1}" for place in range(game.options.players)) if isinstance(game, yamm.Yamm) else ("X", "O")


def side_count(game: Rules) -> int:
    """How many there are to win: x and o, or the sheets."""
    return game.options.sheets if isinstance(game, yamm.Yamm) else 2


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
    """Return the name of a computer: its level, with a number if the level is one of the `others`."""
    taken = {other.casefold() for other in others}
    count = 2
    name = level
    while name.casefold() in taken:
        name = f"{level} {count}"
        count += 1
    return name


def player_to_act(position: Position) -> int:
    """The place of the player whose turn it is, from 0 in the order of play; after the end the one
    who would be next.
    """
    if isinstance(position, yam_master.Position):
        return int(position.to_move)
    return player_of_turn(position.game.options, position.number)


def wet_turn(position: Position) -> int | None:
    """The turn whose result the throw now due would make final, if it would any."""
    if not isinstance(position, yamm.Position) or position.sheet is None or position.turn is None or position.turn.throws:
        return None
    return None if position.wet[position.sheet] is None else last_turn(position.game.options, position.sheet, position.number)


def named_writers(options: Options, people: Sequence[bool], named: Iterable[int]) -> tuple[int | None, ...] | None:
    """Of each sheet the player who is named its writer; None where they cannot be: one of each pair
    at most, and only where both are people or both computers.

    Players count from 0 in the order of play or of seating: pairs are the same in both.
    """
    places = tuple(named)
    if not set(places) <= set(range(options.players)) or len(set(places)) != len(places) or (places and not options.pairs):
        return None
    found: list[int | None] = []
    for sheet in range(options.sheets):
        pair = players_of_sheet(options, sheet)
        writing = [place for place in pair if place in places]
        mixed = len({people[place] for place in pair}) == 2
        if len(writing) == 2 or (writing and mixed):
            return None
        found.append(writing[0] if writing else None)
    return tuple(found)


def writer(options: Options, people: Sequence[bool], named: Iterable[int], turn: int) -> int:
    """Who writes the result of this turn, and may correct it: the writer named for the pair, else
    whoever threw.

    A person writes for no computer and the other way round, so nobody writes for a partner who was
    replaced by one.
    """
    thrower = player_of_turn(options, turn)
    pair = players_of_sheet(options, sheet_of_turn(options, turn))
    for place in named:
        if place in pair and people[place] == people[thrower]:
            return place
    return thrower
