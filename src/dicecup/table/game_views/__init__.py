"""What a seat sees of a game: the position, the turn, and what each action would do.

One module a game, and a generic one.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from dicecup.core.game import Position, Rules
from dicecup.core.turn import THROWS
from dicecup.table.game_views import generic, yam_master, yamm
from dicecup.table.game_views.interface import GameView, View

__all__ = ["GameView", "View", "game_view", "turn_view"]

_VIEWS: Final[Mapping[str, GameView]] = {"yam-master": yam_master, "yamm": yamm}


def game_view(game: Rules) -> GameView:
    """Return the module that shows a game; the generic one for a game without a module
    of its own."""
    return _VIEWS.get(game.name, generic)


def turn_view(position: Position, order: Sequence[int], writer: int | None) -> View | None:
    """Return the current turn with its dice, `None` after the last turn.

    `order`: the seats in the order of play. `writer`: the seat that ends the turn. While dice are
    in the air, `dice` holds the kept ones.
    """
    turn = position.turn
    if turn is None or position.player is None:
        return None
    return {
        "number": position.number,
        "round": (position.number - 1) // len(order) + 1,
        "seat": order[position.player],
        "writer": writer,
        "throws": turn.throws,
        "throws_left": THROWS - turn.throws,
        "dice": list(turn.dice.faces),
        "waiting": turn.waiting,
        "locked": list(turn.locked.faces),
        "defi": game_view(position.game).has_defi(position),
    }
