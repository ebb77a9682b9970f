"""The strength of a player, and its change by a game: Glicko-2 for two sides of one player each,
Weng–Lin for everything else. Pure arithmetic, which two packages do.

All ratings are on the scale of Glicko-2: a player 173.7178 points above another one is expected to
win e times as often as to lose. A new player has 1500 ± 350.
"""

from collections.abc import Sequence
from functools import cache
from math import exp, pi, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

CENTRE: Final = 1500.0
SCALE: Final = 173.7178
"""Points of a rating for the factor e."""
LARGEST_DEVIATION: Final = 350.0
SMALLEST_DEVIATION: Final = 30.0
VOLATILITY: Final = 0.06
PERIOD: Final = 5 * 86_400.0
"""Seconds without a game after which a deviation has grown as by one rating period of Glicko-2."""
PROVISIONAL: Final = 110.0
"""A rating with a larger deviation is provisional."""
DYNAMICS: Final = VOLATILITY * SCALE
"""Points that Weng–Lin adds to each deviation before a game, squared, as Glicko-2 does."""


class Strength(NamedTuple):
    """A rating with its `deviation` (one standard deviation, in points) and Glicko-2's
    `volatility`."""

    rating: float = CENTRE
    deviation: float = LARGEST_DEVIATION
    volatility: float = VOLATILITY

    @property
    def is_provisional(self) -> bool:
        """Return whether the rating is not yet known well enough to be compared."""
        return self.deviation > PROVISIONAL

    def after_rest(self, seconds: float) -> "Strength":
        """Return the strength after a time without a game: the deviation has grown."""
        grown = sqrt(self.deviation**2 + max(seconds, 0.0) / PERIOD * (self.volatility * SCALE) ** 2)
        return self._replace(deviation=min(grown, LARGEST_DEVIATION))

    def towards(self, after: "Strength", share: float) -> "Strength":
        """Return the strength after a share of the change to another one."""
        return Strength(*(own + share * (other - own) for own, other in zip(self, after, strict=True)))


NEW: Final = Strength()


def expected_score(one: Strength, other: Strength) -> float:
    """Return the score that is expected of one player against another: 1 for a win, ½ for a
    draw."""
    spread = sqrt(1 + 3 * (one.deviation**2 + other.deviation**2) / (pi * SCALE) ** 2)
    return 1 / (1 + exp((other.rating - one.rating) / (SCALE * spread)))


def after_duel(own: Strength, opponent: Strength, score: float) -> Strength:
    """Return the strength after a game against one opponent, by Glicko-2 with the game as a rating
    period. `score`: 1 for a win, ½ for a draw, 0 for a loss."""
    return after_games(own, [(opponent, score)])


def after_games(own: Strength, games: Sequence[tuple[Strength, float]]) -> Strength:
    """Return the strength after a rating period with these opponents and scores, by Glicko-2."""
    from glicko2.math.algorithm import update_rating

    against = [((each.rating - CENTRE) / SCALE, each.deviation / SCALE, score) for each, score in games]
    found = update_rating((own.rating - CENTRE) / SCALE, own.deviation / SCALE, own.volatility, against)
    return _bounded(CENTRE + SCALE * found.mu, SCALE * found.phi, found.sigma)


def after_group(sides: Sequence[Sequence[Strength]], ranks: Sequence[int]) -> list[list[Strength]]:
    """Return the strengths after a game of several sides, each of one player or more, by the full
    pairwise model of Weng and Lin. `ranks`: 0 for the winners; equal ranks are a draw.

    A side of several players counts with the mean of their ratings. The model compares each side
    with all others as in so many duels, although it played once. So the change is divided by the
    number of the other sides. Margins do not count.
    """
    model = _model(max(map(len, sides)))
    teams: Any = [[model.rating(mu=player.rating, sigma=player.deviation) for player in side] for side in sides]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    share = 1 / (len(sides) - 1)
    return [
        [
            player.towards(_bounded(after.mu, after.sigma, player.volatility), share)
            for player, after in zip(side, team, strict=True)
        ]
        for side, team in zip(sides, rated, strict=True)
    ]


@cache
def _model(size: int) -> "BradleyTerryFull":
    """Return the model for sides of up to `size` players. The sum of their ratings counts, so the
    scale grows with their number. The factor γ, by which Weng and Lin let deviations fall more
    slowly, is 1: it predicts results better (`bench.ratings`)."""
    from openskill.models import BradleyTerryFull

    scale = size * SCALE / sqrt(2)
    return BradleyTerryFull(mu=CENTRE, sigma=LARGEST_DEVIATION, beta=scale, tau=DYNAMICS, gamma=_whole)


def _whole(*_: object) -> float:
    return 1.0


def _bounded(rating: float, deviation: float, volatility: float) -> Strength:
    return Strength(rating, min(max(deviation, SMALLEST_DEVIATION), LARGEST_DEVIATION), volatility)
