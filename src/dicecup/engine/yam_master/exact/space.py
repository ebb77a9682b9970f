"""All nodes of a board, or of the closure of a position, in the order in which they can be solved.

Row u holds the nodes that are reached with u captures and not with fewer. Part k of a row holds
those with k tokens placed. The parts are found from the first to the last and solved from the last
to the first. So the nodes that follow by placing, and mostly those that follow by capturing, are
solved before.

Where captured tokens leave the game, each part is a cell (u, k) of its own; placing leads to (u, k
+ 1), capturing to (u + 1, k). Where they return, a node does not determine the number of captures,
and play can come back to it. Then the cells are (0, k): all nodes with k tokens more on the board
than the root. Placing leads to (0, k + 1), capturing to (0, k - 1), and sweeps are repeated until
the values stand still.
"""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.exact.nodes import CHUNK, Nodes
from dicecup.engine.yam_master.exact.value_kernel import Table, solve_nodes, workspace
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import MOST_SQUARES, MOST_TOKENS, O_SHIFT, O_SUPPLY, X_SUPPLY
from dicecup.yam_master import Captured, End, YamMaster
from dicecup.yam_master.board import layout_text

Cell = tuple[int, int]

SQUARES = (1 << O_SHIFT) - 1
SUPPLY = 15


class Space:
    """The nodes that are reached from `root`, found row by row (`add_row`), and their values
    (`sweep`).

    `circular`: sweeps must be repeated. Raises `EngineError` (`not-solvable`) for a board with more
    squares or tokens than a node holds.
    """

    def __init__(self, game: YamMaster, root: int) -> None:
        if len(game.board.names) > MOST_SQUARES or game.board.tokens > MOST_TOKENS:
            raise EngineError(EngineCode.NOT_SOLVABLE, name=layout_text(game.board.layout))
        self.game = game
        self.rules = rules_of(game)
        self.root = root
        self.circular = game.options.captured is Captured.RETURNED
        self.tables: dict[Cell, Table] = {}
        self._nodes: dict[Cell, Nodes] = {}
        self._rows: list[dict[int, slice]] = []
        """For each row and number of tokens placed the part of the cell."""
        self._nothing = _table(Nodes())
        self.pairs = np.unique(self.rules.roll_class[1:].T, axis=0)
        later, defi = game.held[1:]
        self._defi_squares = reduce(or_, (under & ~without for without, under in zip(later, defi, strict=True)))

    @property
    def rows(self) -> int:
        """The number of rows found."""
        return len(self._rows)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(len(table.keys) for table in self.tables.values())

    @property
    def states(self) -> int:
        """The number of positions at the beginning of a turn: every node with x and with o to move,
        or with o alone where that turn is the last.
        """
        last = 0
        if self.game.options.end is End.FULL_ROUND:
            last = sum(int((table.keys >> X_SUPPLY & SUPPLY == 0).sum()) for table in self.tables.values())
        return 2 * self.nodes - last

    def add_row(self) -> bool:
        """Find the nodes that are reached with one capture more; the first row has none. Return
        whether there are any.
        """
        u, k, row = self.rows, 0, dict[int, slice]()
        before = self._rows[-1] if self._rows else {}
        while k <= max(before, default=0) or k - 1 in row:
            nodes = self._nodes.setdefault(self._cell(u, k), Nodes())
            start = len(nodes)
            if (u, k) == (0, 0):
                nodes.add(self.root)
            if k - 1 in row:
                nodes.add_placed(self.rules, self._nodes[self._cell(u, k - 1)], row[k - 1])
            if k in before:
                nodes.add_removed(self.rules, self._nodes[self._cell(u - 1, k)], before[k])
            if len(nodes) > start:
                row[k] = slice(start, len(nodes))
            k += 1
        for k in row:
            cell = self._cell(u, k)
            self.tables[cell] = _table(self._nodes[cell], self.tables.get(cell))
        if row:
            self._rows.append(row)
        return bool(row)

    def sweep(self) -> Iterator[tuple[int, float]]:
        """Solve every cell once, from the last to the first, in steps of some tenths of a second.

        Yield for each step the number of nodes and the largest change of a value. Steps run in
        threads where there are any; the result does not depend on their number.
        """
        with _workers() as mapped:
            for u, row in reversed(list(enumerate(self._rows))):
                for k, part in sorted(row.items(), reverse=True):
                    cell = self._cell(u, k)
                    order = self._order(cell, part)
                    yield from mapped(partial(self._step, cell, order), range(0, len(order), CHUNK))

    def placed(self, u: int, k: int) -> Table:
        """Return the table of the nodes that follow from cell (u, k) by placing."""
        return self.tables.get((u, k + 1), self._nothing)

    def removed(self, u: int, k: int) -> Table:
        """Return the table of the nodes that follow from cell (u, k) by capturing."""
        return self.tables.get((u, k - 1) if self.circular else (u + 1, k), self._nothing)

    def find(self, node: int) -> tuple[Cell, int] | None:
        """Return the cell that holds a node, and its index in the cell.

        Return `None` if the space does not hold the node.
        """
        root, here = _tokens(self.root), _tokens(node)
        placed = root[1] - here[1]
        cell = (0, here[0] - root[0]) if self.circular else (placed - here[0] + root[0], placed)
        at = self._nodes[cell].find(node) if cell in self.tables else -1
        return (cell, at) if at >= 0 else None

    def _cell(self, u: int, k: int) -> Cell:
        """Return the cell of the nodes of row u with k tokens placed."""
        return (0, k - u) if self.circular else (u, k)

    def _step(self, cell: Cell, order: NDArray[np.intp], start: int) -> tuple[int, float]:
        """Solve the next nodes of a cell. Return their number and the largest change of a value."""
        stop = min(start + CHUNK, len(order))
        tables = self.tables[cell], self.placed(*cell), self.removed(*cell)
        arrays = workspace(len(self.rules.class_yam))
        return stop - start, solve_nodes(self.rules, self.pairs, *tables, order, start, stop, arrays)

    def _order(self, cell: Cell, part: slice) -> NDArray[np.intp]:
        """Return the order of solving a part of a cell: nodes where a Défi may pay first, so that
        the lanes of a row agree on it.
        """
        keys = self.tables[cell].keys[part]
        taken = (keys | keys >> O_SHIFT) & self._defi_squares
        order: NDArray[np.intp] = np.argsort(taken == self._defi_squares, kind="stable")
        order += part.start
        return order


@contextmanager
def _workers() -> Iterator[Callable[..., Iterator[Any]]]:
    """Run a function on many arguments in threads. In the page there are none."""
    if sys.platform == "emscripten":
        yield map
        return
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def _table(nodes: Nodes, known: Table | None = None) -> Table:
    """Return a table of all nodes. The first ones keep their known values, the others begin as
    draws.
    """
    values = np.zeros((len(nodes), 2))
    if known is not None:
        values[: len(known.values)] = known.values
    return Table(nodes.keys[: len(nodes)], nodes.slots, values)


def _tokens(node: int) -> tuple[int, int]:
    """Return the numbers of tokens on the board and in the supplies."""
    board = (node & SQUARES).bit_count() + (node >> O_SHIFT & SQUARES).bit_count()
    return board, (node >> X_SUPPLY & SUPPLY) + (node >> O_SUPPLY & SUPPLY)
