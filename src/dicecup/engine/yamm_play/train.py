"""Training from nothing: games against oneself, in rounds, and after each round some passes over its sheets.

Everything follows from the seed, the number of the round and how far the training is, so a training that is resumed from a
checkpoint goes on bit for bit.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yamm_play.learn import Moments, fit, fresh_moments, targets
from dicecup.engine.yamm_play.nodes import ends, graph, starts
from dicecup.engine.yamm_play.openings import COLUMNS, open_sheets
from dicecup.engine.yamm_play.simulate import play
from dicecup.engine.yamm_play.turn import HEIGHT, LANES
from dicecup.engine.yamm_play.value import PLACES, TURNS, VARIANCE_UNIT, Weights, fresh

BATCHES: Final = 8
"""Batches of games in a round."""
ROUND: Final = BATCHES * LANES
"""Games in a round."""
PASSES: Final = 8
SAMPLES: Final = 512
"""Sheets that a step of the weights is taken for."""
FADE: Final = 0.9
FULL_COLUMNS: Final = 0.3
"""Share of the batches that begin with some columns full, more often many than few; half of these have further cells written."""
ANY_SHEET: Final = 0.5
"""Share of the batches that begin with some cells written, at first; it falls to half of that."""
RATES: Final = np.array(((3.0, 0.01), (3e-3, 3e-5), (2e-2, 2e-4)))
"""Step sizes of points, hidden and out at the beginning and at the end; between them they fall evenly by factors."""
Samples = tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.float32]]


@dataclass
class Training:
    """A training under way: `games` played and `steps` taken with this `seed`."""

    seed: int
    weights: Weights
    moments: Moments
    games: int = 0
    steps: int = 0
    error: float = 0.0
    """Root of the mean squared difference between values and targets in the last round, in points."""

    @classmethod
    def fresh(cls, seed: int) -> "Training":
        """Before the first game."""
        weights = fresh(seed)
        return cls(seed, weights, fresh_moments(weights))

    def round(self, progress: float) -> None:
        """One round at this point of the training, from 0 to 1. Raises `EngineError` (`not-finite`; `games`, `steps`: where)."""
        draw = np.random.default_rng((self.seed, self.games))
        batches = [self._batch(draw, self.games + LANES * batch, progress) for batch in range(BATCHES)]
        nodes, left, wanted = (np.concatenate(arrays) for arrays in zip(*batches, strict=True))
        self.learn(nodes, left, wanted, progress)

    def learn(self, nodes: NDArray[np.int16], left: NDArray[np.int64], wanted: NDArray[np.float32], progress: float) -> None:
        """Some passes over these sheets, and a round of games is done. Raises `EngineError` as `round`."""
        draw = np.random.default_rng((self.seed, self.games, PASSES))
        rates = RATES[:, 0] * (RATES[:, 1] / RATES[:, 0]) ** progress
        for _ in range(PASSES):
            order = draw.permutation(len(wanted))
            squares = fit(self.weights, self.moments, nodes, left, wanted, order, SAMPLES, self.steps, rates)
            self.steps += -(-len(order) // SAMPLES)
            if not np.isfinite(squares):
                self._stop()
            self.error = float(np.sqrt(squares))
        self.games += ROUND

    def _batch(self, draw: np.random.Generator, first: int, progress: float) -> Samples:
        """LANES games, and what the sheets before each turn should have been worth."""
        full, written = _opening(draw, progress)
        turns = TURNS - HEIGHT * full - written
        nodes = np.empty((LANES, PLACES), np.int16)
        open_sheets(graph(), starts(), ends(), full, written, self.seed, first, nodes)
        played = play(self.weights, self.seed, first, nodes, turns)
        if not played.finite:
            self._stop()
        values, wanted = np.empty_like(played.expected), np.empty_like(played.expected)
        targets(self.weights, played.seen, played.expected, turns, FADE, values, wanted)
        return played.seen.reshape(-1, PLACES), turns_left(turns), wanted.reshape(-1)

    def _stop(self) -> None:
        raise EngineError(EngineCode.NOT_FINITE, games=self.games, steps=self.steps)


def learn_variance(weights: Weights, seed: int, games: int) -> Weights:
    """How wide the ends lie around the values, learned from so many further games: the squares of what the dice gave from each
    sheet on. Raises `EngineError` (`not-finite`)."""
    training = Training.fresh(seed)
    for first in range(0, games, ROUND):
        nodes = [np.tile(starts(), (LANES, 1)) for _ in range(BATCHES)]
        batches = [play(weights, seed, first + LANES * batch, each, TURNS) for batch, each in enumerate(nodes)]
        seen = np.concatenate([played.seen.reshape(-1, PLACES) for played in batches])
        still = [np.cumsum(played.luck[::-1], axis=0)[::-1] for played in batches]
        wanted = np.concatenate([(rest**2 / VARIANCE_UNIT).reshape(-1) for rest in still]).astype(np.float32)
        training.learn(seen, np.tile(turns_left(TURNS), BATCHES), wanted, first / games)
    return training.weights


def turns_left(turns: int) -> NDArray[np.int64]:
    """Of every sheet of a batch, in the order of `Played.seen`."""
    return np.repeat(np.arange(turns, 0, -1), LANES)


def _opening(draw: np.random.Generator, progress: float) -> tuple[int, int]:
    """How many columns are full and how many further cells written when a batch begins."""
    kind, more, columns, cells = draw.random(4)
    if kind < FULL_COLUMNS:
        full = COLUMNS - 1 - int(columns**2 * (COLUMNS - 1))
        return full, int(cells * HEIGHT * (COLUMNS - full)) if more < 0.5 else 0
    return 0, 1 + int(cells * (TURNS - 2)) if kind < FULL_COLUMNS + ANY_SHEET * (1 - progress / 2) else 0
