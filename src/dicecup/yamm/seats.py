"""Players, sheets and writers of turns (docs/rules.md, Yamm, "Players and order").

Players, sheets and pairs count from 0 in the order of play; texts call player 0 `P1`. Turns count
from 1.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from dicecup.core.errors import TextError
from dicecup.yamm.codes import TagCode
from dicecup.yamm.options import Options

Writers: TypeAlias = tuple[int | None, ...]
"""For each sheet the player who is named its writer, or `None`."""

_PLAYER: Final = re.compile(r"P([1-9][0-9]?)", re.ASCII)


def sheet_of_turn(options: Options, turn: int) -> int:
    """Return the sheet of a turn."""
    return (turn - 1) % options.sheets


def players_of_sheet(options: Options, sheet: int) -> tuple[int, ...]:
    """Return the players of a sheet: one player, or the two players of a pair in the
    order of play."""
    return (sheet, sheet + options.sheets) if options.pairs else (sheet,)


def turns_of_sheet(options: Options, sheet: int, number: int) -> int:
    """Return the number of turns that a sheet has had before turn `number`."""
    return (number - 2 - sheet) // options.sheets + 1


def last_turn(options: Options, sheet: int, number: int) -> int | None:
    """Return the last turn of a sheet before turn `number`, `None` before its first turn."""
    turns = turns_of_sheet(options, sheet, number)
    return (turns - 1) * options.sheets + sheet + 1 if turns else None


def named_writers(options: Options, people: Sequence[bool], named: Iterable[int]) -> Writers | None:
    """Return for each sheet the player who is named its writer, or `None` where these players
    cannot be named.

    `people`: for each player whether a person plays. At most one player of a pair is named, and
    only where both partners are people or both are computers.
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
    """Return the writers of a text such as `P2 P4`: ascending, at least one player, and at most one
    of each pair.

    Raises `TextError` (`not-writers`).
    """
    named = [int(match[1]) - 1 for match in map(_PLAYER.fullmatch, text.split(" ")) if match]
    writers = tuple(
        next((player for player in players_of_sheet(options, sheet) if player in named), None)
        for sheet in range(options.sheets)
    )
    if not options.pairs or not text or writers_text(writers) != text:
        raise TextError(TagCode.NOT_WRITERS, text=text)
    return writers


def writers_text(writers: Writers) -> str:
    """Return the canonical text of writers, which `writers_from_text` reads; empty if no writer is
    named.
    """
    return " ".join(f"P{player + 1}" for player in sorted(player for player in writers if player is not None))
