"""Sheets and weights for tests, and readable twins of the kernels."""

from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np

from dicecup.core.dice import ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.turn.value import TurnValues, turn_values
from dicecup.engine.yamm.evaluation.columns import full_sheet
from dicecup.engine.yamm.evaluation.endgame import endgame, endgame_size
from dicecup.engine.yamm.evaluation.endgame_kernel import endgame_index
from dicecup.engine.yamm.evaluation.pack import pack
from dicecup.engine.yamm.evaluation.table import Table
from dicecup.engine.yamm.evaluation.value import TURNS, Evaluation, Weights, fresh
from dicecup.engine.yamm.evaluation.value_kernel import value
from dicecup.yamm import SHEET, Sheet
from dicecup.yamm.rows import YAMMS


def some_sheets(seed: int, games: int) -> list[Sheet]:
    """Yield every sheet of some random games."""
    draw = Random(seed)
    found = []
    for _ in range(games):
        sheet = SHEET.empty
        for _ in SHEET.cells:
            found.append(sheet)
            sheet = sheet.write(draw.choice(list(sheet.open_cells)), draw.choice(ROLLS))
        found.append(sheet)
    return found


def sheet_with_left(left: int, seed: int) -> Sheet:
    """Return a sheet of a random game with `left` open cells."""
    return some_sheets(seed, 1)[TURNS - left]


@cache
def some_weights(seed: int = 7) -> Weights:
    """Return random weights."""
    draw = np.random.default_rng(seed)
    start = fresh(seed)
    return start._replace(
        points=draw.normal(20, 10, start.points.shape).astype(np.float32),
        base=draw.normal(50, 10, start.base.shape).astype(np.float32),
        out=draw.normal(0, 5, start.out.shape).astype(np.float32),
    )


@cache
def some_evaluation() -> Evaluation:
    """Return an evaluation with random weights."""
    values = np.random.default_rng(9).normal(100, 10, endgame_size()).astype(np.float32)
    claimed = endgame(values)
    values[endgame_index(claimed, full_sheet())] = 0
    return Evaluation(some_weights(7), some_weights(8), claimed)


def some_table() -> Table:
    """Return a table with random weights."""
    return Table(some_evaluation(), some_weights(7), {})


def readable_turn(sheet: Sheet, to_come: Callable[[Sheet], float], kept_dice: KeptDice = KeptDice.FREE) -> TurnValues:
    """Return the exact turn, given the value of every sheet after it."""
    later = [
        max(after.total - sheet.total + to_come(after) for after in (sheet.write(cell, roll) for cell in sheet.open_cells))
        for roll in ROLLS
    ]
    first = [end + 100 * (roll in YAMMS) for end, roll in zip(later, ROLLS, strict=True)]
    return turn_values((first, later, later), kept_dice=kept_dice)


def table_value(sheet: Sheet) -> float:
    """Return the value of a sheet by `some_evaluation`."""
    return float(value(some_evaluation(), pack(sheet), TURNS - sheet.written))


def best_play(sheet: Sheet) -> float:
    """Return the points to come with best play."""
    return 0.0 if sheet.written == TURNS else float(readable_turn(sheet, best_play).value)
