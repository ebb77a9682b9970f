"""Parts of columns as small automata for the verification, built from the rules apart from those of
the solver.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.yamm.rows import POSSIBLE, ROWS, UPPER, VALUES, Row
from dicecup.yamm.score import bonus

State: TypeAlias = tuple[tuple[Row, ...], int, int]
"""The empty rows from the top, the sum of rows 1 to 6, and the result in H or T while the other is
empty (else 0).
"""
Moves: TypeAlias = tuple[tuple[Row, tuple[tuple[int, int], ...]], ...]
"""For each open row, for each of its results in ascending order, the next node and the points
gained.
"""

PARTS: Final = {
    "d": ROWS,
    "u": ROWS,
    "f": ROWS,
    "upper": UPPER,
    "lower": tuple(row for row in ROWS if row not in UPPER),
    "pair": (Row.HIGH, Row.LOW),
    "rest": (Row.FULL_HOUSE, Row.STRAIGHT, Row.YAMM),
}
"""The parts that a block consists of, and their rows: a downward, an upward or a free column, or
some rows of a free one.
"""
LIMIT: Final = 2**22
"""The most states of a block: more would take longer than minutes."""
RESULTS: Final = {row: tuple(sorted(points)) for row, points in POSSIBLE.items()}
CLASSES: Final = {row: np.array([RESULTS[row].index(points) for points in VALUES[row]]) for row in ROWS}
"""Row → which of its results each of the 252 rolls gives."""


@dataclass(frozen=True)
class Part:
    """The nodes of a part: their moves, the number of `written` rows, and the empty one.

    A node stands for all states from which the same writings gain the same points.
    """

    nodes: tuple[Moves, ...]
    written: tuple[int, ...]
    start: int


@cache
def part(kind: str) -> Part:
    """Return a part by its name."""
    rows = PARTS[kind]
    node_of: dict[Moves, int] = {}
    written: list[int] = []

    @cache
    def node(state: State) -> int:
        """Return the number of the node of a state. States with the same moves share a node."""
        moves = tuple(
            (row, tuple((node(after), gain) for after, gain in (_write(state, row, points) for points in RESULTS[row])))
            for row in _open(kind, state[0])
        )
        if moves not in node_of:
            node_of[moves] = len(node_of)
            written.append(len(rows) - len(state[0]))
        return node_of[moves]

    start = node((rows, 0, 0))
    return Part(tuple(node_of), tuple(written), start)


def _open(kind: str, empty: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows that may be written next."""
    return empty[:1] if kind == "d" else empty[-1:] if kind == "u" else empty


def _write(state: State, row: Row, points: int) -> tuple[State, int]:
    """Write a row (RULES): the bonus comes with the last of rows 1 to 6; where H ≥ T + 1 fails,
    both are struck.
    """
    empty, upper, waiting = state
    left = tuple(other for other in empty if other is not row)
    if row in UPPER:
        upper += points
        return (left, upper, waiting), points + (0 if set(left) & set(UPPER) else bonus(upper))
    if row not in (Row.HIGH, Row.LOW):
        return (left, upper, waiting), points
    if {Row.HIGH, Row.LOW} & set(left):
        return (left, upper, points), points
    high, low = (points, waiting) if row is Row.HIGH else (waiting, points)
    return (left, upper, 0), points if high > low else -waiting


@dataclass(frozen=True)
class Group:
    """All states of a block with the same open cells: their indices, the number of their written
    cells, and the arrays of `turn_of_states`.
    """

    states: NDArray[np.int64]
    written: int
    begins: NDArray[np.int64]
    strides: NDArray[np.int64]
    classes: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class Space:
    """The states of a block: its groups with an open cell, and the moves that all of them share."""

    size: int
    start: int
    groups: tuple[Group, ...]
    steps: NDArray[np.int64]
    gains: NDArray[np.float64]


def space(kinds: Iterable[str]) -> Space:
    """Return the states of these parts together, numbered in mixed radix.

    Raises `EngineError` (`too-many-states`) above `LIMIT`.
    """
    parts = [part(kind) for kind in kinds]
    sizes = [len(each.nodes) for each in parts]
    if prod(sizes) > LIMIT:
        raise EngineError(EngineCode.TOO_MANY_STATES, states=prod(sizes), limit=LIMIT)
    strides = [prod(sizes[at + 1 :]) for at in range(len(sizes))]
    steps: list[int] = []
    gains: list[int] = []
    begins: list[dict[tuple[int, Row], int]] = []
    for each in parts:
        found = {}
        for number, moves in enumerate(each.nodes):
            for row, results in moves:
                found[number, row] = len(steps)
                steps.extend(after - number for after, _ in results)
                gains.extend(gain for _, gain in results)
        begins.append(found)
    groups = tuple(_groups(parts, strides, begins))
    start = sum(each.start * stride for each, stride in zip(parts, strides, strict=True))
    return Space(prod(sizes), start, groups, np.array(steps), np.array(gains, dtype=np.float64))


def _groups(parts: list[Part], strides: list[int], begins: list[dict[tuple[int, Row], int]]) -> Iterator[Group]:
    """Yield the states of all parts together, grouped by their open cells."""
    shapes = []
    for each in parts:
        alike: dict[tuple[int, tuple[Row, ...]], list[int]] = {}
        for number, moves in enumerate(each.nodes):
            alike.setdefault((each.written[number], tuple(row for row, _ in moves)), []).append(number)
        shapes.append(alike)
    for chosen in product(*(alike.items() for alike in shapes)):
        nodes = np.meshgrid(*(np.array(numbers) for _, numbers in chosen), indexing="ij")
        cells = [(at, row) for at, ((_, rows), _) in enumerate(chosen) for row in rows]
        if cells:
            yield Group(
                states=sum((node * stride for node, stride in zip(nodes, strides, strict=True)), np.int64(0)).ravel(),
                written=sum(written for (written, _), _ in chosen),
                begins=np.array([[begins[at][number, row] for number in nodes[at].ravel().tolist()] for at, row in cells]),
                strides=np.array([strides[at] for at, _ in cells]),
                classes=np.array([CLASSES[row] for _, row in cells]),
                counts=np.array([len(RESULTS[row]) for _, row in cells]),
            )
