"""Gain of playing for the win instead of for points in games of two at Yamm.

The gain of correcting, that is moving a result to another cell, is measured as well. Every pair of
games has the same dice and exchanged seats.
"""

import numpy as np

from dicecup.engine.yamm.evaluation.decisions import LEAST_GAIN
from dicecup.engine.yamm.evaluation.simulate import FOR_POINTS, NEVER_CORRECTS, Side, duel
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.players.yamm import table

PAIRS = ((NEVER_CORRECTS, FOR_POINTS, 4096), (LEAST_GAIN, NEVER_CORRECTS, 256))
"""The least gain for which each side corrects, and the number of games in each seat."""
NAMES = {FOR_POINTS: "points", NEVER_CORRECTS: "win", LEAST_GAIN: "win, with corrections"}


def main() -> None:
    """Print one line for each pair."""
    for left, right, games in PAIRS:
        scores: list[float] = []
        total_corrections = 0
        sides = Side(moving=left), Side(moving=right)
        for first in range(0, games, LANES):
            totals, corrections = duel(table(), 1, first, sides)
            totals_back, corrections_back = duel(table(), 1, first, sides[::-1])
            wins = np.sign(totals[0] - totals[1]) + np.sign(totals_back[1] - totals_back[0])
            scores += ((2 + wins) / 4).tolist()
            total_corrections += corrections + corrections_back
        half = 1.96 * float(np.std(scores)) / games**0.5
        print(
            f"{NAMES[left]} against {NAMES[right]}: {np.mean(scores):.4f} ± {half:.4f},"
            f" {total_corrections / games / 2:.2f} corrections per game",
            flush=True,
        )


if __name__ == "__main__":
    main()
