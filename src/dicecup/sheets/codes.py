"""What cannot be printed."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class SheetCode(StrEnum):
    """Why no sheet is made."""

    NO_SUCH_SHEET = "no-such-sheet"
    TOO_MANY_NAMES = "too-many-names"
    RECORD_ALONE = "record-alone"


class SheetError(DicecupError):
    """Something that no sheet can be made of (`details`: the offending input)."""
