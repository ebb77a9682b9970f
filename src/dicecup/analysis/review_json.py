"""A review as one JSON object (docs/analysis.md)."""

from typing import Any, TypeAlias

from dicecup.analysis.curve import curves
from dicecup.analysis.registry import analysis_of
from dicecup.analysis.reviewed import (
    LossKind,
    Review,
    ReviewedDecision,
    ReviewedPlayer,
    ReviewedSide,
    ReviewedThrow,
    ReviewedTurn,
)
from dicecup.analysis.why import why_moved
from dicecup.core.source import VOID_THROW, throw_text

Json: TypeAlias = dict[str, Any]


def to_json(review: Review) -> Json:
    """Return the review as plain values. Actions, positions and dice are texts
    (docs/notation.md)."""
    return {
        "game": review.game.id,
        "evaluation": review.evaluation,
        "unit": str(review.unit),
        "foreign_options": list(review.foreign_options),
        "end": review.end,
        "players": [_player(review, player) for player in review.players],
        "sides": [{"side": _side(review, at)} | _totals(side) for at, side in enumerate(review.sides)],
        "turns": [_turn(review, turn) for turn in review.turns],
        "worst": [{"turn": decision.turn, **_decision(review, decision)} for decision in review.worst],
        "residual": review.residual,
        "curve": [{"side": _side(review, curve.side), "values": list(curve.values)} for curve in curves(review)],
    }


def _side(review: Review, side: int) -> str | int:
    """Return `x` or `o`, or the number of the sheet, from 0."""
    return analysis_of(review.game).side_name(side)


def _player(review: Review, player: ReviewedPlayer) -> Json:
    side = review.sides[player.side]
    return {
        "name": player.name,
        "side": _side(review, player.side),
        "result": side.result,
        "loss": player.loss,
        "losses": {str(kind): loss for kind, loss in player.losses.items()},
        "decisions": player.decisions.decisions,
        "mean_loss": player.decisions.mean,
        "mean_loss_half": player.decisions.half,
        "grade": player.grade,
        "grades": list(player.grades),
        "luck": player.luck,
        "adjusted": side.adjusted,
    }


def _totals(side: ReviewedSide) -> Json:
    return {
        "players": list(side.players),
        "start": side.start,
        "expected": side.expected,
        "result": side.result,
        "luck": side.luck,
        "loss": side.loss,
        "adjusted": side.adjusted,
        "residual": side.residual,
    }


def _turn(review: Review, turn: ReviewedTurn) -> Json:
    return {
        "turn": turn.number,
        "player": turn.player,
        "side": _side(review, turn.side),
        "before": turn.before,
        "throws": list(map(_throw, turn.throws)),
        "decisions": [_decision(review, decision) for decision in turn.decisions],
        "luck": turn.luck,
        "loss": turn.loss,
    }


def _throw(thrown: ReviewedThrow) -> Json:
    dice = VOID_THROW if thrown.throw is None else throw_text(thrown.throw)
    return {"throw": thrown.number, "dice": dice, "luck": thrown.luck}


def _decision(review: Review, decision: ReviewedDecision) -> Json:
    moved = why_moved(decision, review.unit) if decision.kind is LossKind.CORRECTION else ()
    return {
        "player": decision.player,
        "kind": str(decision.kind),
        "position": str(decision.position),
        "played": str(decision.played),
        "best": str(decision.best),
        "values": {str(action): value for action, value in decision.values.items()},
        "loss": decision.loss,
        "losses": {str(kind): loss for kind, loss in decision.losses.items()},
        "counts": decision.counts,
        "superseded": decision.superseded,
        "why": [fact.to_json() for fact in moved],
    }
