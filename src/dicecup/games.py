"""The registry of games. A game id names the rules, and the rules read every text of the game.

Games are entry points in the group `dicecup.games`; the name of the entry point is the name in game ids, and its value is the
class of the rules (`dicecup.core.game.Rules`).

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


@cache
def names() -> tuple[str, ...]:
    """Return the names of all registered games, our own first."""
    registered = [*_own(), *sorted(entry_points(group=GROUP), key=lambda point: point.name)]
    return tuple(dict.fromkeys(point.name for point in registered))


@cache
def rules(name: str) -> type[Rules]:
    """Return the class of the rules that is registered under a name. Raises `GameError`
    (`not-a-game`).

    Our own games are found without a search through all installed packages, which takes longer than
    the rest of a start.
    """
    registered: Iterable[EntryPoint]
    for registered in (_own(), entry_points(group=GROUP)):
        for point in registered:
            if point.name == name:
                found: type[Rules] = point.load()
                return found
    raise GameError(TextCode.NOT_A_GAME, text=name)


def _own() -> list[EntryPoint]:
    """Return the games of this distribution; none where it is not installed."""
    try:
        return [point for point in distribution("dicecup").entry_points if point.group == GROUP]
    except PackageNotFoundError:
        return []


@lru_cache(maxsize=64)
def from_id(text: str) -> Rules:
    """Return the rules of a canonical game id.

    Raises `GameError` (`not-a-game`, `unknown-option`, `option-order`, `option-default`,
    `option-value`, and what the game itself refuses).
    """
    name, _ = split_id(text)
    try:
        kind = rules(name)
    except GameError:
        raise GameError(TextCode.NOT_A_GAME, text=text) from None
    return kind.from_id(text)


def position(game_id: str, text: str) -> Position:
    """Return the position of a canonical text. Raises `GameError`, `TextError` and `PositionError`."""
    return from_id(game_id).position(text)


@cache
def ends() -> frozenset[str]:
    """Return the values of the record tag `End` with which the rules of some game end it."""
    return frozenset(end for name in names() for end in rules(name).ends)
