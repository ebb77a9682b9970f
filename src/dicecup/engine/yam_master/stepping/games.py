"""Games as arrays, and the layout of observations and actions.

Actions: the 210 keeps, the same with a Défi, and the moves of `rules.state`. An observation is a
row of bytes, from the side to move: for each square whether an own token is on it; the same for the
other side; both supplies; whether it is the observer's turn; whether the observer is x; whether a
Défi is declared; the turn (`stepping.mask_kernel`); the number of finished turns (hundreds and
remainder). After the end the observer is the side that made the last move.
`dicecup.envs.yam_master` describes the same layout for people.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.arrays import Booleans, Integers, Singles
from dicecup.engine.stepping.mask_kernel import TURN_BYTES, Bytes
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import YamMaster

FLAGS = 5
"""The bytes between the tokens and the turn: two supplies and three flags."""


class Games(NamedTuple):
    """Games between two decisions, one in each row of every array.

    `state` (the packed position at the beginning of the turn), `roll` (0 to 251), `throws`,
    `locked` (a set of dice, 0 for none), `defi` (0 or 1), `turn` (finished turns), `number` (which
    game of the series it is, for the dice).
    """

    state: Integers
    roll: Integers
    throws: Integers
    locked: Integers
    defi: Integers
    turn: Integers
    number: Integers


class Answers(NamedTuple):
    """What a step writes, one row for each game.

    `observations` (games, bytes), `masks` (games, actions), 1 for each legal action, `rewards` of
    the side that acted, whether the game is `over`, and whether it was `cut` because it had too
    many turns.
    """

    observations: Bytes
    masks: Bytes
    rewards: Singles
    over: Booleans
    cut: NDArray[np.bool_]


def new_games(game: YamMaster, count: int) -> Games:
    """Return arrays for so many games, none of which has begun."""
    zeros: list[Any] = [np.zeros(count, np.int64) for _ in range(6)]
    return Games(np.full(count, pack(game.start()), np.int64), *zeros)


def new_answers(rules: Rules, count: int) -> Answers:
    """Return arrays for the answers of a number of games."""
    return Answers(
        np.zeros((count, observation_bytes(rules)), np.uint8),
        np.zeros((count, action_count(rules)), np.uint8),
        np.zeros(count, np.float32),
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
    )


def action_count(rules: Rules) -> int:
    """Return the number of actions."""
    return 2 * FIRST_ROLL + 2 * rules.squares + 1


def observation_bytes(rules: Rules) -> int:
    """Return the number of bytes of an observation."""
    return 2 * rules.squares + FLAGS + TURN_BYTES + 2
