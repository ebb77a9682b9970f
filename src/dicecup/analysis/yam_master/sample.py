"""Win, draw and loss in Yam Master.

A value does not tell a win and a loss from two draws. Sampled games show the share of draws.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from dicecup.analysis.game_analysis import Shares
from dicecup.engine.yam_master.evaluation.outlook import drawn_games
from dicecup.players.yam_master import evaluation
from dicecup.yam_master import BOARD, Action, Position

SEED: Final = 1
"""The seed of the sampled games."""


def shares(
    position: Position, ends: Mapping[Action, Mapping[Action, float]], values: Mapping[Action, float], games: int
) -> dict[Action, Shares]:
    """Return win, draw and loss after each action in `ends`, from games of the expert against
    itself.

    `ends`: action → the actions that may end the turn → their probabilities. `values`: the values
    of the actions; a draw counts one half. `games`: the number of games for each action. Empty for
    a board without tables. Raises `TablesError`."""
    if position.game.board != BOARD:
        return {}
    starts = [
        (action, position.play_unchecked(end), count)
        for action, ways in ends.items()
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
    return {action: _shares(values[action], draws[action] / games, played[action]) for action in ends}


def _shares(value: float, draw: float, games: int) -> Shares:
    """Return the shares for a value, which is the wins and half of the draws and so limits the
    draws."""
    value = min(max(value, 0.0), 1.0)
    draw = min(draw, 2 * value, 2 * (1 - value))
    return Shares(value - draw / 2, draw, 1 - value - draw / 2, games)


def _apportioned(ways: Mapping[Action, float], games: int) -> dict[Action, int]:
    """Return the number of games for each end of the turn, by the largest remainder method."""
    exact = {action: probability * games for action, probability in ways.items()}
    counts = {action: int(share) for action, share in exact.items()}
    missing = games - sum(counts.values())
    for action in sorted(exact, key=lambda action: int(exact[action]) - exact[action])[:missing]:
        counts[action] += 1
    return {action: count for action, count in counts.items() if count}
