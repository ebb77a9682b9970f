"""Errors of the analysis."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class AnalysisCode(StrEnum):
    """Why a game is not analysed, or not asked about."""

    NO_EVALUATION = "no-evaluation"
    """The game has no evaluation."""
    NO_SUCH_THEME = "no-such-theme"
    """The game has no questions about the theme."""


class AnalysisError(DicecupError):
    """Error for a game that cannot be analysed (`details`: the id of the `game`), or that has no
    questions about a `theme` (also in `details`)."""
