"""The interface between the arena and one game, with defaults that work for every game."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from dicecup.arena.block import Columns, GameFigures, Series
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.core.game import Position, Rules
from dicecup.engine.turn.value import TurnValues

Simulator: TypeAlias = Callable[[int, int], Columns]
"""A function that plays games: the number of the first one, the number of games → their figures."""
Evaluate: TypeAlias = Callable[[Position], TurnValues]
"""A function that returns the values of the turn that begins in a position, for the player on turn.

In Yamm they are the points to come, in Yam Master the expected result: 1 won, -1 lost. Only their
differences count.
"""


class GameArena:
    """The arena of a game without compiled kernels. Arguments are rules and positions of this
    game."""

    def simulator(self, game: Any, setup: Series) -> Simulator | None:  # noqa: ARG002 no kernel plays this game
        """Return the function that plays games in compiled kernels, `None` where there is none.

        Raises `TablesError`."""
        return None

    def evaluator(self, game: Any, levels: Sequence[str]) -> Evaluate | None:  # noqa: ARG002 nothing is trained
        """Return the evaluation that measures the luck of the dice, `None` where there is none.

        Raises `TablesError`."""
        return None

    def declared(self, position: Any) -> bool:  # noqa: ARG002 a game without a Défi ignores it
        """Return whether a Défi was declared in this turn."""
        return False

    def simulated_game(self, game: Rules) -> Rules:
        """Return the game that `simulate` plays. Raises `ArenaError`
        (`wrong-number-of-players`)."""
        return game

    def solo_figures(self, position: Any) -> GameFigures:  # noqa: ARG002 the total says it all
        """Return figures of a finished game of one player, besides its total."""
        return {}

    def solo_summary(self, columns: Columns) -> dict[str, Any]:  # noqa: ARG002 there are no such figures
        """Return the means of the figures of `solo_figures`."""
        return {}

    def seat_names(self, game: Rules) -> tuple[str, ...]:
        """Return the names of the seats in summaries."""
        return game.player_tags


def wrong_players(game: Rules, given: int) -> ArenaError:
    """Return the error for a game with another number of players."""
    return ArenaError(ArenaCode.WRONG_PLAYERS, game=game.id, seats=game.players, given=given)
