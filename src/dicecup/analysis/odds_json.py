"""The odds of a turn as JSON, for `dicecup odds --json` and the server."""

from fractions import Fraction
from typing import Any

from dicecup.core.game import Rules
from dicecup.engine.turn.odds import Moment, means, probabilities


def to_json(game: Rules, now: Moment) -> dict[str, dict[str, Any]]:
    """Return for each aim `fraction` and `probability`, and for the rows of Yamm `mean`, the
    expected points."""
    expected = means(game, now)
    found = {}
    for name, chance in probabilities(game, now).items():
        found[name] = {"fraction": _ratio(chance.value), "probability": float(chance.value)}
        if name in expected:
            points = expected[name].value
            found[name]["mean"] = {"fraction": _ratio(points), "decimal": float(points)}
    return found


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
