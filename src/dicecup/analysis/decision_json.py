"""The analysis of a position as one JSON object (docs/analysis.md)."""

from typing import Any

from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis, ThrowAnalysis
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.registry import EXACT, analysis_of
from dicecup.analysis.why import why


def to_json(found: DecisionAnalysis | ThrowAnalysis, player: str) -> dict[str, Any]:
    """Return the analysis as plain values. `player`: the player whose evaluation it is."""
    position = found.position
    head = {
        "game": position.game.id,
        "position": str(position),
        "evaluation": EXACT if found.exact else player,
        "unit": str(found.unit),
        "foreign_options": list(found.foreign),
    }
    if isinstance(found, ThrowAnalysis):
        rolls = [{"dice": shown.text, "probability": chance, "value": value} for shown, chance, value in found.rolls]
        return {**head, "value": found.value, "rolls": rolls, "figures": found.figures}
    has_points = analysis_of(position.game).unit is Unit.POINTS
    choices = [
        _choice(choice, has_points=has_points) | {"why": [fact.to_json() for fact in why(found, choice)]}
        for choice in found.choices
    ]
    return {**head, "value": found.best.value, "sensible": len(found.sensible), "forced": found.forced, "choices": choices}


def _choice(choice: ActionAnalysis, *, has_points: bool) -> dict[str, Any]:
    """Return a choice as plain values, with `points` in games that count points, else with
    `shares`."""
    written: dict[str, Any] = {"action": str(choice.action), "value": choice.value, "loss": choice.loss}
    if has_points:
        written["points"] = choice.points
    else:
        written["shares"] = None if choice.shares is None else choice.shares._asdict()
    written["reasons"] = None if choice.reasons is None else choice.reasons.to_json()
    return written
