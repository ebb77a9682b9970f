"""Who plays which turn, and who may write and correct it (RULES, Yamm, "Players and order").

Players, sheets and pairs are numbered from 0 in the order of play; the texts call player 0 `P1`. Turns are numbered from 1.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from dicecup.core.errors import TextError
from dicecup.yamm.codes import TagCode
from dicecup.yamm.options import Options

Writers: TypeAlias = tuple[int | None, ...]
"""Of each sheet the player who was named its writer, if one was."""

_PLAYER: Final = re.compile(r"P([1-9][0-9]?)", re.ASCII)


def player_of_turn(options: Options, turn: int) -> int:
    """Who throws in this turn."""
    return (turn - 1) % options.players


def sheet_of_turn(options: Options, turn: int) -> int:
    """Which sheet this turn is written on."""
    return (turn - 1) % options.sheets


def players_of_sheet(options: Options, sheet: int) -> tuple[int, ...]:
    """Whose sheet it is: one player, or the two of a pair in the order of play."""
    return (sheet, sheet + options.sheets) if options.pairs else (sheet,)


def turns_of_sheet(options: Options, sheet: int, number: int) -> int:
    """How many turns the sheet has had when turn `number` is to be played."""
    return (number - 2 - sheet) // options.sheets + 1


def last_turn(options: Options, sheet: int, number: int) -> int | None:
    """The sheet's last turn before turn `number`; None before its first."""
    turns = turns_of_sheet(options, sheet, number)
    return (turns - 1) * options.sheets + sheet + 1 if turns else None


def writer_of_turn(options: Options, turn: int, writers: Writers = ()) -> int:
    """Who writes the result of this turn, and may correct it: the writer named for the sheet, else whoever threw."""
    named = writers[sheet_of_turn(options, turn)] if writers else None
    return player_of_turn(options, turn) if named is None else named


def named_writers(options: Options, people: Sequence[bool], named: Iterable[int]) -> Writers | None:
    """Return for each sheet the player who is named its writer, or `None` where these players cannot be named.

    `people`: for each player whether a person plays. At most one player of a pair is named, and only where both partners are people
    or both are computers.
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


def writers_from_text(options: Options, text: str) -> Writers:
    """Reads `P2 P4`: at most one player of each pair, one at least, ascending. Raises `TextError` (`not-writers`)."""
    named = [int(match[1]) - 1 for match in map(_PLAYER.fullmatch, text.split(" ")) if match]
    writers = tuple(
        next((player for player in players_of_sheet(options, sheet) if player in named), None)
        for sheet in range(options.sheets)
    )
    if not options.pairs or not text or writers_text(writers) != text:
        raise TextError(TagCode.NOT_WRITERS, text=text)
    return writers


def writers_text(writers: Writers) -> str:
    """The canonical text, as `writers_from_text` reads it; empty where no writer is named."""
    return " ".join(f"P{player + 1}" for player in sorted(player for player in writers if player is not None))
