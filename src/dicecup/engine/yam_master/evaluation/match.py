"""Matches: many games between two players, side by side.

A player is given by its values of all moves of a state, and by how often it errs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of
from dicecup.engine.yam_master.evaluation.model import Model, read_only
from dicecup.engine.yam_master.evaluation.turns_kernel import (
    advance,
    play_turns,
    points_of,
    values_by_greed,
    values_by_model,
    workspace,
)
from dicecup.engine.yam_master.rules.arrays import Rules, rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import YamMaster

States = NDArray[np.int64]
Values = NDArray[np.float32]
Evaluate = Callable[[Rules, States], Values]
"""A function that returns the values of all moves, (states, moves), for the side to move."""
CAP: Final = 500
"""The turns after which a game is stopped and counts half."""
STOPPED, LINE, TOKENS = 0, 1, 2


@dataclass(frozen=True)
class Contestant:
    """A player of a match. `temperature`, in win probability: 0 plays the best action, infinity any
    action.
    """

    evaluate: Evaluate
    temperature: float = 0.0


@dataclass(frozen=True)
class Games:
    """The figures of each game, by number.

    `scores` of the first contestant (0, 0.5 or 1), `x_scores` of x, `turns`, `endings` (`STOPPED`,
    `LINE` or `TOKENS`), `points` of x and o, (games, 2), `decisions` of both.
    """

    scores: NDArray[np.float64]
    x_scores: NDArray[np.float64]
    turns: NDArray[np.int64]
    endings: NDArray[np.int64]
    points: NDArray[np.int64]
    decisions: NDArray[np.int64]

    def score(self) -> tuple[float, float]:
        """Return the mean score of the first contestant and the half-width of its 95 % interval.

        The interval comes from pairs of games with equal dice and exchanged seats.
        """
        pairs = self.scores[: len(self.scores) // 2 * 2].reshape(-1, 2).mean(axis=1)
        return float(pairs.mean()), float(1.96 * pairs.std(ddof=1) / len(pairs) ** 0.5)


def by_model(model: Model) -> Evaluate:
    """Return the evaluation of all moves by the network."""
    weights = read_only(model)

    def evaluate(rules: Rules, states: States) -> Values:
        values = np.empty((len(states), 2 * rules.squares + 1), np.float32)
        values_by_model(rules, weights, states, values)
        return values

    return evaluate


def by_greed(rules: Rules, states: States) -> Values:
    """Return the values of all moves for the greedy player. With infinite temperature it is the
    random player.
    """
    values = np.empty((len(states), 2 * rules.squares + 1), np.float32)
    values_by_greed(rules, states, values)
    return values


def play_games(
    game: YamMaster,
    first: Contestant,
    second: Contestant,
    *,
    start: int = 0,
    games: int,
    seed: int,
    exchanged: bool = True,
    cap: int = CAP,
) -> Games:
    """Play games number `start` to `start + games - 1`. Each follows from the seed and its number
    alone.

    In odd games the second contestant is x. With `exchanged` these games have the dice of the game
    before.
    """
    rules = rules_of(game)
    numbers = np.arange(start, start + games)
    keys = keys_of(seed, numbers // 2 if exchanged else numbers)
    states = np.full(games, pack(game.start()), np.int64)
    scores, x_scores = np.full((2, games), 0.5)
    turns, endings, decisions = np.zeros((3, games), np.int64)
    running = np.arange(games)
    arrays = workspace(len(rules.class_yam))
    for number in range(1, cap + 1):
        if not len(running):
            break
        x_moves = number % 2 == 1
        firsts = (numbers[running] % 2 == 0) == x_moves
        before = states[running]
        values = np.empty((len(running), 2 * rules.squares + 1), np.float32)
        for whose, contestant in ((firsts, first), (~firsts, second)):
            if whose.any():
                values[whose] = contestant.evaluate(rules, before[whose])
        temperatures = np.where(firsts, first.temperature, second.temperature)
        moves, choices, over = np.zeros((3, len(running)), np.int64)
        expected, results = np.zeros((2, len(running)), np.float32)
        all_numbers = np.full(len(running), number)
        play_turns(rules, values, temperatures, keys[running], all_numbers, moves, expected, choices, arrays)
        advance(rules, before, moves, results, over)
        states[running], turns[running] = before, number
        decisions[running] += choices
        ended = over > 0
        gone = running[ended]
        endings[gone] = over[ended]
        won = (1 + results[ended].astype(np.float64)) / 2
        scores[gone] = np.where(firsts[ended], won, 1 - won)
        x_scores[gone] = won if x_moves else 1 - won
        running = running[~ended]
    return Games(scores, x_scores, turns, endings, points_of(rules, states), decisions)
