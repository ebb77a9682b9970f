"""How far the master looks, and how it makes do with less: further and further, as long as the next look is likely to fit."""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from dicecup.engine.yamm.evaluation.decisions import Depth, Judgement, judge
from dicecup.engine.yamm.evaluation.table import Table
from dicecup.yamm import Position

MASTER: Final = Depth(2, (0.0, 5.0))
"""How far the master looks when nothing limits it."""
DEPTHS: Final = (
    Depth(),
    Depth(2, (0.0, 0.0)),
    Depth(2, (0.0, 5.0)),
    Depth(3, (0.0, 0.0, 2.0)),
    Depth(3, (0.0, 2.0, 6.0)),
    Depth(4, (0.0, 0.0, 1.0, 3.0)),
)
"""What is tried one after the other within a limit."""
SAME, FURTHER = 3.0, 40.0
"""How much more work the next of these is likely to be, for as many turns and for one more."""


def judge_deeply(
    table: Table, position: Position, work: int | None, seconds: float | None, clock: Callable[[], float]
) -> Judgement:
    """Judges within so many exact turns (`Judgement.work`) and so many seconds of this clock; without a limit at depth `MASTER`.
    The first look, one turn ahead, is always taken."""
    if work is None and seconds is None:
        return judge(table, position, MASTER)
    began = clock()
    judged = judge(table, position, DEPTHS[0])
    done = judged.work
    for before, depth in pairwise(DEPTHS):
        likely = judged.work * (SAME if depth.turns == before.turns else FURTHER)
        spent = clock() - began
        if (work is not None and done + likely > work) or (seconds is not None and spent * (1 + likely / done) > seconds):
            break
        judged = judge(table, position, depth)
        done += judged.work
    return judged._replace(work=done)
