"""Sections: the independent parts of a score sheet, each a small automaton without cycles.

A turn writes one open cell of one section. The next state of a section depends on its own state
alone, which says what cells are written and how many points still matter. So the states of a sheet
are the product of the states of its sections. The upper section with its bonus is a section, H and
T of a free column are another, a box by itself is a third, and an ordered column is one whole
section. Equivalent states, from which the same writings gain the same points, are merged here to
nodes.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import ROLLS

State: TypeAlias = Hashable
"""A state of a section before merging, in the terms of the rules."""
Write: TypeAlias = Callable[[Any, str, int], tuple[Any, int]]
"""A function that writes points into a cell of a state. It returns the next state and the points
gained, bonuses included.
"""

FIVE_EQUAL: Final = tuple(at for at, roll in enumerate(ROLLS) if len(set(roll.faces)) == 1)
"""The indices of the six rolls of five equal dice."""


@dataclass(frozen=True, slots=True)
class CellTable:
    """A cell of a section as arrays.

    `points`: the different points that rolls give in the cell. `classes` (252): the index of each
    roll's points. `step` and `gain` (nodes, points): the next node and the points gained, where the
    cell is open.
    """

    name: str
    points: tuple[int, ...]
    classes: NDArray[np.uint8]
    step: NDArray[np.int32]
    gain: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Section:
    """A section whose equivalent states are merged to nodes. Nodes with the same open cells are
    consecutive.

    `shapes`: for each set of open cells (indices of `cells`) its first node and the number of its
    nodes. `written`: the number of written cells in each shape. `start` and `start_state`: the
    empty section. `extra` (nodes): the bonus for five equal dice in any cell. `nodes`: the node of
    each state. `write`: the rules.
    """

    cells: tuple[CellTable, ...]
    shapes: tuple[tuple[tuple[int, ...], int, int], ...]
    written: tuple[int, ...]
    start: int
    start_state: State
    extra: NDArray[np.float64]
    nodes: Mapping[State, int]
    write: Write

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.extra)

    def open_cells(self, node: int) -> tuple[str, ...]:
        """Return the names of the cells that may be written in a node."""
        return next(
            tuple(self.cells[place].name for place in places)
            for places, first, count in self.shapes
            if first <= node < first + count
        )


def section(
    start: State,
    values: Mapping[str, Sequence[int]],
    open_cells: Callable[[Any], Sequence[str]],
    write: Write,
    extra: Callable[[Any], int] = lambda _: 0,
) -> Section:
    """Build a section from its rules.

    `values`: for each cell the points of all 252 rolls. `open_cells(state)`: the cells that may be
    written. `write(state, cell, points)`: the next state and the points gained. `extra(state)`: the
    bonus for five equal dice. Every way from the start to a state must write the same number of
    cells.
    """
    points = {name: tuple(sorted(set(value))) for name, value in values.items()}
    layers = _reachable(start, points, open_cells, write)
    group_of: dict[State, int] = {}
    groups: dict[tuple[Any, ...], int] = {}
    shape_of: list[tuple[int, tuple[str, ...]]] = []
    moves: list[dict[str, list[tuple[int, int]]]] = []
    extras: list[int] = []
    for written in range(len(layers) - 1, -1, -1):
        for state, following in layers[written].items():
            steps = {name: [(group_of[after], gain) for after, gain in found] for name, found in following.items()}
            signature = (written, extra(state), *((name, *found) for name, found in steps.items()))
            if signature not in groups:
                groups[signature] = len(groups)
                shape_of.append((written, tuple(steps)))
                moves.append(steps)
                extras.append(extra(state))
            group_of[state] = groups[signature]
    order = sorted(range(len(groups)), key=lambda group: (shape_of[group], group))
    node_of = {group: node for node, group in enumerate(order)}
    cells = tuple(_cell_table(name, points[name], values[name], [moves[group] for group in order], node_of) for name in values)
    place = {name: at for at, name in enumerate(values)}
    nodes_of_shape = Counter(shape_of)
    shapes, depths = [], []
    for node, group in enumerate(order):
        if node == 0 or shape_of[group] != shape_of[order[node - 1]]:
            written, names = shape_of[group]
            shapes.append((tuple(place[name] for name in names), node, nodes_of_shape[shape_of[group]]))
            depths.append(written)
    return Section(
        cells,
        tuple(shapes),
        tuple(depths),
        node_of[group_of[start]],
        start,
        np.array([extras[group] for group in order], dtype=np.float64),
        {state: node_of[group] for state, group in group_of.items()},
        write,
    )


Following: TypeAlias = dict[str, list[tuple[State, int]]]
"""Open cell → the next state and the points gained, for each of the cell's points."""


def _reachable(
    start: State, points: Mapping[str, tuple[int, ...]], open_cells: Callable[[Any], Sequence[str]], write: Write
) -> list[dict[State, Following]]:
    """Return every state with the states that follow from it, layer by layer of written cells.

    For each open cell the following states are in the order of the cell's points.
    """
    layers: list[dict[State, Following]] = []
    fringe: dict[State, None] = {start: None}
    while fringe:
        layer = {
            state: {name: [write(state, name, value) for value in points[name]] for name in open_cells(state)}
            for state in fringe
        }
        layers.append(layer)
        fringe = {after: None for following in layer.values() for found in following.values() for after, _ in found}
    return layers


def _cell_table(
    name: str,
    points: tuple[int, ...],
    values: Sequence[int],
    moves: list[dict[str, list[tuple[int, int]]]],
    node_of: Mapping[int, int],
) -> CellTable:
    """Return the arrays of a cell.

    `moves`: for each node the next groups and the gains, by cell. `node_of`: the node of each
    group.
    """
    step = np.zeros((len(moves), len(points)), dtype=np.int32)
    gain = np.zeros((len(moves), len(points)))
    for node, steps in enumerate(moves):
        if name in steps:
            step[node] = [node_of[group] for group, _ in steps[name]]
            gain[node] = [gained for _, gained in steps[name]]
    classes = np.array([points.index(value) for value in values], dtype=np.uint8)
    return CellTable(name, points, classes, step, gain)
