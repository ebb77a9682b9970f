"""Batches of games with NumPy arrays: the callers of the kernels of whole games."""

from collections.abc import Sequence
from math import inf, nan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yamm.evaluation.columns import PLACES, empty_sheet, graph
from dicecup.engine.yamm.evaluation.duel_kernel import SIDES, play_duels
from dicecup.engine.yamm.evaluation.play_kernel import BONUS_AT, SCORES, YAMMS_AT, play_games, workspace
from dicecup.engine.yamm.evaluation.table import Table
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.engine.yamm.evaluation.value import TURNS, Evaluation
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import SHEET

ONE_TURN: Final = (0.0,)
FOR_POINTS: Final = nan
"""The value of `Side.moving` for play for points."""
NEVER_CORRECTS: Final = inf
"""The value of `Side.moving` for play for the win without corrections."""


class Played(NamedTuple):
    """A batch of games.

    `scores` (LANES, SCORES) of each game. By turn: `luck` (turns, LANES), the points `expected`
    before it, and the sheets `seen` (turns, LANES, 12). `finite`: whether all values were finite.
    """

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
    """Play games `first`, `first` + 1, … from these sheets (LANES, 12), which are overwritten, with
    `left` open cells each.

    `margins`: one for each turn ahead, this one included (`search_kernel.search`). `temperature`: 0
    for best play, else actions are drawn by their loss (`play_kernel.draw_action`).
    """
    scores = np.zeros((LANES, SCORES))
    luck, expected = np.empty((left, LANES), np.float32), np.empty((left, LANES), np.float32)
    seen = np.empty((left, LANES, PLACES), np.int16)
    ahead = np.array(margins, np.float32)
    turns, arrays = len(ahead), workspace(len(ahead))
    finite = play_games(
        graph(), evaluation, seed, first, nodes, left, scores, luck, seen, expected, turns, ahead, temperature, arrays
    )
    return Played(scores, luck, expected, seen, finite)


def simulate(
    evaluation: Evaluation, seed: int, first: int, games: int, margins: Sequence[float] = ONE_TURN, temperature: float = 0.0
) -> dict[str, NDArray[np.float64]]:
    """Play whole sheets and return their figures: games `first` to `first + games - 1` of this
    seed.

    The names are `total`, `luck`, `first_throw_yamms`, and for each column its points (`d1`) and
    bonus (`d1 bonus`). `luck` is the gain by the dice, by the player's own evaluation; its mean is
    zero for every choice. A game does not depend on the others. Raises `EngineError`
    (`not-finite`).
    """
    scores, luck = [], []
    for begin in range(first, first + games, LANES):
        played = play(evaluation, seed, begin, np.tile(empty_sheet(), (LANES, 1)), TURNS, margins, temperature)
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
    """One side of a game between two.

    `margins` and `temperature` as in `play`. `moving`: `FOR_POINTS`, `NEVER_CORRECTS`, or the least
    gain in win probability for a correction.
    """

    margins: Sequence[float] = ONE_TURN
    temperature: float = 0.0
    moving: float = FOR_POINTS


def duel(table: Table, seed: int, first: int, sides: tuple[Side, Side]) -> tuple[NDArray[np.float64], int]:
    """Play games `first` to `first + LANES - 1` between two sides. Return their totals, shape (2,
    LANES), and the number of corrections.
    """
    nodes, scores = np.tile(empty_sheet(), (SIDES, LANES, 1)), np.zeros((SIDES, LANES, SCORES))
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
        workspace(int(turns.max())),
    )
    return scores[:, :, :BONUS_AT].sum(axis=2) + FIRST_THROW_YAMM * scores[:, :, YAMMS_AT], moved
