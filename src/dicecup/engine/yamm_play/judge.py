"""What every decision of a position is worth: points to come where one sheet is alone, else the chance to win.

A sheet's end is taken as normally distributed around its points and value, with the variance that the table has learned; the
opponents' ends likewise, all independent. Within a turn, who is behind takes the wider chances of the dice and who leads the
narrower ones. The variance is taken to be the same whichever cell is written: what is learned of single sheets is too rough to
choose cells by (measured: that loses 90 to 180 points a game).
"""

from math import erf, sqrt
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL
from dicecup.core.turn import KeptDice, Turn
from dicecup.engine import fast
from dicecup.engine.kernels.turn import rows_of_lanes
from dicecup.engine.turn import TurnValues
from dicecup.engine.yamm_play.nodes import TOTALS, UNITS, graph
from dicecup.engine.yamm_play.pack import CELLS, pack
from dicecup.engine.yamm_play.search import look
from dicecup.engine.yamm_play.store import Table
from dicecup.engine.yamm_play.turn import COUNT, FIGURE_POINTS, HEIGHT, LANES, MOST_WRITES, ROLL_CLASSES, YAMM_ROLLS
from dicecup.engine.yamm_play.value import TURNS, VARIANCE_UNIT, value
from dicecup.yamm import Cell, Correct, Position, Sheet
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.seats import last_turn

LEAST_VARIANCE: Final = 0.25
"""Square points: so that equal ends share the win."""
WORTH_MOVING: Final = 0.01
"""By how much a correction must raise the chance to win: less is within the evaluation's error."""
POINT: Final = 1e-7
"""What a point counts beside the chance to win: where the game is decided, points are still better than none."""


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
    """`own`: points on the sheet; `means`, `variances`: of what the opponents will end with; none where one sheet is alone."""

    own: float
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
    variance = float(value(table.variance, nodes, left)) * VARIANCE_UNIT
    return Outlook(float(value(table.weights, nodes, left)), max(variance, 0.0))


def standing(table: Table, position: Position, place: int, *, alone: bool = False) -> Standing:
    """How the others stand, as the sheet at this place sees it; `alone`: as if there were none."""
    written = position.written
    others = [] if alone else [sheet for at, sheet in enumerate(written) if at != place]
    ahead = [outlook(table, sheet) for sheet in others]
    means = [sheet.total + to_come.mean for sheet, to_come in zip(others, ahead, strict=True)]
    return Standing(
        float(position.sheets[place].total),
        np.array(means, np.float64),
        np.array([to_come.variance for to_come in ahead], np.float64),
    )


def sheet_on_turn(position: Position) -> Sheet:
    """The sheet that this turn is written on; before the first throw its last result counts as it stands."""
    assert position.sheet is not None
    assert position.turn is not None
    return (position.sheets if position.turn.throws else position.written)[position.sheet]


def judge(table: Table, position: Position, depth: Depth = ONE_TURN, *, alone: bool = False) -> Judgement:
    """Judges the turn of a running game. `alone`: play for the most points although there are opponents."""
    place, turn, sheet = cast(int, position.sheet), cast(Turn, position.turn), sheet_on_turn(position)
    kept_dice = position.game.options.kept_dice
    nodes, left = pack(sheet), TURNS - sheet.written
    writes = np.empty((MOST_WRITES, 4), np.int16)
    worths = np.empty(MOST_WRITES, np.float32)
    best, column = np.empty((HEIGHT, TOTALS), np.float32), np.empty((HEIGHT, TOTALS), np.int8)
    ends = rows_of_lanes(2 * COUNT, LANES, np.float32)
    margins = np.array(depth.margins, np.float32)
    count, work = look(
        graph(),
        table.weights,
        nodes,
        left,
        depth.turns,
        margins,
        kept_dice is KeptDice.LOCKED,
        writes,
        worths,
        best,
        column,
        ends,
        0,
    )
    seen = standing(table, position, place, alone=alone)._replace(own=float(sheet.total))
    variance = outlook(table, sheet).variance * (left - 1) / left if len(seen.means) else 0.0
    later, first = np.empty(COUNT), np.empty(COUNT)
    win_ends(writes, worths, variance, count, 0, *seen, later)
    win_ends(writes, worths, variance, count, FIRST_THROW_YAMM, *seen, first)
    values = fast.turn_values((first, later, later), kept_dice=kept_dice)
    cells = {} if turn.waiting else _cells(sheet, nodes, turn, writes[:count], worths, variance, seen)
    return Judgement(values, cells, work + 1)


