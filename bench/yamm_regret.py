"""Loss of the players of Yamm on sheets whose optimum is known.

All columns of a sheet are full except the named ones. The luck of the dice is subtracted from the
points, so that few games suffice. The exact values of an ordered and a free column take 1 GB and
about a minute.
"""

import numpy as np

from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, empty_sheet, full_sheet
from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
from dicecup.engine.yamm.evaluation.deepening import MASTER
from dicecup.engine.yamm.evaluation.simulate import play
from dicecup.engine.yamm.evaluation.turn_kernel import HEIGHT, LANES
from dicecup.players.yamm import table
from dicecup.yamm.sheet import SHEET

COLUMNS = ("d1", "u1", "f1", "d1,d2", "d1,u1", "u1,u2", "d1,d2,d3", "d1,d2,u1", "d1,u1,u2", "u1,u2,u3", "d1,f1")
LIMIT = 2**27
EXPERT_GAMES, MASTER_GAMES = 3200, 320


def mean(columns: list[str], margins: tuple[float, ...], games: int) -> tuple[float, float]:
    """Return the mean points on these columns, and half the width of its 95 % interval."""
    empty = np.isin(np.array(SHEET.columns)[list(COLUMN_OF_PLACE)], columns)
    sheet = np.where(empty, empty_sheet(), full_sheet())
    points: list[float] = []
    for first in range(0, games, LANES):
        played = play(table().evaluation, 1, first, np.tile(sheet, (LANES, 1)), HEIGHT * len(columns), margins)
        totals = played.scores[:, : len(SHEET.columns)].sum(axis=1) + 100 * played.scores[:, -1]
        points += (totals - played.luck.sum(axis=0, dtype=np.float64)).tolist()
    return float(np.mean(points)), 1.96 * float(np.std(points)) / len(points) ** 0.5


def main() -> None:
    """Print one line for each set of columns."""
    print(f"{'columns':<10}{'optimum':>14}{'expert':>18}{'lost %':>8}{'master':>18}{'lost %':>8}")
    for columns in COLUMNS:
        optimum = solver.solve(yamm_sheet(columns), limit=LIMIT).value
        line = f"{columns:<10}{optimum:>14.4f}"
        for depth, games in ((ONE_TURN, EXPERT_GAMES), (MASTER, MASTER_GAMES)):
            reached, half = mean(columns.split(","), depth.margins, games)
            line += f"{reached:>10.2f} ± {half:<5.2f}{(1 - reached / optimum) * 100:>8.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
