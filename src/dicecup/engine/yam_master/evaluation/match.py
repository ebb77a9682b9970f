"""Many games side by side: two players, given as what they think every way to end a turn is worth, and how they err."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of
from dicecup.engine.yam_master.evaluation.model import Model
from dicecup.engine.yam_master.evaluation.turns_kernel import advance, play_turns, points_of, values_by_greed, values_by_model
from dicecup.engine.yam_master.rules.arrays import Rules, rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import YamMaster

States = NDArray[np.int64]
Values = NDArray[np.float32]
Evaluate = Callable[[Rules, States], Values]
"""The values of all slots, (states, slots), for the side to move."""
CAP: Final = 500
"""Turns after which a game is stopped and counts half."""
STOPPED, LINE, TOKENS = 0, 1, 2


@dataclass(frozen=True)
class Contestant:
    """`temperature`: in win probability; 0 plays the best action, infinity any."""

    evaluate: Evaluate
    temperature: float = 0.0


@dataclass(frozen=True)
class Games:
    """What is noted of each game, by number: `scores` of the first contestant (0, 0.5 or 1), `x_scores` of x, `turns`, `endings`
    (`STOPPED`, `LINE` or `TOKENS`), `points` of x and o, (games, 2), `decisions` of both."""

    scores: NDArray[np.float64]
    x_scores: NDArray[np.float64]
    turns: NDArray[np.int64]
    endings: NDArray[np.int64]
    points: NDArray[np.int64]
    decisions: NDArray[np.int64]

    def score(self) -> tuple[float, float]:
        """The mean score of the first contestant and the half-width of its 95 % interval, from pairs of games with equal dice and
        seats exchanged."""
        pairs = self.scores[: len(self.scores) // 2 * 2].reshape(-1, 2).mean(axis=1)
        return float(pairs.mean()), float(1.96 * pairs.std(ddof=1) / len(pairs) ** 0.5)


def by_model(model: Model) -> Evaluate:
    """One exact turn ahead of an evaluation."""

    def evaluate(rules: Rules, states: States) -> Values:
        values = np.empty((len(states), 2 * rules.squares + 1), np.float32)
        values_by_model(rules, model, states, values)
        return values

    return evaluate


def by_greed(rules: Rules, states: States) -> Values:
    """The greedy player; its random counterpart is this with an infinite temperature."""
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
    """Plays games number `start` to `start + games - 1`; what happens in each follows from the seed and its number alone.

    In odd games the second contestant is x; with `exchanged` these have the dice of the game before."""
    rules = rules_of(game)
    numbers = np.arange(start, start + games)
    keys = keys_of(seed, numbers // 2 if exchanged else numbers)
    states = np.full(games, pack(game.start()), np.int64)
    scores, x_scores = np.full((2, games), 0.5)
    turns, endings, decisions = np.zeros((3, games), np.int64)
    running = np.arange(games)
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
        slots, choices, over = np.zeros((3, len(running)), np.int64)
        worth, results = np.zeros((2, len(running)), np.float32)
        all_numbers = np.full(len(running), number)
        play_turns(rules, values, temperatures, keys[running], all_numbers, slots, worth, choices)
        advance(rules, before, slots, results, over)
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
