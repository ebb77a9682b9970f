"""Iterative deepening: the master's search goes deeper as long as the next depth is likely to fit a
limit.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from dicecup.engine.yamm.evaluation.decisions import Depth, TurnEvaluation, evaluate
from dicecup.engine.yamm.evaluation.table import Table
from dicecup.yamm import Position

MASTER: Final = Depth(2, (0.0, 5.0))
"""The depth of the master without a limit."""
DEPTHS: Final = (
    Depth(),
    Depth(2, (0.0, 0.0)),
    Depth(2, (0.0, 5.0)),
    Depth(3, (0.0, 0.0, 2.0)),
    Depth(3, (0.0, 2.0, 6.0)),
    Depth(4, (0.0, 0.0, 1.0, 3.0)),
)
"""The depths that are tried one after the other within a limit."""
SAME, FURTHER = 3.0, 40.0
"""The likely growth of the work from one depth to the next, for the same number of turns (`SAME`)
and for one more (`FURTHER`).
"""


def evaluate_deeper(
    table: Table, position: Position, work: int | None, seconds: float | None, clock: Callable[[], float]
) -> TurnEvaluation:
    """Evaluate within `work` exact turns and `seconds` of this clock, without a limit at depth
    `MASTER`.

    The first depth, one turn ahead, is always evaluated. `TurnEvaluation.work` of the result counts
    all depths.
    """
    if work is None and seconds is None:
        return evaluate(table, position, MASTER)
    began = clock()
    judged = evaluate(table, position, DEPTHS[0])
    done = judged.work
    for before, depth in pairwise(DEPTHS):
        likely = judged.work * (SAME if depth.turns == before.turns else FURTHER)
        spent = clock() - began
        if (work is not None and done + likely > work) or (seconds is not None and spent * (1 + likely / done) > seconds):
            break
        judged = evaluate(table, position, depth)
        done += judged.work
    return judged._replace(work=done)
