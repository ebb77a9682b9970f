"""What every decision of a position is worth: points to come where one sheet is alone, else the chance to win (`win`)."""

from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, NO_DICE
from dicecup.core.turn import KeptDice, Turn
from dicecup.engine.turn import batch
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.turn.value_kernel import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import TOTALS, UNITS, graph
from dicecup.engine.yamm.evaluation.pack import CELLS, pack
from dicecup.engine.yamm.evaluation.search_kernel import look
from dicecup.engine.yamm.evaluation.table import Table
from dicecup.engine.yamm.evaluation.turn_kernel import (
    COUNT,
    FIGURE_POINTS,
    HEIGHT,
    LANES,
    MOST_WRITES,
    ROLL_CLASSES,
    YAMM_ROLLS,
)
from dicecup.engine.yamm.evaluation.value import TURNS, VARIANCE_UNIT
from dicecup.engine.yamm.evaluation.value_kernel import learned, value
from dicecup.engine.yamm.evaluation.win_kernel import aim
from dicecup.yamm import Cell, Correct, Position, Sheet
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.seats import last_turn

AHEAD: Final = Turn(0, NO_DICE)
"""A turn before its first throw."""
WORTH_MOVING: Final = 0.005
"""By how much a correction must raise the chance to win: less is within the evaluation's error (a result in eight games is moved)."""


class Depth(NamedTuple):
    """`turns` exact turns ahead, this one included; `margins[n]`: where n further turns are looked ahead, how many points a cell
    may be behind the best to be looked at."""

    turns: int = 1
    margins: tuple[float, ...] = (0.0,)


ONE_TURN: Final = Depth()


class Judgement(NamedTuple):
    """`turn`: what ending and keeping is worth; `cells`: what writing the dice that lie is worth in each open cell (empty while
    dice are in the air); `work`: exact turns solved."""

    turn: TurnValues
    cells: dict[Cell, float]
    work: int


class Standing(NamedTuple):
    """`means`, `variances`: of what the opponents will end with; none where one sheet is alone."""

    means: NDArray[np.float64]
    variances: NDArray[np.float64]


class Outlook(NamedTuple):
    """What is still to come from a sheet: its mean and variance."""

    mean: float
    variance: float


def outlook(table: Table, sheet: Sheet) -> Outlook:
    """Before the sheet's next turn."""
    nodes = pack(sheet)
    left = TURNS - sheet.written
    variance = float(learned(table.variance, nodes, left)) * VARIANCE_UNIT
    return Outlook(float(value(table.evaluation, nodes, left)), max(variance, 0.0))


def standing(table: Table, position: Position, place: int, *, alone: bool = False) -> Standing:
    """How the others stand, as the sheet at this place sees it; `alone`: as if there were none."""
    written = position.written
    others = [] if alone else [sheet for at, sheet in enumerate(written) if at != place]
    ahead = [outlook(table, sheet) for sheet in others]
    means = [sheet.total + to_come.mean for sheet, to_come in zip(others, ahead, strict=True)]
    return Standing(np.array(means, np.float64), np.array([to_come.variance for to_come in ahead], np.float64))


def sheet_on_turn(position: Position) -> Sheet:
    """The sheet that this turn is written on; before the first throw its last result counts as it stands."""
    assert position.sheet is not None
    assert position.turn is not None
    return (position.sheets if position.turn.throws else position.written)[position.sheet]


def judge(table: Table, position: Position, depth: Depth = ONE_TURN, *, alone: bool = False) -> Judgement:
    """Judges the turn of a running game. `alone`: play for the most points although there are opponents."""
    seen = standing(table, position, cast(int, position.sheet), alone=alone)
    turn, kept_dice = cast(Turn, position.turn), position.game.options.kept_dice
    sheet = sheet_on_turn(position)
    return judge_turn(table, sheet, turn, seen, outlook(table, sheet).variance, depth, kept_dice)


def judge_turn(
    table: Table, sheet: Sheet, turn: Turn, seen: Standing, variance: float, depth: Depth, kept_dice: KeptDice
) -> Judgement:
    """Judges the turn of a sheet that has a cell left, among such opponents. `variance`: of what is to come."""
    nodes, left = pack(sheet), TURNS - sheet.written
    writes = np.empty((MOST_WRITES, 4), np.int16)
    worths = np.empty(MOST_WRITES, np.float32)
    best, column = np.empty((HEIGHT, TOTALS), np.float32), np.empty((HEIGHT, TOTALS), np.int8)
    ends = rows_of_lanes(2 * COUNT, LANES, np.float32)
    margins = np.array(depth.margins, np.float32)
    locked = kept_dice is KeptDice.LOCKED
    count, work = look(
        graph(), table.evaluation, nodes, left, depth.turns, margins, locked, writes, worths, best, column, ends, 0
    )
    later, first = ends[:COUNT, 0].astype(np.float64), ends[COUNT:, 0].astype(np.float64)
    cells = {} if turn.waiting else _cells(sheet, nodes, turn, writes[:count], worths)
    shown = np.array(list(cells.values()))
    if len(seen.means):
        for points in (later, first, shown):
            aim(points, sheet.total, variance * (left - 1) / left, *seen, 0.0)
    values = batch.turn_values((first, later, later), kept_dice=kept_dice)
    return Judgement(values, dict(zip(cells, shown.tolist(), strict=True)), work + 1)


def _cells(
    sheet: Sheet, nodes: NDArray[np.int16], turn: Turn, writes: NDArray[np.int16], worths: NDArray[np.float32]
) -> dict[Cell, float]:
    """What writing the dice that lie is worth in each open cell, in points."""
    roll = turn.dice.index - FIRST_ROLL
    yamm = FIRST_THROW_YAMM if turn.throws == 1 and roll in YAMM_ROLLS else 0
    found: dict[Cell, float] = {}
    for at, (place, row, kind, _) in enumerate(writes.tolist()):
        if kind == ROLL_CLASSES[roll, row]:
            worth = float(worths[at] + FIGURE_POINTS[roll, row]) + yamm
            alike = [other for other, unit in enumerate(UNITS) if unit is UNITS[place] and nodes[other] == nodes[place]]
            found |= {CELLS[other][row]: worth for other in alike}
    return {cell: found[cell] for cell in sheet.open_cells}


def correction(table: Table, position: Position, place: int) -> Correct | None:
    """Where the sheet's last result would better stand, now that the others have gone on: each cell by the sheet's next turn. None
    where the result is well placed or final."""
    result = position.wet[place]
    turn = last_turn(position.game.options, place, position.number)
    sheet = position.sheets[place]
    if result is None or turn is None or len(position.sheets) == 1 or TURNS - sheet.written == 1:
        return None
    seen, kept_dice = standing(table, position, place), position.game.options.kept_dice
    moved = {cell: sheet.with_result(result._replace(cell=cell)) for cell in sheet.open_cells}
    variance = outlook(table, moved[result.cell]).variance
    worth = {
        cell: judge_turn(table, after, AHEAD, seen, variance, ONE_TURN, kept_dice).turn.value for cell, after in moved.items()
    }
    best = max(worth, key=lambda cell: worth[cell])
    return Correct(turn, best) if worth[best] - worth[result.cell] > WORTH_MOVING else None
