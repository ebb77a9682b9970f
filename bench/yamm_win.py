"""What playing for the win gains in games of two at Yamm, over playing for the most points; and
what moving results gains.

Every two games have equal dice and exchanged seats.
"""

import numpy as np

from dicecup.engine.yamm.evaluation.decisions import LEAST_GAIN
from dicecup.engine.yamm.evaluation.simulate import FOR_POINTS, NEVER_CORRECTS, Side, duel
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.players.yamm import table

PAIRS = ((NEVER_CORRECTS, FOR_POINTS, 4096), (LEAST_GAIN, NEVER_CORRECTS, 256))
"""By how much a correction must gain for either side, and games in each seat."""
NAMES = {FOR_POINTS: "points", NEVER_CORRECTS: "win", LEAST_GAIN: "win, results moved"}


def main() -> None:
    """Prints one line for each pair."""
    for one, other, games in PAIRS:
        scores: list[float] = []
        moves = 0
        sides = Side(moving=one), Side(moving=other)
        for first in range(0, games, LANES):
            there, moved = duel(table(), 1, first, sides)
            back, moved_back = duel(table(), 1, first, sides[::-1])
            scores += ((1 + np.sign(there[0] - there[1]) + 1 + np.sign(back[1] - back[0])) / 4).tolist()
            moves += moved + moved_back
        half = 1.96 * float(np.std(scores)) / games**0.5
        print(
            f"{NAMES[one]} against {NAMES[other]}: {np.mean(scores):.4f} ± {half:.4f}, {moves / games / 2:.2f} moved a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
