"""The values of one position by a solved space, at any moment of a turn."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import Keep
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yam_master.evaluation.decisions import turn_of
from dicecup.engine.yam_master.exact.nodes_kernel import node_of
from dicecup.engine.yam_master.exact.space import Space
from dicecup.engine.yam_master.exact.value_kernel import NOT_ALLOWED, move_values
from dicecup.engine.yam_master.rules.state import move_of, pack
from dicecup.yam_master import Action, KeepDice, Position


@dataclass(frozen=True, slots=True)
class Decision:
    """The values of all actions of a position for the side to move, in the order of
    `position.actions`.
    """

    values: Mapping[Action, float]

    @property
    def value(self) -> float:
        """The highest value."""
        return max(self.values.values())

    @property
    def best(self) -> Action:
        """The action with the highest value; of several the first."""
        return max(self.values, key=self.values.__getitem__)


def decision(space: Space, position: Position) -> Decision:
    """Return the values of all actions. Captures that lead out of a closure are missing.

    Raises `EngineError` (`not-a-decision`) where no decision is due, and as `turn_at`.
    """
    turn = position.turn
    if turn is None or turn.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    moves, values = turn_at(space, position)
    found: dict[Action, float] = {}
    for action in position.actions:
        if isinstance(action, KeepDice):
            found[action] = float(values.keep_value(turn.throws, action.kept, declared=position.defi or action.defi))
        elif moves[move := move_of(space.game, action)] != NOT_ALLOWED:
            found[action] = float(moves[move])
    return Decision(found)


def value(space: Space, position: Position) -> float:
    """Return the value of a position for the side to move: 1 won, 0 drawn, -1 lost. Raises as
    `turn_at`.
    """
    turn, outcome = position.turn, position.outcome
    if outcome is not None:
        return 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.to_move else -1.0
    assert turn is not None
    if not turn.waiting:
        return decision(space, position).value
    _, values = turn_at(space, position)
    return float(values.keep_value(turn.throws, Keep(turn.dice), declared=position.defi) if turn.throws else values.value)


def turn_at(space: Space, position: Position) -> tuple[NDArray[np.float64], TurnValues]:
    """Return the values of all moves (see `rules.state`) and the solved turn.

    Raises `EngineError` (`not-solvable`) for a position that was not solved: one of another game,
    or outside of the closure.
    """
    node, side, rules = node_of(pack(position)), int(position.to_move), space.rules
    place = space.find(node) if position.game == space.game else None
    if place is None:
        raise EngineError(EngineCode.NOT_SOLVABLE, name=position)
    cell, at = place
    moves = np.empty(2 * rules.squares + 1)
    move_values(rules, node, side, space.placed(*cell), space.removed(*cell), moves)
    if moves[-1] == NOT_ALLOWED:
        moves[-1] = -space.tables[cell].values[at, 1 - side]
    return moves, turn_of(rules, moves)
