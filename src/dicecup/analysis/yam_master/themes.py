"""What the choice between two squares of Yam Master was about, from the reasons for both."""

from typing import Final

from dicecup.analysis.theme import Theme
from dicecup.analysis.yam_master.squares import Line, SquareReasons, square_reasons
from dicecup.yam_master import Action, Position

THEMES: Final[tuple[Theme, ...]] = (
    Theme.FIRST_KEEP,
    Theme.SECOND_KEEP,
    Theme.TWO_PAIRS,
    Theme.DEFI,
    Theme.LINE,
    Theme.BLOCKING,
    Theme.SQUARE,
)
CLEAR: Final = 0.01
"""The least difference between two probabilities that decides a theme."""


def ending_theme(position: Position, played: Action, best: Action) -> Theme:
    """Return the theme: the larger of what the best action does against a line of the opponent and
    of what it does for an own line."""
    mine, better = square_reasons(position, played), square_reasons(position, best)
    if better.wins:
        return Theme.LINE
    blocking = _threat(mine) - _threat(better)
    racing = _chance(better) - _chance(mine)
    if max(blocking, racing) < CLEAR:  # no line can be completed at once
        blocking = float(_fullest(better.stopped) - _fullest(mine.stopped))
        racing = float(_fullest(better.made) - _fullest(mine.made))
    if max(blocking, racing) < CLEAR:
        return Theme.SQUARE
    return Theme.BLOCKING if blocking >= racing else Theme.LINE


def _threat(found: SquareReasons) -> float:
    """Return the probability that the opponent completes a line next."""
    return 0.0 if found.threat is None else found.threat.line


def _chance(found: SquareReasons) -> float:
    """Return the probability of an own line in the turn after it."""
    return 0.0 if found.chance is None else found.chance.line


def _fullest(lines: tuple[Line, ...]) -> int:
    """Return the number of tokens on the fullest line."""
    return max((line.tokens for line in lines), default=0)
