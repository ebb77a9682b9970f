"""Games of one sheet as arrays, and the layout of observations and actions.

Actions: the 210 keeps, then the cells of the sheet, columns from the left. An observation is a row
of bytes: for each cell whether it is empty; for each column the sum of rows 1 to 6 while it still
counts, then the result in H or T while the other one is empty; the points so far (hundreds and
remainder); the turn (`stepping.mask_kernel`); the number of finished turns (hundreds and
remainder).
`dicecup.envs.yamm` describes the same layout for people.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL
from dicecup.core.turn import KeptDice
from dicecup.engine.arrays import Integers, Shorts, Singles
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.stepping.mask_kernel import TURN_BYTES, Bytes
from dicecup.engine.yamm.evaluation.columns import Graph, empty_sheet, full_sheet, graph, states
from dicecup.engine.yamm.evaluation.pack import place_of
from dicecup.yamm import SHEET, Column, Yamm
from dicecup.yamm.rows import ROWS


class Sheet(NamedTuple):
    """A sheet of some columns of the printed one, for kernels.

    `start` (12): its nodes when it is empty. `cell_place`, `cell_row` (cells): the place and the
    row of each cell. `column_upper`, `column_held` (columns): the place of rows 1 to 6 of each
    column, and that of H and T. `node_empty` (nodes): the empty rows of a node as bits;
    `node_upper` and `node_held`: the sum and the result that it holds. `locked`: the option
    `kept_dice`.
    """

    graph: Graph
    start: Shorts
    cell_place: Integers
    cell_row: Integers
    column_upper: Integers
    column_held: Integers
    node_empty: Integers
    node_upper: Bytes
    node_held: Bytes
    locked: bool

    @property
    def cells(self) -> int:
        """Return the number of cells, which is that of the turns."""
        return len(self.cell_place)

    @property
    def actions(self) -> int:
        """Return the number of actions."""
        return FIRST_ROLL + self.cells

    @property
    def size(self) -> int:
        """Return the number of bytes of an observation."""
        return self.cells + 2 * len(self.column_upper) + 2 + TURN_BYTES + 2


class Games(NamedTuple):
    """Games between two decisions, one in each row of every array.

    `nodes` (games, 12), `roll` (0 to 251), `throws`, `locked` (a set of dice, 0 for none), `turn`
    (finished turns), `total` (points), `number` (which game of the series it is, for the dice).
    """

    nodes: Shorts
    roll: Integers
    throws: Integers
    locked: Integers
    turn: Integers
    total: Integers
    number: Integers


class Answers(NamedTuple):
    """What a step writes, one row for each game.

    `observations` (games, bytes), `masks` (games, actions), 1 for each legal action, `rewards`, and
    whether the game is `over`.
    """

    observations: Bytes
    masks: Bytes
    rewards: Singles
    over: NDArray[np.bool_]


def sheet_of(game: Yamm) -> Sheet:
    """Return the sheet of a game of one player.

    Raises `EngineError` (`not-a-shape`) for several players, and for other columns or rows than
    those of the printed sheet.
    """
    columns: Sequence[Column] = game.sheet.columns
    if game.players != 1 or game.sheet.rows != ROWS or not set(columns) <= set(SHEET.columns):
        raise EngineError(EngineCode.NOT_A_SHAPE, game=game.id)
    places = [place_of(cell) for cell in game.sheet.cells]
    start = full_sheet().copy()
    for place, _ in places:
        start[place] = empty_sheet()[place]
    nodes = list(states())
    return Sheet(
        graph=graph(),
        start=start,
        cell_place=np.array([place for place, _ in places], np.int64),
        cell_row=np.array([row for _, row in places], np.int64),
        column_upper=np.array([places[len(ROWS) * at][0] for at in range(len(columns))], np.int64),
        column_held=np.array([places[len(ROWS) * at + len(ROWS) - 1][0] for at in range(len(columns))], np.int64),
        node_empty=np.array([state.empty for _, state in nodes], np.int64),
        node_upper=np.array([state.upper or 0 for _, state in nodes], np.uint8),
        node_held=np.array([state.held for _, state in nodes], np.uint8),
        locked=game.options.kept_dice is KeptDice.LOCKED,
    )


def new_games(sheet: Sheet, count: int) -> Games:
    """Return arrays for so many games, none of which has begun."""
    zeros: list[Any] = [np.zeros(count, np.int64) for _ in range(6)]
    return Games(np.tile(sheet.start, (count, 1)), *zeros)


def new_answers(count: int, size: int, actions: int) -> Answers:
    """Return arrays for the answers of a number of games."""
    return Answers(
        np.zeros((count, size), np.uint8),
        np.zeros((count, actions), np.uint8),
        np.zeros(count, np.float32),
        np.zeros(count, np.bool_),
    )
