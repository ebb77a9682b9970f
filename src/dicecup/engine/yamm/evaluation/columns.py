"""The states of a column as nodes of a graph.

The state of a column is the set of open rows, the sum of rows 1 to 6 while a bonus can still come
of it, and the result in H or T while the other one is open. A free column has two independent
halves, rows 1 to 6 and the rest, so a sheet of nine columns is 12 nodes. The graph is built from
the rules in `dicecup.yamm`, and its numbers are the same in every run.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FACES
from dicecup.yamm import score
from dicecup.yamm.rows import ROWS, UPPER, Row

HIGH, LOW = ROWS.index(Row.HIGH), ROWS.index(Row.LOW)
UPPER_ROWS: Final = (1 << len(UPPER)) - 1
LOWER_ROWS: Final = (1 << len(ROWS)) - 1 - UPPER_ROWS
TOTALS: Final = 5 * DICE + 1
"""The number of different sums of five dice: 5 to 30."""
CLASSES: Final = tuple(DICE + 1 if row in UPPER else TOTALS if row in (Row.HIGH, Row.LOW) else 1 for row in ROWS)
"""Row → the number of classes of rolls that lead to different nodes: by the number of dice of the
face, by the sum, or just one.
"""
SUMS: Final = tuple(range(DICE, DICE + TOTALS))


class Kind(IntEnum):
    """The four parts of the graph: a whole ordered column, or half of a free one."""

    DOWN = 0
    UP = 1
    FREE_UPPER = 2
    FREE_LOWER = 3


COLUMNS_PER_ORDER: Final = 3
"""The number of columns of each order."""
KIND_OF_PLACE: Final = tuple(kind for kind in Kind for _ in range(COLUMNS_PER_ORDER))
"""The kind of each of the 12 places of a packed sheet: d1 d2 d3, u1 u2 u3, rows 1 to 6 of f1 f2
f3, the other rows of f1 f2 f3.
"""
ORDERED: Final = 2 * COLUMNS_PER_ORDER
"""The number of places that are ordered columns. They come first."""
PLACES: Final = len(KIND_OF_PLACE)
COLUMN_OF_PLACE: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8)
"""The column of the sheet that each place belongs to."""


class State(NamedTuple):
    """The state of a column or of a half.

    `empty`: the open rows, as bits. `upper`: the sum of rows 1 to 6, `None` where the bonus is no
    longer possible. `held`: the result in H or T while the other one is open.
    """

    empty: int
    upper: int | None
    held: int


class Graph(NamedTuple):
    """All nodes as arrays for kernels. Nodes of one kind are consecutive, the empty column first.

    `first` (nodes, 11): where the steps of a row begin, one for each class of rolls; -1 where the
    row cannot be written now. `after` and `gain`: the node and the points of each step, bonus and
    strikes included. For FH, ST and Y the points follow from the roll, and `gain` is 0. `left`: the
    number of open cells.
    """

    first: NDArray[np.int32]
    after: NDArray[np.int16]
    gain: NDArray[np.float32]
    left: NDArray[np.int8]


@cache
def _merged(empty: int, upper: int, held: int) -> State:
    """Return the state without what no longer matters."""
    open_faces = [face for row, face in enumerate(FACES) if empty >> row & 1]
    alive = open_faces and upper + DICE * sum(open_faces) >= score.BONUSES[0][0]
    return State(empty, upper if alive else None, held if (empty >> HIGH & 1) != (empty >> LOW & 1) else 0)


def open_rows(kind: Kind, state: State) -> list[int]:
    """Return the rows that may be written now."""
    rows = [row for row in range(len(ROWS)) if state.empty >> row & 1]
    return rows[:1] if kind is Kind.DOWN else rows[-1:] if kind is Kind.UP else rows


def _steps(state: State, row: int) -> Iterator[tuple[State, int]]:
    """Yield the state after writing a row and the points gained, for each class of rolls."""
    empty = state.empty & ~(1 << row)
    if row < len(UPPER):
        for count in range(DICE + 1):
            points = FACES[row] * count
            upper = None if state.upper is None else state.upper + points
            completes = not empty & UPPER_ROWS and upper is not None
            bonus = score.bonus(upper) if completes and upper is not None else 0
            yield (State(empty, None, state.held) if upper is None else _merged(empty, upper, state.held)), points + bonus
    elif row in (HIGH, LOW):
        second = not empty >> (HIGH + LOW - row) & 1
        for points in SUMS:
            if not second:
                yield State(empty, state.upper, points), points
            else:
                valid = points > state.held if row == HIGH else points < state.held
                yield State(empty, state.upper, 0), points if valid else -state.held
    else:
        yield State(empty, state.upper, state.held), 0


def _start(kind: Kind) -> State:
    """Return the empty state of a column or a half."""
    rows = {Kind.FREE_UPPER: UPPER_ROWS, Kind.FREE_LOWER: LOWER_ROWS}.get(kind, UPPER_ROWS | LOWER_ROWS)
    return _merged(rows, 0, 0)


@cache
def states() -> dict[tuple[Kind, State], int]:
    """Return the number of every node."""
    numbers: dict[tuple[Kind, State], int] = {}
    for kind in Kind:
        found = [_start(kind)]
        numbers[kind, found[0]] = len(numbers)
        for state in found:
            for row in open_rows(kind, state):
                for after, _ in _steps(state, row):
                    if (kind, after) not in numbers:
                        numbers[kind, after] = len(numbers)
                        found.append(after)
    return numbers


@cache
def empty_sheet() -> NDArray[np.int16]:
    """Return the 12 nodes of the empty sheet."""
    return np.array([states()[kind, _start(kind)] for kind in KIND_OF_PLACE], dtype=np.int16)


@cache
def full_sheet() -> NDArray[np.int16]:
    """Return the 12 nodes of the full sheet."""
    return np.array([states()[kind, State(0, None, 0)] for kind in KIND_OF_PLACE], dtype=np.int16)


@cache
def graph() -> Graph:
    """Return the graph, which is built once."""
    numbers = states()
    first = [[-1] * len(ROWS) for _ in numbers]
    after: list[int] = []
    gain: list[int] = []
    for (kind, state), number in numbers.items():
        for row in open_rows(kind, state):
            first[number][row] = len(after)
            for step, points in _steps(state, row):
                after.append(numbers[kind, step])
                gain.append(points)
    left = [state.empty.bit_count() for _, state in numbers]
    return Graph(
        np.array(first, dtype=np.int32),
        np.array(after, dtype=np.int16),
        np.array(gain, dtype=np.float32),
        np.array(left, dtype=np.int8),
    )


def node(kind: Kind, empty: int, upper: int, held: int) -> int:
    """Return the node with these rows open, this sum of rows 1 to 6, and this result in H or T
    while the other is open.
    """
    return states()[kind, _merged(empty, upper, held)]


def roll_classes() -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return for each of the 252 rolls and 11 rows the class of the roll, and the points of FH, ST
    and Y that `gain` leaves out.

    The points are 0 in the other rows.
    """
    from dicecup.core.dice import ROLLS
    from dicecup.yamm.rows import VALUES

    classes = np.zeros((len(ROLLS), len(ROWS)), dtype=np.int64)
    points = np.zeros((len(ROLLS), len(ROWS)), dtype=np.float32)
    for number, roll in enumerate(ROLLS):
        for row, name in enumerate(ROWS):
            if CLASSES[row] == 1:
                points[number, row] = VALUES[name][number]
            else:
                classes[number, row] = roll.counts[row] if row < len(UPPER) else roll.total - DICE
    return classes, points
