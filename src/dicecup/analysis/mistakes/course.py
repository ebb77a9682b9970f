"""The loss by theme over time: the mean loss of a game in periods of equally many games."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dicecup.analysis.grade import MeanLoss, mean_loss
from dicecup.analysis.theme import Theme

PERIODS: Final = 6
"""The most periods."""
FEWEST: Final = 3
"""The least number of games of a period, so that its interval says something."""


class GameLosses(NamedTuple):
    """The losses of a player in one game, by theme; a theme without a loss is left out. `time`: in
    seconds since 1970."""

    time: float
    losses: Mapping[Theme, float]


class Period(NamedTuple):
    """The mean loss of a game in a theme, from the first to the last game of a period."""

    since: float
    until: float
    loss: MeanLoss


def course(games: Sequence[GameLosses], theme: Theme) -> tuple[Period, ...]:
    """Return the mean loss of a game in a theme, period by period, the oldest first."""
    ordered = sorted(games, key=lambda game: game.time)
    count = min(PERIODS, max(1, len(ordered) // FEWEST)) if ordered else 0
    found = []
    for at in range(count):
        part = ordered[at * len(ordered) // count : (at + 1) * len(ordered) // count]
        found.append(Period(part[0].time, part[-1].time, mean_loss([game.losses.get(theme, 0.0) for game in part])))
    return tuple(found)
