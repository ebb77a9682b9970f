"""The kernel that solves sheets of the endgame table."""

from dicecup.engine.arrays import Shorts
from dicecup.engine.kernel import kernel
from dicecup.engine.yamm.evaluation.columns import Graph
from dicecup.engine.yamm.evaluation.endgame_kernel import endgame_index
from dicecup.engine.yamm.evaluation.play_kernel import Workspace
from dicecup.engine.yamm.evaluation.turn_kernel import LANES, best_writes, list_writes, solve, stop_values
from dicecup.engine.yamm.evaluation.value import Evaluation


@kernel
def solve_sheets(graph: Graph, evaluation: Evaluation, sheets: Shorts, left: int, arrays: Workspace) -> None:
    """Enter the values of these sheets, which all have `left` open cells."""
    stops, best, column = arrays.stops, arrays.best[0], arrays.column[0]
    writes, write_values = arrays.writes[0], arrays.write_values[0]
    stops[:] = 0
    for first in range(0, len(sheets), LANES):
        lanes = min(LANES, len(sheets) - first)
        for lane in range(lanes):
            count = list_writes(graph, evaluation, sheets[first + lane], left, writes, write_values)
            best_writes(writes, write_values, count, best, column)
            stop_values(best, stops, lane)
        solve(arrays.work, arrays.spare, stops, arrays.keeps, arrays.out, False)
        for lane in range(lanes):
            evaluation.endgame.values[endgame_index(evaluation.endgame, sheets[first + lane])] = arrays.out[lane]
