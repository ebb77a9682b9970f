"""Errors of the analysis."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class AnalysisCode(StrEnum):
    """Why a game is not analysed."""

    NO_EVALUATION = "no-evaluation"
    """The game has no evaluation."""


class AnalysisError(DicecupError):
    """Error for a game that cannot be analysed (`details`: the id of the `game`)."""
