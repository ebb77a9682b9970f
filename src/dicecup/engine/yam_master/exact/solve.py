"""Yam Master solved exactly: small boards from their start, and late positions of the full board.

Values are expected results: 1 for a win, 0 for a draw, -1 for a loss. Endless passing counts as a
draw.
"""

from dataclasses import dataclass, field
from itertools import count
from math import inf
from time import perf_counter
from typing import Final

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.progress import Progress, unwatched
from dicecup.engine.yam_master.exact.decision import Decision, decision, value
from dicecup.engine.yam_master.exact.nodes_kernel import node_of
from dicecup.engine.yam_master.exact.play import Played, play
from dicecup.engine.yam_master.exact.size import most_states
from dicecup.engine.yam_master.exact.space import Space
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import Position, YamMaster

LIMIT: Final = 100_000_000
"""The most states that are solved without another limit, at about 20 bytes each."""
BOARD_ACCURACY: Final = 1e-12
"""The allowed distance of a board's iterated values from their limit, estimated from the last
steps.
"""
NOISE: Final = 1e-14
"""Steps of this size are rounding."""
LATE_ACCURACY: Final = 1e-8
"""The value of a late position is iterated until a sweep changes it by less."""
CHANGE: Final = 1e-6
"""A closure is large enough when one capture more changes its value by less."""
FEWEST_CAPTURES: Final = 3
"""The fewest captures after which `CHANGE` is considered: a capture may change nothing until it can
be answered.
"""


@dataclass(frozen=True)
class Solution:
    """A solved position.

    `value`: for the side to move in `position`. `states`: the number of positions at the beginning
    of a turn, with either side to move. `seconds`: the time that solving took.
    """

    position: Position
    value: float
    states: int
    seconds: float
    space: Space = field(repr=False, compare=False)

    def value_of(self, position: Position) -> float:
        """Return the value of another position, at any moment of a turn, for its side to move.

        Raises `EngineError` (`not-solvable`) where it was not solved.
        """
        return value(self.space, position)

    def decision(self, position: Position) -> Decision:
        """Return the values of all actions of a position. Raises `EngineError` (`not-solvable`,
        `not-a-decision`).
        """
        return decision(self.space, position)

    def play(self, games: int, seed: int, progress: Progress = unwatched) -> Played:
        """Play games from `position` on, both sides with the best action. Their mean result must
        agree with `value`.
        """
        return play(self.space, self.position, games, seed, progress)


@dataclass(frozen=True)
class LateSolution(Solution):
    """A closure over at most `captures` further captures.

    `last_change`: the change of the value by the last of them; 0 where all captures are included.
    """

    captures: int = 0
    last_change: float = 0.0


def solve_board(game: YamMaster, *, progress: Progress = unwatched, limit: int = LIMIT) -> Solution:
    """Solve a game from its start, on any board that is small enough.

    Where captured tokens return, capturing and placing can repeat. Then all values are improved
    from the fewest captures on until they stand still; each sweep allows one capture more than the
    one before.

    Raises `EngineError`: `too-many-states` before the calculation, `not-solvable` where the board
    has more than 25 squares or 15 tokens a player.
    """
    begun = perf_counter()
    position, tokens = game.start(), game.board.tokens
    _refuse_more(position, 2 * tokens - 1, limit)
    space = Space(game, node_of(pack(position)))
    while space.add_row():
        pass
    moved = _sweep(space, progress)
    while space.circular and moved > NOISE:
        before, moved = moved, _sweep(space, progress)
        if moved < before and moved * moved / (before - moved) < BOARD_ACCURACY:
            break
    return Solution(position, value(space, position), space.states, perf_counter() - begun, space)


def solve_position(
    position: Position, *, change: float = CHANGE, progress: Progress = unwatched, limit: int = LIMIT
) -> LateSolution:
    """Solve a position, at any moment of a turn, from its closure: all positions that are reached
    with at most d further captures.

    A capture that leads out of the closure is not allowed. d is raised until one more changes the
    value by less than `change`, or until the next closure would have more states than the limit.

    The result and the value without such a bound differ by at most twice the probability that a
    game leaves the closure, if one side plays its best and the other one plays anything. A turn has
    five equal dice with a probability of at most .0461, and a late game has few tokens left to
    place, so this probability falls by a factor with every capture.

    Where captured tokens return, the values are improved in sweeps until that of `position` stands
    still. Values of positions far from it are then less accurate.

    Raises `EngineError`: `too-many-states` where not even one capture fits, and `not-solvable`,
    also for a game that is over.
    """
    begun = perf_counter()
    if position.turn is None:
        raise EngineError(EngineCode.NOT_SOLVABLE, name=position)
    _refuse_more(position, 1, limit)
    space = Space(position.game, node_of(pack(position)))
    found, last_change = 0.0, 0.0
    for captures in count():
        if captures > 1 and _size(position, captures, limit) > limit:
            break
        if not space.add_row():
            last_change = 0.0
            break
        before, found = found, _settled(space, position, progress)
        last_change = abs(found - before)
        if captures >= FEWEST_CAPTURES and last_change < change:
            break
    seconds = perf_counter() - begun
    return LateSolution(position, found, space.states, seconds, space, captures=space.rows - 1, last_change=last_change)


def _refuse_more(position: Position, captures: int, limit: int) -> None:
    """Raise `EngineError` (`too-many-states`) above the limit. `states` is then an upper limit of
    the size, or a number above `limit`.
    """
    states = _size(position, captures, limit)
    if states > limit:
        raise EngineError(EngineCode.TOO_MANY_STATES, states=states, limit=limit)


def _size(position: Position, captures: int, limit: int) -> int:
    """Return an upper limit of the states of a closure, or a number above `limit`."""
    on_board = position.x.bit_count(), position.o.bit_count()
    return most_states(position.game, on_board, position.supplies, captures, limit)


def _settled(space: Space, position: Position, progress: Progress) -> float:
    """Return the value of the position after as many sweeps as it takes."""
    _sweep(space, progress)
    before, now = inf, value(space, position)
    while space.circular and abs(now - before) >= LATE_ACCURACY:
        _sweep(space, progress)
        before, now = now, value(space, position)
    return now


def _sweep(space: Space, progress: Progress) -> float:
    """Solve every node once and report the progress. Return the largest change of a value."""
    done, most = 0, 0.0
    for solved, moved in space.sweep():
        done, most = done + solved, max(most, moved)
        progress(done, space.nodes)
    return most
