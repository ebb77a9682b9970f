"""All nodes of a board, or of the closure of a position, in the order in which they can be solved.

Cell (u, k) holds the nodes that are reached with u captures and k tokens placed. Placing leads to cell (u, k + 1), capturing to
(u + 1, k): cells are found from the first to the last and solved from the last to the first. Where captured tokens return this
never ends; a whole board then has one row of cells only, in which capturing leads back to (0, k - 1), and values are iterated.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.duel.nodes import CHUNK, Nodes
from dicecup.engine.duel.values import Table, solve_nodes
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master_play.rules import MOST_SQUARES, MOST_TOKENS, O_SHIFT, X_SUPPLY, rules_of
from dicecup.yam_master import End, YamMaster
from dicecup.yam_master.board import layout_text

Cell = tuple[int, int]

TOKENS = (1 << O_SHIFT) - 1


class Space:
    """The nodes that are reached from `root`, row by row (`add_row`), and their values (`sweep`). `circular`: there is only row 0,
    and capturing leads back in it.

    Raises `EngineError` (`not-solvable`) where a board has more squares or tokens than a node holds."""

    def __init__(self, game: YamMaster, root: int, *, circular: bool = False) -> None:
        if len(game.board.names) > MOST_SQUARES or game.board.tokens > MOST_TOKENS:
            raise EngineError(EngineCode.NOT_SOLVABLE, name=layout_text(game.board.layout))
        self.game = game
        self.rules = rules_of(game)
        self.root = root
        self.circular = circular
        self.tables: dict[Cell, Table] = {}
        self.rows = 0
        self._nodes: dict[Cell, Nodes] = {}
        self._nothing = _table(Nodes())
        self.pairs = np.unique(self.rules.roll_class[1:].T, axis=0)
        later, defi = game.held[1:]
        self._defi_squares = reduce(or_, (under & ~without for without, under in zip(later, defi, strict=True)))

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return sum(map(len, self._nodes.values()))

    @property
    def states(self) -> int:
        """Positions at the beginning of a turn: every node with x and with o to move, or with o alone where that turn is the last."""
        last = 0
        if self.game.options.end is End.FULL_ROUND:
            last = sum(int((table.keys >> X_SUPPLY & 15 == 0).sum()) for table in self.tables.values())
        return 2 * self.nodes - last

    def add_row(self) -> bool:
        """Finds the nodes that are reached with one capture more (the first row: with none); whether there are any."""
        u, k, found = self.rows, 0, False
        longest = max((k for _, k in self.tables), default=0)
        while k <= longest or (u, k - 1) in self.tables:
            nodes = Nodes()
            if (u, k) == (0, 0):
                nodes.add(self.root)
            if (u, k - 1) in self.tables:
                nodes.add_placed(self.rules, self._nodes[u, k - 1])
            if (u - 1, k) in self.tables:
                nodes.add_removed(self.rules, self._nodes[u - 1, k])
            if len(nodes):
                nodes.close()
                self._nodes[u, k], self.tables[u, k] = nodes, _table(nodes)
                found = True
            k += 1
        self.rows += found
        return found

    def sweep(self) -> Iterator[tuple[int, float]]:
        """Solves every cell once, from the last to the first, in steps of some tenths of a second: how many nodes a step solved, and
        how far their values moved at most. Steps run side by side; what comes out does not depend on how many."""
        pool = ThreadPoolExecutor(os.cpu_count())
        try:
            for cell in sorted(self.tables, reverse=True):
                order = self._order(cell)
                yield from pool.map(partial(self._step, cell, order), range(0, len(order), CHUNK))
        finally:
            pool.shutdown(cancel_futures=True)

    def placed(self, u: int, k: int) -> Table:
        """Where placing leads from cell (u, k)."""
        return self.tables.get((u, k + 1), self._nothing)

    def removed(self, u: int, k: int) -> Table:
        """Where capturing leads from cell (u, k)."""
        return self.tables.get((u, k - 1) if self.circular else (u + 1, k), self._nothing)

    def find(self, node: int) -> tuple[Cell, int] | None:
        """The cell with the fewest captures that holds a node, and its place there."""
        placed = _tokens(node) - _tokens(self.root)
        for cell in ((u, placed + u) for u in range(self.rows)):
            at = self._nodes[cell].find(node) if cell in self._nodes else -1
            if at >= 0:
                return cell, at
        return None

    def _step(self, cell: Cell, order: NDArray[np.intp], start: int) -> tuple[int, float]:
        stop = min(start + CHUNK, len(order))
        tables = self.tables[cell], self.placed(*cell), self.removed(*cell)
        return stop - start, solve_nodes(self.rules, self.pairs, *tables, order, start, stop)

    def _order(self, cell: Cell) -> NDArray[np.intp]:
        """Nodes for which a Défi may pay come first, so that lanes agree on whether it is to be looked at."""
        keys = self.tables[cell].keys
        taken = (keys | keys >> O_SHIFT) & self._defi_squares
        return np.argsort(taken == self._defi_squares, kind="stable")


def _table(nodes: Nodes) -> Table:
    return Table(nodes.keys, nodes.slots, np.zeros((len(nodes), 2)))


def _tokens(node: int) -> int:
    """Tokens on the board."""
    return (node & TOKENS).bit_count() + (node >> O_SHIFT & TOKENS).bit_count()
