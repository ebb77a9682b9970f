"""Evaluations of Yam Master. The values of all ways to end a turn give the values of the turn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from dicecup.analysis.evaluation import Evaluation, Unit, turn_to_decide
from dicecup.core.game import Action as AnyAction
from dicecup.core.turn import BEGIN
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yam_master.evaluation.decisions import turn_of
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.players.yam_master import YamMasterExpert, YamMasterMaster, evaluation
from dicecup.yam_master import Action, Position, Squares, YamMaster

if TYPE_CHECKING:
    from dicecup.engine.yam_master.exact.solve import Solution

TURNS_KEPT: Final = 64
"""Turns in the cache. A review asks for the same turn at every throw and decision."""
NEVER: Final = float("-inf")
"""The value of a move that is not to be made."""


class BoardEvaluation(Evaluation):
    """An evaluation from the values of moves.

    `values`: the function that returns the value of each action of a decision, as a probability to
    win. `moves`: the function that returns the values of all moves of a turn as an array of shape
    (moves,): 1 for a win, -1 for a loss.
    """

    unit = Unit.CHANCE

    def __init__(
        self,
        values: Callable[[Position], Mapping[Action, float]],
        moves: Callable[[Position], Any],
        *,
        exact: bool = False,
    ) -> None:
        self.exact = exact
        self._values = values
        self._moves = lru_cache(TURNS_KEPT)(moves)
        self._turn = lru_cache(TURNS_KEPT)(self._solve)

    def values(self, position: Position) -> dict[AnyAction, float]:
        """Return the value of each of `position.actions`, in their order."""
        turn_to_decide(position)
        return dict(self._values(position).items())

    def turn(self, position: Position) -> TurnValues:
        """Return the values of the whole turn."""
        return self._turn(replace(position, turn=BEGIN, defi=False), Squares(0))

    def turn_without(self, position: Position, squares: Squares) -> TurnValues:
        """Return the values of the whole turn, if it cannot end with a token on these squares or
        with a removal from them."""
        return self._turn(replace(position, turn=BEGIN, defi=False), squares)

    def declared(self, position: Position) -> bool:
        """Return whether a Défi was declared in this turn."""
        return position.defi

    def _solve(self, position: Position, without: Squares) -> TurnValues:
        rules = rules_of(position.game)
        values = (1 + self._moves(position).astype("float64")) / 2
        for place in range(rules.squares):
            if without >> place & 1:
                values[place] = values[rules.squares + place] = NEVER
        return turn_of(rules, values)


def by_tables(game: YamMaster, player: str, *, work: int | None, seconds: float | None) -> Evaluation:
    """Return the evaluation of `expert` or `master`. Raises `TablesError`."""
    evaluation(game)  # loads the tables, so that a missing table is reported here
    playing = YamMasterExpert() if player == "expert" else YamMasterMaster(work, seconds)
    return BoardEvaluation(playing.values, playing.move_values)


def by_solution(solved: "Solution") -> Evaluation:
    """Return the evaluation of perfect play on a solved board or from a solved late position.

    Captures that lead out of the closure of a late position have no value."""
    from dicecup.engine.yam_master.exact.decision import turn_at

    def values(position: Position) -> Mapping[Action, float]:
        return {action: (1 + value) / 2 for action, value in solved.decision(position).values.items()}

    return BoardEvaluation(values, lambda position: turn_at(solved.space, position)[0], exact=True)