def _cells(
    sheet: Sheet,
    nodes: NDArray[np.int16],
    turn: Turn,
    writes: NDArray[np.int16],
    worths: NDArray[np.float32],
    variance: float,
    seen: Standing,
) -> dict[Cell, float]:
    """What writing the dice that lie is worth in each open cell."""
    roll = turn.dice.index - FIRST_ROLL
    yamm = FIRST_THROW_YAMM if turn.throws == 1 else 0
    found: dict[Cell, float] = {}
    for at, (place, row, kind, _) in enumerate(writes.tolist()):
        if kind == ROLL_CLASSES[roll, row]:
            worth = float(win_worth(worths[at], variance, roll, row, yamm, *seen))
            alike = [other for other, unit in enumerate(UNITS) if unit is UNITS[place] and nodes[other] == nodes[place]]
            found |= {CELLS[other][row]: worth for other in alike}
    return {cell: found[cell] for cell in sheet.open_cells}


def correction(table: Table, position: Position, place: int) -> Correct | None:
    """Where the sheet's last result would better stand, now that the others have gone on; None where it is well placed or final."""
    result = position.wet[place]
    turn = last_turn(position.game.options, place, position.number)
    if result is None or turn is None:
        return None
    seen = standing(table, position, place)
    variance = outlook(table, position.written[place]).variance
    worth = {}
    for cell in position.sheets[place].open_cells:
        sheet = position.sheets[place].with_result(result._replace(cell=cell))
        worth[cell] = chance(sheet.total + outlook(table, sheet).mean, variance, seen.means, seen.variances)
    best = max(worth, key=lambda cell: worth[cell])
    return Correct(turn, best) if worth[best] - worth[result.cell] > WORTH_MOVING else None


@njit(nogil=True, cache=True)
def chance(mean: float, variance: float, means: Any, variances: Any) -> float:
    """The chance to end above all others; without others the mean itself."""
    if len(means) == 0:
        return mean
    product = 1.0
    for other in range(len(means)):
        spread = sqrt(max(variance + variances[other], LEAST_VARIANCE))
        product *= 0.5 + 0.5 * erf((mean - means[other]) / (spread * sqrt(2.0)))
    return product + POINT * mean


@njit(nogil=True, cache=True)
def win_worth(worth: float, variance: float, roll: int, row: int, yamm: float, own: float, means: Any, variances: Any) -> float:
    """What writing this roll into a cell of this row is worth; `yamm`: what a first-throw Yamm would add. Without opponents
    the points to come."""
    mean = worth + FIGURE_POINTS[roll, row]
    for number in range(len(YAMM_ROLLS)):
        if YAMM_ROLLS[number] == roll:
            mean += yamm
    return chance(mean + own if len(means) > 0 else mean, variance, means, variances)


@njit(nogil=True, cache=True)
def win_ends(
    writes: Any, worths: Any, variance: float, count: int, yamm: float, own: float, means: Any, variances: Any, ends: Any
) -> None:
    """What ending with each roll is worth: the best of all ways to write it."""
    ends[:] = -np.inf
    for at in range(count):
        row, kind = writes[at, 1], writes[at, 2]
        for roll in range(COUNT):
            if ROLL_CLASSES[roll, row] == kind:
                ends[roll] = max(ends[roll], win_worth(worths[at], variance, roll, row, yamm, own, means, variances))
