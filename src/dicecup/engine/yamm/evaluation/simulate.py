"""Games of one sheet in batches: the kernel's face in NumPy."""

from collections.abc import Sequence
from math import inf, nan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yamm.evaluation.columns import PLACES, graph, starts
from dicecup.engine.yamm.evaluation.duel_kernel import SIDES, play_duels
from dicecup.engine.yamm.evaluation.play_kernel import BONUS_AT, SCORES, YAMMS_AT, play_games
from dicecup.engine.yamm.evaluation.table import Table
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.engine.yamm.evaluation.value import TURNS, Evaluation
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import SHEET

ONE_TURN: Final = (0.0,)
POINTS: Final = nan
"""Instead of a chance to win: plays for points."""
STAYS: Final = inf
"""Plays for the win and never moves a result."""


class Played(NamedTuple):
    """A batch of games: `scores` (LANES, SCORES) of each game; by turn `luck` (turns, LANES), the `expected` points before it, and the
    sheets `seen` (turns, LANES, 12). `finite`: whether all numbers were."""

    scores: NDArray[np.float64]
    luck: NDArray[np.float32]
    expected: NDArray[np.float32]
    seen: NDArray[np.int16]
    finite: bool


def play(
    evaluation: Evaluation,
    seed: int,
    first: int,
    nodes: NDArray[np.int16],
    left: int,
    margins: Sequence[float] = ONE_TURN,
    temperature: float = 0.0,
) -> Played:
    """Plays games `first`, `first` + 1, … from these sheets (LANES, 12), which are overwritten, with `left` empty cells each.
    `margins`: one a turn that is looked ahead, this one included (`search.look`).
    `temperature`: 0 for best play, else actions are drawn by what they lose (`play.any_choice`)."""
    scores = np.zeros((LANES, SCORES))
    luck, expected = np.empty((left, LANES), np.float32), np.empty((left, LANES), np.float32)
    seen = np.empty((left, LANES, PLACES), np.int16)
    ahead = np.array(margins, np.float32)
    finite = play_games(
        graph(), evaluation, seed, first, nodes, left, scores, luck, seen, expected, len(ahead), ahead, temperature
    )
    return Played(scores, luck, expected, seen, finite)


def simulate(
    evaluation: Evaluation, seed: int, first: int, games: int, margins: Sequence[float] = ONE_TURN, temperature: float = 0.0
) -> dict[str, NDArray[np.float64]]:
    """Whole sheets: games `first` to `first + games - 1` of this seed, each with `total`, `luck`, `first_throw_yamms`, and by
    column its points (`d1`) and bonus (`d1 bonus`). `luck` is what the dice gave, by the player's own reckoning; its mean is zero
    whatever is chosen. A game is the same whichever others are played. Raises `EngineError`
    (`not-finite`)."""
    scores, luck = [], []
    for begin in range(first, first + games, LANES):
        played = play(evaluation, seed, begin, np.tile(starts(), (LANES, 1)), TURNS, margins, temperature)
        if not played.finite:
            raise EngineError(EngineCode.NOT_FINITE, games=begin)
        scores.append(played.scores)
        luck.append(played.luck.sum(axis=0, dtype=np.float64))
    noted = np.concatenate(scores)[:games]
    columns = noted[:, : len(SHEET.columns)]
    found = {
        "total": columns.sum(axis=1) + FIRST_THROW_YAMM * noted[:, YAMMS_AT],
        "luck": np.concatenate(luck)[:games],
        "first_throw_yamms": noted[:, YAMMS_AT],
    }
    found |= {column: columns[:, at] for at, column in enumerate(SHEET.columns)}
    return found | {f"{column} bonus": noted[:, BONUS_AT + at] for at, column in enumerate(SHEET.columns)}


class Side(NamedTuple):
    """How one of two plays: `margins` and `temperature` as in `play`; `moving`: `POINTS`, or by how much the chance to win must
    rise for a result to be moved."""

    margins: Sequence[float] = ONE_TURN
    temperature: float = 0.0
    moving: float = POINTS


def duel(table: Table, seed: int, first: int, sides: tuple[Side, Side]) -> tuple[NDArray[np.float64], int]:
    """Games `first` to `first + LANES - 1` between two: their totals, shape (2, LANES), and how many results were moved."""
    nodes, scores = np.tile(starts(), (SIDES, LANES, 1)), np.zeros((SIDES, LANES, SCORES))
    turns = np.array([len(side.margins) for side in sides])
    margins = np.zeros((SIDES, turns.max()), np.float32)
    for at, side in enumerate(sides):
        margins[at, : turns[at]] = side.margins
    moved = play_duels(
        graph(),
        table.evaluation,
        table.variance,
        seed,
        first,
        nodes,
        scores,
        turns,
        margins,
        np.array([side.temperature for side in sides]),
        np.array([side.moving for side in sides]),
    )
    return scores[:, :, :BONUS_AT].sum(axis=2) + FIRST_THROW_YAMM * scores[:, :, YAMMS_AT], moved
