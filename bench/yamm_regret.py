"""What the players of Yamm lose on sheets whose optimum is known: all columns are full but those
named.

The means are freed of the luck of the dice, so few games tell much. The exact values of a free
column with an ordered one take 1 GB and about a minute.
"""

import numpy as np

from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.yamm.evaluation.columns import UNIT_COLUMNS, empty_sheet, full_sheet
from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
from dicecup.engine.yamm.evaluation.deepening import MASTER
from dicecup.engine.yamm.evaluation.simulate import play
from dicecup.engine.yamm.evaluation.turn_kernel import HEIGHT, LANES
from dicecup.players.yamm import table
from dicecup.yamm.sheet import SHEET

COLUMNS = ("d1", "u1", "f1", "d1,d2", "d1,u1", "u1,u2", "d1,d2,d3", "d1,d2,u1", "d1,u1,u2", "u1,u2,u3", "d1,f1")
LIMIT = 2**27
EXPERTS, MASTERS = 3200, 320
"""Games."""


def mean(columns: list[str], margins: tuple[float, ...], games: int) -> tuple[float, float]:
    """The mean points on these columns, and half of its 95 % interval."""
    empty = np.isin(np.array(SHEET.columns)[list(UNIT_COLUMNS)], columns)
    sheet = np.where(empty, empty_sheet(), full_sheet())
    found: list[float] = []
    for first in range(0, games, LANES):
        played = play(table().evaluation, 1, first, np.tile(sheet, (LANES, 1)), HEIGHT * len(columns), margins)
        totals = played.scores[:, : len(SHEET.columns)].sum(axis=1) + 100 * played.scores[:, -1]
        found += (totals - played.luck.sum(axis=0, dtype=np.float64)).tolist()
    return float(np.mean(found)), 1.96 * float(np.std(found)) / len(found) ** 0.5


def main() -> None:
    """Prints one line for each set of columns."""
    print(f"{'columns':<10}{'optimum':>14}{'expert':>18}{'lost %':>8}{'master':>18}{'lost %':>8}")
    for columns in COLUMNS:
        optimum = solver.solve(yamm_sheet(columns), limit=LIMIT).value
        line = f"{columns:<10}{optimum:>14.4f}"
        for depth, games in ((ONE_TURN, EXPERTS), (MASTER, MASTERS)):
            got, half = mean(columns.split(","), depth.margins, games)
            line += f"{got:>10.2f} ± {half:<5.2f}{(1 - got / optimum) * 100:>8.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
