"""Yam Master solved exactly, compared with a slow solver that follows the rules alone."""

from typing import Final, TypeAlias

import numpy as np
import pytest

from dicecup.core.dice import ROLLS
from dicecup.core.turn import BEGIN, Turn
from dicecup.engine.turn.batch import turn_values
from dicecup.yam_master import (
    Options,
    Position,
    Side,
    Squares,
    YamMaster,
)
from tests.engine.yam_master.exact.solved_boards import VARIED, board, ends, result, with_turn
from tests.sweep import sweep

Begun: TypeAlias = tuple[Squares, Squares, Side, tuple[int, int]]
"""The fields in which positions at the beginning of a turn differ."""
After: TypeAlias = float | Begun
"""The result of a turn: a result for the side that is then to move, or a position."""
STAGES: Final = ((1, False), (2, False), (3, False), (2, True), (3, True))


def key_of(position: Position) -> Begun:
    return position.x, position.o, position.to_move, position.supplies


class Slow:
    """Value iteration over positions of the rules.

    `test_value` tests the turn itself against every order of dice.
    """

    def __init__(self, game: YamMaster) -> None:
        self.game = game
        self.follows: dict[Begun, tuple[list[list[After]], list[list[int]]]] = {}
        """Beginning of a turn → the sets of positions after it, and each roll's index of a set."""
        waiting = [game.start()]
        while waiting:
            position = waiting.pop()
            if key_of(position) not in self.follows:
                self.follows[key_of(position)] = self._ends(position, waiting)
        self.values: dict[Begun, float] = dict.fromkeys(self.follows, 0.0)

    def _ends(self, position: Position, waiting: list[Position]) -> tuple[list[list[After]], list[list[int]]]:
        groups: list[list[After]] = []
        known: dict[tuple[Squares, Squares], int] = {}
        rows = [[with_turn(position, Turn(throws, shown), defi=defi) for shown in ROLLS] for throws, defi in STAGES]
        for shown in (shown for row in rows for shown in row):
            if (shown.placeable, shown.removable) not in known:
                known[shown.placeable, shown.removable] = len(groups)
                groups.append([self._after(shown.play(action), waiting) for action in ends(shown)])
        return groups, [[known[shown.placeable, shown.removable] for shown in row] for row in rows]

    def _after(self, position: Position, waiting: list[Position]) -> After:
        if position.turn is None:
            return result(position)
        waiting.append(position)
        return key_of(position)

    def value_of(self, after: After) -> float:
        """Return a result, or the value of a position."""
        return after if isinstance(after, float) else self.values[after]

    def sweep(self) -> float:
        """Improve every value once and return the largest change."""
        moved = 0.0
        for position, (groups, rows) in self.follows.items():
            values = np.array([-min(map(self.value_of, afters)) for afters in groups])[rows]
            value = turn_values(values[:3], values[3:], kept_dice=self.game.options.kept_dice).value
            moved = max(moved, abs(value - self.values[position]))
            self.values[position] = value
        return moved


@sweep("options", VARIED, ids=lambda options: YamMaster(options).id)
def test_every_value_of_a_tiny_board_equals_the_slow_solver(options: Options) -> None:
    solution = board("1 Full/Suite Defi", 2, options)
    slow = Slow(solution.position.game)
    assert len(slow.follows) == solution.states
    while slow.sweep() > 1e-11:
        pass
    for (x, o, side, supplies), value in slow.values.items():
        position = Position(slow.game, x, o, side, BEGIN, False, supplies, 1 + side)
        assert solution.value_of(position) == pytest.approx(value, abs=1e-9), position
