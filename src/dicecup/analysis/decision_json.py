"""The analysis of a position as one JSON object (docs/analysis.md)."""

from typing import Any

from dicecup.analysis.cells import CellReasons
from dicecup.analysis.decisions import Analysis, Choice, KeepReasons, Outlook, Reasons
from dicecup.analysis.squares import Line, SquareReasons, Threat
from dicecup.yam_master import Position as BoardPosition


def to_json(found: Analysis | Outlook, player: str) -> dict[str, Any]:
    """Of a decision, or of dice in the air. `player`: whose evaluation it is."""
    position = found.position
    head = {
        "game": position.game.id,
        "position": str(position),
        "evaluation": "exact" if found.exact else player,
        "unit": str(found.unit),
        "foreign_options": list(found.foreign),
    }
    if isinstance(found, Outlook):
        rolls = [{"dice": shown.text, "probability": chance, "value": value} for shown, chance, value in found.rolls]
        return {**head, "value": found.value, "rolls": rolls, "figures": found.figures}
    in_points = not isinstance(position, BoardPosition)
    choices = [_choice(choice, in_points=in_points) for choice in found.choices]
    return {**head, "value": found.best.value, "sensible": len(found.sensible), "forced": found.forced, "choices": choices}


def _choice(choice: Choice, *, in_points: bool) -> dict[str, Any]:
    written: dict[str, Any] = {"action": str(choice.action), "value": choice.value, "loss": choice.loss}
    if in_points:
        written["points"] = choice.points
    else:
        written["shares"] = None if choice.shares is None else choice.shares._asdict()
    written["reasons"] = None if choice.reasons is None else _reasons(choice.reasons)
    return written


def _reasons(reasons: Reasons) -> dict[str, Any]:
    match reasons:
        case KeepReasons(endings, gain, later):
            in_points = gain is not None
            ways = [
                {"action": str(action), "probability": way.probability} | ({"gain": way.gain} if in_points else {})
                for action, way in endings.items()
            ]
            return {"endings": ways} | ({"gain": gain, "later": later} if in_points else {})
        case CellReasons():
            return _cell(reasons)
        case SquareReasons():
            return _square(reasons)


def _cell(reasons: CellReasons) -> dict[str, Any]:
    upper = reasons.upper
    return {
        "points": reasons.points,
        "bonus": reasons.bonus,
        "first_throw_yamm": reasons.first_throw_yamm,
        "lost": reasons.lost,
        "gain": reasons.gain,
        "strikes": reasons.strikes,
        "strikes_both": reasons.strikes_both,
        "later": reasons.later,
        "gives_up": reasons.gives_up,
        "upper": upper
        and {
            "column": upper.column,
            "before": upper.before,
            "after": upper.after,
            "reach_before": upper.reach_before,
            "reach_after": upper.reach_after,
            "next": upper.next and upper.next._asdict(),
        },
    }


def _square(reasons: SquareReasons) -> dict[str, Any]:
    return {
        "wins": reasons.wins,
        "over": reasons.over,
        "points": reasons.points,
        "denied": reasons.denied,
        "denied_line": reasons.denied_line,
        "made": list(map(_line, reasons.made)),
        "stopped": list(map(_line, reasons.stopped)),
        "threat": _threat(reasons.threat),
        "chance": _threat(reasons.chance),
    }


def _line(line: Line) -> dict[str, Any]:
    return {"squares": list(line.squares), "tokens": line.tokens}


def _threat(threat: Threat | None) -> dict[str, float] | None:
    return None if threat is None else threat._asdict()
