"""The value of every decision in a position: points to come where one sheet is alone, else the
probability to win.
"""

from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, NO_DICE
from dicecup.core.turn import KeptDice, Turn
from dicecup.engine.turn import batch
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.workspaces import one_a_thread, rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import KIND_OF_PLACE, TOTALS, graph
from dicecup.engine.yamm.evaluation.pack import CELLS, pack
from dicecup.engine.yamm.evaluation.search_kernel import Ahead, ahead, search
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
from dicecup.engine.yamm.evaluation.win_kernel import to_win_values
from dicecup.yamm import Cell, Correct, Position, Sheet
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.seats import last_turn

AHEAD: Final = Turn(0, NO_DICE)
"""A turn before its first throw."""
LEAST_GAIN: Final = 0.005
"""The least gain in win probability for which a result is corrected. Smaller gains are within the
error of the evaluation. A result is corrected in one of eight games.
"""


class Depth(NamedTuple):
    """The depth of a search.

    `turns`: exact turns ahead, this one included. `margins[n]`: where n further turns are searched,
    the most points that a cell may be behind the best to be searched.
    """

    turns: int = 1
    margins: tuple[float, ...] = (0.0,)


ONE_TURN: Final = Depth()


class TurnEvaluation(NamedTuple):
    """The values of a turn.

    `turn`: the values of ending and keeping. `cells`: the value of writing the present dice into
    each open cell; empty while dice are in the air. `work`: the number of exact turns solved.
    """

    turn: TurnValues
    cells: dict[Cell, float]
    work: int


class Opponents(NamedTuple):
    """The means and variances of the opponents' final totals; empty where one sheet is alone."""

    means: NDArray[np.float64]
    variances: NDArray[np.float64]


class Forecast(NamedTuple):
    """The mean and variance of the points to come from a sheet."""

    mean: float
    variance: float


def forecast(table: Table, sheet: Sheet) -> Forecast:
    """Return the forecast of a sheet before its next turn."""
    nodes = pack(sheet)
    left = TURNS - sheet.written
    variance = float(learned(table.variance, nodes, left)) * VARIANCE_UNIT
    return Forecast(float(value(table.evaluation, nodes, left)), max(variance, 0.0))


def opponents(table: Table, position: Position, place: int, *, alone: bool = False) -> Opponents:
    """Return the forecasts of the opponents of the sheet at this place. `alone`: ignore them."""
    written = position.written
    others = [] if alone else [sheet for at, sheet in enumerate(written) if at != place]
    ahead = [forecast(table, sheet) for sheet in others]
    means = [sheet.total + to_come.mean for sheet, to_come in zip(others, ahead, strict=True)]
    return Opponents(np.array(means, np.float64), np.array([to_come.variance for to_come in ahead], np.float64))


def sheet_on_turn(position: Position) -> Sheet:
    """Return the sheet that this turn is written on. Before the first throw its last result counts
    as written.
    """
    assert position.sheet is not None
    assert position.turn is not None
    return (position.sheets if position.turn.throws else position.written)[position.sheet]


def evaluate(table: Table, position: Position, depth: Depth = ONE_TURN, *, alone: bool = False) -> TurnEvaluation:
    """Evaluate the turn of a running game. `alone`: for the most points, even with opponents."""
    seen = opponents(table, position, cast(int, position.sheet), alone=alone)
    turn, kept_dice = cast(Turn, position.turn), position.game.options.kept_dice
    sheet = sheet_on_turn(position)
    return evaluate_turn(table, sheet, turn, seen, forecast(table, sheet).variance, depth, kept_dice)


