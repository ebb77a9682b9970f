"""The sheets that training games begin with: some cells written at random, some columns full.

Good columns are rare in untrained play, so each column gets its own chance for the results of rows
1 to 6.
"""

import numpy as np

from dicecup.core.dice import DICE
from dicecup.engine.arrays import Floats, Shorts
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, HIGH, PLACES, TOTALS, Graph
from dicecup.engine.yamm.evaluation.dice_kernel import bits_of
from dicecup.engine.yamm.evaluation.turn_kernel import HEIGHT, ROW_CLASSES

COLUMNS = 9
COLUMN_OF = np.array(COLUMN_OF_PLACE, dtype=np.int64)
OPENING = 63
"""The number in place of a throw's number for these draws (`dice_kernel.bits_of`)."""


@kernel
def chance(seed: int, game: int, number: int) -> float:
    """Return the n-th draw of a game's opening, from 0 to 1."""
    return (bits_of(seed, game, number, OPENING) >> np.uint64(11)) * (1.0 / (1 << 53))


@kernel
def open_sheets(
    graph: Graph, empty: Shorts, full: Shorts, columns: int, writes: int, seed: int, first: int, nodes: Shorts
) -> None:
    """Write the sheets of games `first`, `first + 1`, … into `nodes` (lanes, 12).

    In each sheet `columns` random columns are full, and `writes` cells of the others are written.
    `empty` and `full`: the nodes of the empty and of the full columns.
    """
    taste, order = scratch(COLUMNS, np.float64), scratch(COLUMNS, np.int64)
    for lane in range(len(nodes)):
        game, number = first + lane, 2 * COLUMNS
        copy(nodes[lane], empty)
        for column in range(COLUMNS):
            taste[column] = 0.25 + 0.65 * chance(seed, game, column)
            other = int(chance(seed, game, COLUMNS + column) * (column + 1))
            order[column] = order[other]
            order[other] = column
        for place in range(PLACES):
            for column in order[:columns]:
                if COLUMN_OF[place] == column:
                    nodes[lane, place] = full[place]
        for _ in range(writes):
            number = write_anything(graph, nodes[lane], taste, seed, game, number)


@kernel
def write_anything(graph: Graph, nodes: Shorts, taste: Floats, seed: int, game: int, number: int) -> int:
    """Write one open cell, each equally likely. Return the number of the next draw."""
    cells = 0
    for place in range(PLACES):
        for row in range(HEIGHT):
            cells += graph.first[nodes[place], row] >= 0
    chosen = int(chance(seed, game, number) * cells)
    number += 1
    for place in range(PLACES):
        for row in range(HEIGHT):
            step = graph.first[nodes[place], row]
            if step < 0:
                continue
            if chosen == 0:
                kind = 0
                if ROW_CLASSES[row] == TOTALS:
                    kind = int(TOTALS * chance(seed, game, number) ** 1.5)
                    kind = TOTALS - 1 - kind if row == HIGH else kind
                elif ROW_CLASSES[row] == DICE + 1:
                    for die in range(DICE):
                        kind += chance(seed, game, number + die) < taste[COLUMN_OF[place]]
                nodes[place] = graph.after[step + kind]
                return number + DICE
            chosen -= 1
    return number
