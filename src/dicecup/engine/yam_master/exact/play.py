"""Games played with a solved space. Their mean result must agree with the calculated value.

All games are played side by side, a turn at a time, in groups that are in the same cell of the
space. The dice of a game follow from its key.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.progress import Progress, unwatched
from dicecup.engine.yam_master.exact.nodes import CHUNK
from dicecup.engine.yam_master.exact.nodes_kernel import node_of
from dicecup.engine.yam_master.exact.play_kernel import BEGIN, ENDED, PLACED, REMOVED, Moment, play_turns
from dicecup.engine.yam_master.exact.space import Space
from dicecup.engine.yam_master.exact.value_kernel import workspace
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import Position

MOST_TURNS: Final = 1000
"""The turns after which a game is cut off and counts as drawn. Passing is always allowed, so the
rules alone do not end every game.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """The results of games.

    `results` (games): 1 won, 0 drawn, -1 lost for the side to move at the start. `turns` (games):
    the turns of each game. `cut_off`: the number of games that were stopped after `MOST_TURNS`
    turns.
    """

    results: NDArray[np.int64]
    turns: NDArray[np.int64]
    cut_off: int

    @property
    def mean(self) -> float:
        """The mean result."""
        return float(self.results.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 for a single game."""
        return float(self.results.std(ddof=1)) / sqrt(len(self.results)) if len(self.results) > 1 else 0.0


def play(space: Space, position: Position, games: int, seed: int, progress: Progress = unwatched) -> Played:
    """Play games to the end from this position, which must be solved, both sides with the best
    action.

    Captures that lead out of a closure are not played. The same seed gives the same games.
    """
    state = pack(position)
    place = space.find(node_of(state))
    assert place is not None
    cells = np.tile(np.array(place[0], np.int64), (games, 1))
    states, keys = np.full(games, state, np.int64), np.arange(games, dtype=np.int64) + (seed << 32)
    results, turns, endings = np.zeros(games, np.int64), np.zeros(games, np.int64), np.empty(games, np.int64)
    running, moment = np.arange(games), _moment(position)
    side, arrays = int(position.to_move), workspace(len(space.rules.class_yam))
    for number in range(MOST_TURNS):
        if not len(running):
            break
        turns[running] += 1
        for u, k in np.unique(cells[running], axis=0):
            tables = space.tables[u, k], space.placed(u, k), space.removed(u, k)
            here = running[(cells[running] == (u, k)).all(axis=1)]
            here = here[np.argsort(states[here], kind="stable")]
            for start in range(0, len(here), CHUNK):
                part = here[start : start + CHUNK]
                play_turns(space.rules, *tables, part, states, keys, number, side, moment, endings, results, arrays)
        cells[running[endings[running] == PLACED]] += (0, 1)
        cells[running[endings[running] == REMOVED]] += (0, -1) if space.circular else (1, 0)
        running, moment = running[endings[running] != ENDED], BEGIN
        progress(games - len(running), games)
    return Played(results, turns, len(running))


def _moment(position: Position) -> Moment:
    """Return the point of the turn at which the position stands."""
    turn = position.turn
    assert turn is not None
    return Moment(turn.throws, turn.dice.index, position.defi, turn.locked.index)
