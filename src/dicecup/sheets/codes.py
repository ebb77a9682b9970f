"""Errors of the printed pages."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class SheetCode(StrEnum):
    """Why no page is printed."""

    NO_PAGE = "no-page"
    """There is no page for this game."""
    NO_SUCH_SHEET = "no-such-sheet"
    """The game has fewer sheets."""
    TOO_MANY_NAMES = "too-many-names"
    """There are more names than players."""
    RECORD_ALONE = "record-alone"
    """The sheets of a record take no options of empty sheets."""
    THUMB_ALONE = "thumb-alone"
    """The rules of thumb take no options of sheets."""
    NO_REPLAY = "no-replay"
    """The server has no Pillow, which replays need."""


class SheetError(DicecupError):
    """Error for pages that cannot be printed (`details`: the offending input)."""
