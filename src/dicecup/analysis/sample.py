"""Win, draw and loss in Yam Master: a value says how wins and losses differ, games that are played on show how many are drawn."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from dicecup.engine.yam_master.evaluation.outlook import drawn_games
from dicecup.players.yam_master import evaluation
from dicecup.yam_master import BOARD, Action, Position

SEED: Final = 1
"""Always the same games."""


class Shares(NamedTuple):
    """Of the side to move; they add up to 1. The draws are those of `games` games that the expert played on against itself; with 0
    of them the choice ends the game."""

    win: float
    draw: float
    loss: float
    games: int


def shares(
    position: Position, asked: Mapping[Action, Mapping[Action, float]], values: Mapping[Action, float], games: int
) -> dict[Action, Shares]:
    """For each action that is asked for: it leads to these ways to end the turn, each with its probability. `values`: of the actions, a
    draw counting half. Nothing for a board that nobody was trained for."""
    if position.game.board != BOARD:
        return {}
    starts = [
        (action, position.play_unchecked(end), count)
        for action, ways in asked.items()
        for end, count in _apportioned(ways, games).items()
    ]
    going_on = [(start, count) for _, start, count in starts if start.turn is not None]
    drawn = iter(drawn_games(going_on, evaluation(position.game), SEED))
    draws, played = Counter[Action](), Counter[Action]()
    for action, start, count in starts:
        outcome = start.outcome
        if outcome is None:
            draws[action] += next(drawn)
            played[action] += count
        elif outcome.winner is None:
            draws[action] += count
    return {action: _shares(values[action], draws[action] / games, played[action]) for action in asked}


def _shares(value: float, draw: float, games: int) -> Shares:
    """A value bounds the draws: it is wins and half of the draws."""
    value = min(max(value, 0.0), 1.0)
    draw = min(draw, 2 * value, 2 * (1 - value))
    return Shares(value - draw / 2, draw, 1 - value - draw / 2, games)


def _apportioned(ways: Mapping[Action, float], games: int) -> dict[Action, int]:
    """So many games shared out by probability, the largest remainders first."""
    exact = {action: probability * games for action, probability in ways.items()}
    counts = {action: int(share) for action, share in exact.items()}
    missing = games - sum(counts.values())
    for action in sorted(exact, key=lambda action: int(exact[action]) - exact[action])[:missing]:
        counts[action] += 1
    return {action: count for action, count in counts.items() if count}
