"""The luck of the throws of many games by the trained evaluation, one exact turn ahead.

The luck of a throw is the value of the turn after it less the value before it
(`dicecup.envs.rewards`).
"""

from typing import NamedTuple

import numpy as np

from dicecup.core.dice import FIRST_ROLL
from dicecup.core.turn import THROWS
from dicecup.engine.arrays import Booleans, Integers, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.stepping.mask_kernel import contains
from dicecup.engine.turn.arrays import ROLL_KEEPS, ROLL_KEEPS_AT
from dicecup.engine.yamm.evaluation.play_kernel import Workspace
from dicecup.engine.yamm.evaluation.search_kernel import search
from dicecup.engine.yamm.evaluation.turn_kernel import COUNT, LANES, solve
from dicecup.engine.yamm.evaluation.value import Evaluation
from dicecup.engine.yamm.stepping.games import Games, Sheet


class Turns(NamedTuple):
    """The solved turns of all games.

    `values` (games,): before the first throw. `keeps` (games, 420): of the keeps after throws 1 and
    2. `stops` (games, 504): of ending with each roll after a later throw, then after the first.
    """

    values: Singles
    keeps: Singles
    stops: Singles


@kernel
def measure(
    sheet: Sheet,
    evaluation: Evaluation,
    games: Games,
    actions: Integers,
    which: Booleans,
    margins: Singles,
    turns: Turns,
    luck: Singles,
    arrays: Workspace,
) -> None:
    """Write the luck of the last throw of these games, which wait for a decision.

    `actions`: the keep before the throw; ignored after a first throw, whose turn is solved here.
    `margins`: as for `search_kernel.search`, which looks at this turn alone.
    """
    arrays.stops[:] = 0
    lanes = scratch(LANES, np.int64)
    count = 0
    for at in range(len(which)):
        if which[at] and games.throws[at] == 1:
            search(
                sheet.graph,
                evaluation,
                games.nodes[at],
                len(sheet.cell_place) - games.turn[at],
                1,
                margins,
                sheet.locked,
                arrays.writes[count],
                arrays.write_values[count],
                arrays.best[count],
                arrays.column[count],
                arrays.stops,
                count,
                arrays.ahead,
            )
            lanes[count] = at
            count += 1
        if count == LANES or (count > 0 and at == len(which) - 1):
            solve(arrays.work, arrays.spare, arrays.stops, arrays.keeps, arrays.out, sheet.locked)
            for lane in range(count):
                turns.values[lanes[lane]] = arrays.out[lane]
                copy(turns.keeps[lanes[lane]], arrays.keeps[:, lane])
                copy(turns.stops[lanes[lane]], arrays.stops[:, lane])
            count = 0
    for at in range(len(which)):
        if which[at]:
            thrown = games.throws[at]
            before = turns.values[at] if thrown == 1 else turns.keeps[at, (thrown - 2) * FIRST_ROLL + actions[at]]
            luck[at] = _value(turns, at, thrown, games.roll[at], games.locked[at]) - before


@kernel
def _value(turns: Turns, at: int, thrown: int, roll: int, locked: int) -> np.float32:
    """Return the value of the best decision of a game after `thrown` throws."""
    most = turns.stops[at, roll + (COUNT if thrown == 1 else 0)]
    if thrown < THROWS:
        for place in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
            keep = ROLL_KEEPS[place]
            if locked == 0 or contains(keep, locked):
                most = max(most, turns.keeps[at, (thrown - 1) * FIRST_ROLL + keep])
    return most
