"""Games played on from many positions, side by side."""

from collections.abc import Sequence

import numpy as np

from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of
from dicecup.engine.yam_master.evaluation.match import CAP, Evaluate
from dicecup.engine.yam_master.evaluation.turns_kernel import advance, play_turns, workspace
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import Position


def drawn_games(starts: Sequence[tuple[Position, int]], evaluate: Evaluate, seed: int, cap: int = CAP) -> list[int]:
    """Return for each position how many of its games are drawn.

    The positions belong to one game and are at the beginning of a turn; each comes with its number
    of games. Both sides play the best action. A game that is not over after `cap` turns counts as
    drawn. The dice follow from the seed.
    """
    if not starts:
        return []
    rules = rules_of(starts[0][0].game)
    origin = np.repeat(np.arange(len(starts)), [games for _, games in starts])
    states = np.array([pack(position) for position, _ in starts], np.int64)[origin]
    keys = keys_of(seed, np.arange(len(states)))
    drawn = np.ones(len(states), np.bool_)
    running = np.arange(len(states))
    arrays = workspace(len(rules.class_yam))
    for number in range(1, cap + 1):
        if not len(running):
            break
        before = states[running]
        values = evaluate(rules, before)
        moves, choices, over = np.zeros((3, len(running)), np.int64)
        temperatures, expected, results = np.zeros(len(running)), *np.zeros((2, len(running)), np.float32)
        numbers = np.full(len(running), number)
        play_turns(rules, values, temperatures, keys[running], numbers, moves, expected, choices, arrays)
        advance(rules, before, moves, results, over)
        states[running] = before
        ended = over > 0
        drawn[running[ended]] = results[ended] == 0
        running = running[~ended]
    return [int(games) for games in np.bincount(origin[drawn], minlength=len(starts))]
