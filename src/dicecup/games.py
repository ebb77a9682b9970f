"""The registry of games: from the name in a game id to the rules.

A game is an entry point in the group `dicecup.games`. The name of the entry point is the name of
the game in game ids. Its value is the class of the rules, which implements
`dicecup.core.game.Rules`.

>>> from dicecup import games
>>> games.from_id("yam-master(captured=out)").id
'yam-master(captured=out)'
>>> games.position("yam-master", "5/5/5/5/5 x 1:11346 12-12 1").actions[0]
KeepDice(kept=dice(''), defi=False)
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import Final

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Position, Rules
from dicecup.core.ids import split_id

GROUP: Final = "dicecup.games"
"""Group of the entry points."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of all registered games, those of this distribution first."""
    registered = [*_own(), *sorted(entry_points(group=GROUP), key=lambda point: point.name)]
    return tuple(dict.fromkeys(point.name for point in registered))


@cache
def rules(name: str) -> type[Rules]:
    """Return the class of the rules that is registered under a name.

    Raises `GameError` (`not-a-game`). The games of this distribution are tried first: a search
    through all installed packages takes longer than the rest of a start.
    """
    registered: Iterable[EntryPoint]
    for registered in (_own(), entry_points(group=GROUP)):
        for point in registered:
            if point.name == name:
                found: type[Rules] = point.load()
                return found
    raise GameError(TextCode.NOT_A_GAME, text=name)


def _own() -> list[EntryPoint]:
    """Return the entry points of the games in this distribution, none if it is not installed."""
    try:
        return [point for point in distribution("dicecup").entry_points if point.group == GROUP]
    except PackageNotFoundError:
        return []


@lru_cache(maxsize=64)
def from_id(text: str) -> Rules:
    """Return the rules of a canonical game id.

    Raises `GameError` (`not-a-game`, `unknown-option`, `option-order`, `option-default`,
    `option-value`, or a code of the game itself).
    """
    name, _ = split_id(text)
    try:
        kind = rules(name)
    except GameError:
        raise GameError(TextCode.NOT_A_GAME, text=text) from None
    return kind.from_id(text)


def position(game_id: str, text: str) -> Position:
    """Return the position of a canonical game id and a canonical text.

    Raises `GameError` for the id, and `TextError` or `PositionError` for the text.
    """
    return from_id(game_id).position(text)


@cache
def ends() -> frozenset[str]:
    """Return the values of the record tag `End` for games that the rules of any game ended."""
    return frozenset(end for name in names() for end in rules(name).ends)
