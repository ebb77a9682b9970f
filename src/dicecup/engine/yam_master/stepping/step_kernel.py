"""Steps of many games of Yam Master."""

from typing import Any

import numpy as np

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.arrays import Booleans, Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy
from dicecup.engine.splitmix_kernel import mix
from dicecup.engine.stepping.mask_kernel import TURN_BYTES, write_keeps, write_turn
from dicecup.engine.yam_master.evaluation.dice_kernel import ordered_dice
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import SIDE
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    opposing_of,
    opposing_supply,
    own_of,
    own_supply,
)
from dicecup.engine.yam_master.stepping.games import FLAGS, Answers, Games

MOST_HUNDREDS = 255
"""The hundreds of turns stop here, the largest byte."""


@kernel
def begin(rules: Rules, start: int, games: Games, which: Booleans, seed: int, answers: Answers) -> None:
    """Begin these games from the packed position `start` with their first throw, and write what the
    agent sees."""
    for at in range(len(which)):
        if which[at]:
            games.state[at] = start
            games.turn[at] = 0
            answers.over[at] = answers.cut[at] = False
            answers.rewards[at] = 0
            _begin_turn(rules, games, at, seed)
            _answer(rules, games, at, answers)


@kernel
def step(rules: Rules, games: Games, actions: Integers, seed: int, cap: int, answers: Answers) -> int:
    """Play one action in each game that is not over or cut, and write what the agent sees.

    Nothing is played if one of the actions is illegal: the index of its game is returned, and -1
    otherwise. A game is cut after turn `cap`. `answers` must be those of the step before.
    """
    most = answers.masks.shape[1]
    for at in range(len(actions)):
        action = actions[at]
        ended = answers.over[at] or answers.cut[at]
        if not ended and (action < 0 or action >= most or answers.masks[at, action] == 0):
            return at
    for at in range(len(actions)):
        answers.rewards[at] = 0
        if answers.over[at] or answers.cut[at]:
            continue
        action = actions[at]
        if action < 2 * FIRST_ROLL:
            if action >= FIRST_ROLL:
                games.defi[at] = 1
                action -= FIRST_ROLL
            _throw(rules, games, at, action, seed)
        else:
            over, reward = _end_turn(rules, games, at, action - 2 * FIRST_ROLL)
            answers.over[at], answers.rewards[at] = over, reward
            answers.cut[at] = not over and games.turn[at] >= cap
            if not over and not answers.cut[at]:
                _begin_turn(rules, games, at, seed)
        _answer(rules, games, at, answers)
    return -1


@kernel
def _begin_turn(rules: Rules, games: Games, at: int, seed: int) -> None:
    """Throw all dice."""
    games.throws[at] = games.defi[at] = 0
    _throw(rules, games, at, 0, seed)


@kernel
def _throw(rules: Rules, games: Games, at: int, keep: int, seed: int) -> None:
    """Throw all dice but the kept ones."""
    key = np.int64(mix(mix(np.uint64(seed)) + np.uint64(games.number[at])) >> np.uint64(1))
    thrown = games.throws[at]
    games.roll[at] = ordered_dice(key, games.turn[at], thrown, keep)  # type: ignore[arg-type]  # Numba takes 64 bits as int
    games.throws[at] = thrown + 1
    games.locked[at] = keep if rules.locked and thrown == 1 else 0


@kernel
def _end_turn(rules: Rules, games: Games, at: int, move: int) -> tuple[bool, float]:
    """Make a move. Return whether it ends the game, and the result for the side that made it."""
    state = games.state[at]
    places = move < rules.squares
    over = ends_by_supply(rules, state, own_supply(state) - (1 if places else 0))
    own = own_of(state)
    wins = False
    if places:
        own |= 1 << move
        for through in range(4):
            line = rules.square_lines[move, through]
            if line >= 0 and rules.line_wins[line, _content(rules, own, line)]:
                wins = True
    games.state[at] = after_state(rules, state, move)
    games.turn[at] += 1
    if wins:
        return True, 1.0
    if not over:
        return False, 0.0
    # after the move the other side is to move
    margin = _points(rules, opposing_of(games.state[at])) - _points(rules, own_of(games.state[at]))
    return True, 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0


@kernel
def _content(rules: Rules, tokens: int, line: int) -> int:
    """Return the content of a line."""
    content = 0
    for square in range(rules.squares):
        if tokens >> square & 1:
            for through in range(4):
                if rules.square_lines[square, through] == line:
                    content |= rules.square_bits[square, through]
    return content


@kernel
def _points(rules: Rules, tokens: int) -> int:
    """Return the points of these tokens."""
    points = 0
    for line in range(rules.lines):
        points += rules.line_points[line, _content(rules, tokens, line)]
    return points


@kernel
def _answer(rules: Rules, games: Games, at: int, answers: Answers) -> None:
    """Write the observation and the mask of a game."""
    observation, mask = answers.observations[at], answers.masks[at]
    state, squares = games.state[at], rules.squares
    ended = answers.over[at] or answers.cut[at]
    own, other = own_of(state), opposing_of(state)
    supply, supplies = own_supply(state), opposing_supply(state)
    side = state >> SIDE & 1
    if ended:  # seen by the side that made the last move
        own, other, supply, supplies, side = other, own, supplies, supply, 1 - side
    for square in range(squares):
        observation[square] = own >> square & 1
        observation[squares + square] = other >> square & 1
    end = 2 * squares
    observation[end] = supply
    observation[end + 1] = supplies
    observation[end + 2] = 0 if ended else 1
    observation[end + 3] = 1 - side
    observation[end + 4] = games.defi[at]
    end += FLAGS
    if ended:
        observation[end - 1 : end + TURN_BYTES] = 0
        observation[end] = answers.cut[at]  # the next turn waits for its first throw
        mask[:] = 0
    else:
        write_turn(observation[end : end + TURN_BYTES], games.throws[at], games.roll[at], games.locked[at])
        _write_mask(rules, games, at, mask)
    hundreds = games.turn[at] // 100
    observation[end + TURN_BYTES] = min(MOST_HUNDREDS, hundreds)
    observation[end + TURN_BYTES + 1] = games.turn[at] % 100


@kernel
def _write_mask(rules: Rules, games: Games, at: int, mask: Any) -> None:
    """Write the legal actions of a decision."""
    throws, roll = games.throws[at], games.roll[at]
    write_keeps(mask[:FIRST_ROLL], throws, roll, games.locked[at])
    mask[FIRST_ROLL:] = 0
    if throws == 1:
        copy(mask[FIRST_ROLL : 2 * FIRST_ROLL], mask[:FIRST_ROLL])
    state, squares = games.state[at], rules.squares
    stage = 2 if games.defi[at] else 0 if throws == 1 else 1
    shown = rules.roll_class[stage, roll]
    taken = own_of(state) | opposing_of(state)
    for place in range(rules.class_first[shown], rules.class_first[shown + 1]):
        square = rules.class_squares[place]
        mask[2 * FIRST_ROLL + square] = 1 - (taken >> square & 1)
    if rules.class_yam[shown]:
        other = opposing_of(state)
        for square in range(squares):
            mask[2 * FIRST_ROLL + squares + square] = other >> square & 1
    mask[2 * FIRST_ROLL + 2 * squares] = 1
