"""Training from nothing by self-play: rounds of games, and after each round some passes over its
sheets.

Everything follows from the seed, the number of the round and the progress of the training. So a
training that is resumed from a checkpoint goes on bit for bit.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, COLUMNS_PER_ORDER, PLACES, empty_sheet, full_sheet, graph
from dicecup.engine.yamm.evaluation.endgame import Endgame, endgame
from dicecup.engine.yamm.evaluation.simulate import play
from dicecup.engine.yamm.evaluation.turn_kernel import HEIGHT, LANES
from dicecup.engine.yamm.evaluation.value import FEW, TURNS, VARIANCE_UNIT, Evaluation, Weights, fresh
from dicecup.engine.yamm.evaluation.value_kernel import late_sheets
from dicecup.engine.yamm.training.fit_kernel import Moments, fit, fresh_moments, targets
from dicecup.engine.yamm.training.openings_kernel import COLUMNS, open_sheets

BATCHES: Final = 8
"""Batches of games in a round."""
ROUND: Final = BATCHES * LANES
"""Games in a round."""
PASSES: Final = 8
SAMPLES: Final = 512
"""Sheets in one step of the weights."""
FADE: Final = 0.9
LATE_SHARE: Final = 0.6
"""The share of games on late sheets. These are learned first, and the early ones on them."""
FULL_COLUMNS: Final = 0.3
"""The share of the batches of early sheets that begin with some columns full. Half of these have
further cells written.
"""
ANY_SHEET: Final = 0.5
"""The share of the other batches that begin with some cells written, at first. It falls to half of
that.
"""
RATES: Final = np.array(((3.0, 0.01), (3e-3, 3e-5), (2e-2, 2e-4)))
"""The step sizes of points, hidden and out at the beginning and at the end. Between them they fall
geometrically.
"""
Samples = tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.float32]]


@dataclass
class Training:
    """A training in progress: `games` played with this `seed`.

    First the weights of late sheets are learned, then those of early ones. `weights`: those that
    are being learned, with their `moments`, after `steps` steps. `late`: the weights of late sheets
    once they are learned. `endgame`: the exact values, which are not learned.
    """

    seed: int
    endgame: Endgame
    weights: Weights
    moments: Moments
    late: Weights | None = None
    games: int = 0
    steps: int = 0
    error: float = 0.0
    """The root of the mean squared difference between values and targets in the last round, in
    points.
    """

    @classmethod
    def fresh(cls, seed: int, values: NDArray[np.float32] | None = None) -> "Training":
        """Return a training before its first game. `values`: of the endgame table, if
        there is one.
        """
        weights = fresh(seed)
        return cls(seed, endgame(values), weights, fresh_moments(weights))

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation as far as it is learned."""
        return Evaluation(self.weights, self.weights if self.late is None else self.late, self.endgame)

    def round(self, progress: float) -> None:
        """Play and learn one round at this progress, from 0 to 1.

        Raises `EngineError` (`not-finite`; `games` and `steps` say where).
        """
        if self.late is None and progress >= LATE_SHARE:
            self.late, self.weights, self.steps = self.weights, fresh(self.seed), 0
            self.moments = fresh_moments(self.weights)
        progress = progress / LATE_SHARE if self.late is None else (progress - LATE_SHARE) / (1 - LATE_SHARE)
        draw = np.random.default_rng((self.seed, self.games))
        batches = [self._batch(draw, self.games + LANES * batch, progress) for batch in range(BATCHES)]
        nodes, left, wanted = (np.concatenate(arrays) for arrays in zip(*batches, strict=True))
        self.learn(nodes, left, wanted, progress)

    def learn(self, nodes: NDArray[np.int16], left: NDArray[np.int64], wanted: NDArray[np.float32], progress: float) -> None:
        """Make some passes over these sheets and count a round of games. Raises `EngineError` as
        `round`.
        """
        draw = np.random.default_rng((self.seed, self.games, PASSES))
        rates = RATES[:, 0] * (RATES[:, 1] / RATES[:, 0]) ** progress
        touched = np.zeros(len(self.weights.points), np.bool_)
        for _ in range(PASSES):
            order = draw.permutation(len(wanted))
            squares = fit(self.weights, self.moments, nodes, left, wanted, order, SAMPLES, self.steps, rates, touched)
            self.steps += -(-len(order) // SAMPLES)
            if not np.isfinite(squares):
                self._stop()
            self.error = float(np.sqrt(squares))
        self.games += ROUND

    def _batch(self, draw: np.random.Generator, first: int, progress: float) -> Samples:
        """Return the sheets of LANES games, their turns left, and the targets of their values."""
        sheet, full = empty_sheet(), 0
        if self.late is None:
            sheet, written = _late_opening(draw)
        else:
            full, written = _early_opening(draw, progress)
        left = int(graph().left[sheet].sum()) - HEIGHT * full - written
        nodes = np.empty((LANES, PLACES), np.int16)
        open_sheets(graph(), sheet, full_sheet(), full, written, self.seed, first, nodes)
        played = play(self.evaluation, self.seed, first, nodes, left)
        if not played.finite:
            self._stop()
        values, wanted = np.empty_like(played.expected), np.empty_like(played.expected)
        targets(self.evaluation, played.seen, played.expected, left, FADE, values, wanted)
        seen = played.seen.reshape(-1, PLACES)
        chosen = late_sheets(self.endgame, seen) == (self.late is None)
        return seen[chosen], turns_left(left)[chosen], wanted.reshape(-1)[chosen]

    def _stop(self) -> None:
        """Raise `EngineError` (`not-finite`) with the numbers of games and steps."""
        raise EngineError(EngineCode.NOT_FINITE, games=self.games, steps=self.steps)


def learn_variance(evaluation: Evaluation, seed: int, games: int) -> Weights:
    """Return the weights for the variance of the points to come, learned from `games` further
    games.

    The targets are the squares of the luck from each sheet on. Raises `EngineError` (`not-finite`).
    """
    training = Training.fresh(seed)
    for first in range(0, games, ROUND):
        nodes = [np.tile(empty_sheet(), (LANES, 1)) for _ in range(BATCHES)]
        batches = [play(evaluation, seed, first + LANES * batch, each, TURNS) for batch, each in enumerate(nodes)]
        seen = np.concatenate([played.seen.reshape(-1, PLACES) for played in batches])
        still = [np.cumsum(played.luck[::-1], axis=0)[::-1] for played in batches]
        wanted = np.concatenate([(rest**2 / VARIANCE_UNIT).reshape(-1) for rest in still]).astype(np.float32)
        training.learn(seen, np.tile(turns_left(TURNS), BATCHES), wanted, first / games)
    return training.weights


def turns_left(left: int) -> NDArray[np.int64]:
    """Return the turns left of every sheet of a batch, in the order of `Played.seen`."""
    return np.repeat(np.arange(left, 0, -1), LANES)


def _late_opening(draw: np.random.Generator) -> tuple[NDArray[np.int16], int]:
    """Return a sheet, and the number of its cells that are written when a batch of late sheets
    begins.

    Of two open columns one is free: two ordered ones are in the endgame table.
    """
    more, columns, cells = draw.random(3)
    orders = draw.integers(0, 3, 3) if columns < 0.5 else np.array((2, draw.integers(0, 3)))
    opened = [COLUMNS_PER_ORDER * order + list(orders[:at]).count(order) for at, order in enumerate(orders)]
    sheet = np.where(np.isin(COLUMN_OF_PLACE, opened), empty_sheet(), full_sheet())
    return sheet, int(cells * HEIGHT * len(opened)) if more < 0.5 else 0


def _early_opening(draw: np.random.Generator, progress: float) -> tuple[int, int]:
    """Return the numbers of full columns and of further written cells when a batch of early sheets
    begins.
    """
    kind, more, columns, cells = draw.random(4)
    full = int(columns * (COLUMNS - FEW)) if kind < FULL_COLUMNS else 0
    some = more < 0.5 if kind < FULL_COLUMNS else kind < FULL_COLUMNS + ANY_SHEET * (1 - progress / 2)
    return full, int(cells * (TURNS - HEIGHT * full - 1)) if some else 0
