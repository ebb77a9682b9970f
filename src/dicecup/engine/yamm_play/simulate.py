"""Games of one sheet in batches: the kernel's face in NumPy."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yamm_play.nodes import graph, starts
from dicecup.engine.yamm_play.play import BONUS_AT, SCORES, YAMMS_AT, play_games
from dicecup.engine.yamm_play.turn import LANES
from dicecup.engine.yamm_play.value import PLACES, TURNS, Weights
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import SHEET

ONE_TURN: Final = (0.0,)


class Played(NamedTuple):
    """A batch of games: `scores` (LANES, SCORES) of each game; by turn `luck` (turns, LANES), the `expected` points before it, and the
    sheets `seen` (turns, LANES, 12). `finite`: whether all numbers were."""

    scores: NDArray[np.float64]
    luck: NDArray[np.float32]
    expected: NDArray[np.float32]
    seen: NDArray[np.int16]
    finite: bool


def play(
    weights: Weights,
    seed: int,
    first: int,
    nodes: NDArray[np.int16],
    turns: int,
    margins: Sequence[float] = ONE_TURN,
    temperature: float = 0.0,
) -> Played:
    """Plays games `first`, `first` + 1, … from these sheets (LANES, 12), which are overwritten, with `turns` empty cells each.
    `margins`: one a turn that is looked ahead, this one included (`search.look`).
    `temperature`: 0 for best play, else actions are drawn by what they lose (`play.any_choice`)."""
    scores = np.zeros((LANES, SCORES))
    luck, expected = np.empty((turns, LANES), np.float32), np.empty((turns, LANES), np.float32)
    seen = np.empty((turns, LANES, PLACES), np.int16)
    ahead = np.array(margins, np.float32)
    finite = play_games(
        graph(), weights, seed, first, nodes, turns, scores, luck, seen, expected, len(ahead), ahead, temperature
    )
    return Played(scores, luck, expected, seen, finite)


def simulate(
    weights: Weights, seed: int, first: int, games: int, margins: Sequence[float] = ONE_TURN, temperature: float = 0.0
) -> dict[str, NDArray[np.float64]]:
    """Whole sheets: games `first` to `first + games - 1` of this seed, each with `total`, `luck`, `first_throw_yamms`, and by
    column its points (`d1`) and bonus (`d1 bonus`). `luck` is what the dice gave, by the player's own reckoning; its mean is zero
    whatever is chosen. A game is the same whichever others are played. Raises `EngineError`
    (`not-finite`)."""
    scores, luck = [], []
    for begin in range(first, first + games, LANES):
        played = play(weights, seed, begin, np.tile(starts(), (LANES, 1)), TURNS, margins, temperature)
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
