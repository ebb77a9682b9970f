"""What a solved space says about one position, at any moment of a turn."""

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
from dicecup.engine.yam_master.exact.value_kernel import NOT_ALLOWED, slot_values
from dicecup.engine.yam_master.rules.state import pack, slot_of
from dicecup.yam_master import Action, KeepDice, Position


@dataclass(frozen=True, slots=True)
class Decision:
    """The value of everything that may be done in a position, for the side to move, in the order of `position.actions`."""

    values: Mapping[Action, float]

    @property
    def value(self) -> float:
        """The best of them."""
        return max(self.values.values())

    @property
    def best(self) -> Action:
        """The action with that value; the first, if there are several."""
        return max(self.values, key=self.values.__getitem__)


def decision(space: Space, position: Position) -> Decision:
    """The values of all actions; captures that lead out of a closure are not among them. Raises `EngineError`
    (`not-a-decision`) where nobody is to decide, and as `turn`."""
    turn = position.turn
    if turn is None or turn.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    slots, values = turn_at(space, position)
    found: dict[Action, float] = {}
    for action in position.actions:
        if isinstance(action, KeepDice):
            found[action] = float(values.keep_value(turn.throws, action.kept, declared=position.defi or action.defi))
        elif slots[slot := slot_of(space.game, action)] != NOT_ALLOWED:
            found[action] = float(slots[slot])
    return Decision(found)


def value(space: Space, position: Position) -> float:
    """What a position is worth to the side to move: 1 won, 0 drawn, -1 lost. Raises `EngineError` as `turn`."""
    turn, outcome = position.turn, position.outcome
    if outcome is not None:
        return 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.to_move else -1.0
    assert turn is not None
    if not turn.waiting:
        return decision(space, position).value
    _, values = turn_at(space, position)
    return float(values.keep_value(turn.throws, Keep(turn.dice), declared=position.defi) if turn.throws else values.value)


def turn_at(space: Space, position: Position) -> tuple[NDArray[np.float64], TurnValues]:
    """What every way to end the turn is worth (slots as in `yam_master_play.rules`), and the turn. Raises `EngineError`
    (`not-solvable`) for a position that was not solved: of another game, or outside of the closure."""
    node, side, rules = node_of(pack(position)), int(position.to_move), space.rules
    place = space.find(node) if position.game == space.game else None
    if place is None:
        raise EngineError(EngineCode.NOT_SOLVABLE, name=position)
    cell, at = place
    slots = np.empty(2 * rules.squares + 1)
    lines = np.empty((2, rules.lines), np.int64)
    slot_values(rules, node, side, space.placed(*cell), space.removed(*cell), lines, slots)
    if slots[-1] == NOT_ALLOWED:
        slots[-1] = -space.tables[cell].values[at, 1 - side]
    return slots, turn_of(rules, slots)