def evaluate_turn(
    table: Table, sheet: Sheet, turn: Turn, seen: Opponents, variance: float, depth: Depth, kept_dice: KeptDice
) -> TurnEvaluation:
    """Evaluate the turn of a sheet that has an open cell, among these opponents. `variance`: of the
    points to come.
    """
    nodes, left = pack(sheet), TURNS - sheet.written
    writes, write_values, best, column, stops, further = _workspace(depth.turns)
    margins = np.array(depth.margins, np.float32)
    locked = kept_dice is KeptDice.LOCKED
    count, work = search(
        graph(),
        table.evaluation,
        nodes,
        left,
        depth.turns,
        margins,
        locked,
        writes,
        write_values,
        best,
        column,
        stops,
        0,
        further,
    )
    later, first = stops[:COUNT, 0].astype(np.float64), stops[COUNT:, 0].astype(np.float64)
    cells = {} if turn.waiting else _cells(sheet, nodes, turn, writes[:count], write_values)
    shown = np.array(list(cells.values()))
    if len(seen.means):
        for points in (later, first, shown):
            to_win_values(points, sheet.total, variance * (left - 1) / left, *seen, 0.0)
    values = batch.turn_values((first, later, later), kept_dice=kept_dice)
    return TurnEvaluation(values, dict(zip(cells, shown.tolist(), strict=True)), work + 1)


class _Workspace(NamedTuple):
    """The arrays of `search_kernel.search` for one sheet."""

    writes: NDArray[np.int16]
    write_values: NDArray[np.float32]
    best: NDArray[np.float32]
    column: NDArray[np.int8]
    stops: NDArray[np.float32]
    ahead: Ahead


@one_a_thread
def _workspace(turns: int) -> _Workspace:
    """Return the arrays for a search of so many turns ahead."""
    return _Workspace(
        np.zeros((MOST_WRITES, 4), np.int16),
        np.zeros(MOST_WRITES, np.float32),
        np.zeros((HEIGHT, TOTALS), np.float32),
        np.zeros((HEIGHT, TOTALS), np.int8),
        rows_of_lanes(2 * COUNT, LANES, np.float32),
        ahead(turns),
    )


def _cells(
    sheet: Sheet, nodes: NDArray[np.int16], turn: Turn, writes: NDArray[np.int16], write_values: NDArray[np.float32]
) -> dict[Cell, float]:
    """Return the value, in points, of writing the present dice into each open cell."""
    roll = turn.dice.index - FIRST_ROLL
    yamm = FIRST_THROW_YAMM if turn.throws == 1 and roll in YAMM_ROLLS else 0
    found: dict[Cell, float] = {}
    for at, (place, row, kind, _) in enumerate(writes.tolist()):
        if kind == ROLL_CLASSES[roll, row]:
            value = float(write_values[at] + FIGURE_POINTS[roll, row]) + yamm
            alike = [
                other
                for other, kind_there in enumerate(KIND_OF_PLACE)
                if kind_there is KIND_OF_PLACE[place] and nodes[other] == nodes[place]
            ]
            found |= {CELLS[other][row]: value for other in alike}
    return {cell: found[cell] for cell in sheet.open_cells}


def correction(table: Table, position: Position, place: int) -> Correct | None:
    """Return the correction that moves the sheet's last result to a better cell, each cell valued
    by the sheet's next turn.

    Return `None` where the result is well placed or final.
    """
    result = position.wet[place]
    turn = last_turn(position.game.options, place, position.number)
    sheet = position.sheets[place]
    if result is None or turn is None or len(position.sheets) == 1 or TURNS - sheet.written == 1:
        return None
    seen, kept_dice = opponents(table, position, place), position.game.options.kept_dice
    moved = {cell: sheet.with_result(result._replace(cell=cell)) for cell in sheet.open_cells}
    variance = forecast(table, moved[result.cell]).variance
    values = {
        cell: evaluate_turn(table, after, AHEAD, seen, variance, ONE_TURN, kept_dice).turn.value
        for cell, after in moved.items()
    }
    best = max(values, key=lambda cell: values[cell])
    return Correct(turn, best) if values[best] - values[result.cell] > LEAST_GAIN else None
