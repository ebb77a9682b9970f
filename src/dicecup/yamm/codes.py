"""Why Yamm refuses an action, an option, a position or the text of a tag."""

from enum import Flag, StrEnum, auto


class ActionCode(StrEnum):
    """Why an action is not allowed, besides `TurnCode`."""

    NO_SUCH_CELL = "no-such-cell"
    CELL_WRITTEN = "cell-written"
    CELL_OUT_OF_ORDER = "cell-out-of-order"
    NO_SUCH_RESULT = "no-such-result"
    CORRECTION_TOO_LATE = "correction-too-late"
    SAME_CELL = "same-cell"


class OptionCode(StrEnum):
    """Why options do not go together."""

    PAIRS_NEED_EVEN_PLAYERS = "pairs-need-even-players"


class TagCode(StrEnum):
    """Why the text of a tag of Yamm is unreadable."""

    NOT_WRITERS = "not-writers"


class PositionCode(StrEnum):
    """Why a text is no position of the game."""

    UNREACHABLE = "unreachable-position"


class Fault(Flag):
    """What is wrong with a position that can be written down but not be reached."""

    SHEETS = auto()
    """More or fewer sheets than the options say."""
    TURN_NUMBER = auto()
    """The game has fewer turns than that."""
    CELLS_AND_NUMBER = auto()
    """A sheet holds more or fewer results than it has had turns."""
    NOT_OVER = auto()
    """The game is said to be over and turns are left."""
    OVER = auto()
    """A turn state stands after the last turn."""
    OUT_OF_ORDER = auto()
    """A column was not written in its order."""
    IMPOSSIBLE_VALUE = auto()
    """No roll gives these points in this row."""
    HIGH_NOT_ABOVE_LOW = auto()
    """H is not above T, and they are not struck."""
    HALF_STRUCK = auto()
    """Of H and T one is struck alone."""
    TOO_MANY_YAMMS = auto()
    """More first-throw Yamms than cells that five equal dice can have written."""
    INK_CELL = auto()
    """The wet result is in a cell that is not open."""
    INK_DRY = auto()
    """Wet ink where the sheet had no turn yet, where its next turn has begun, or after the end."""
    INK_MISSING = auto()
    """A last result is final although the sheet's next turn has not begun."""
    DEFI_MARK = auto()
    """A Défi is declared: Yamm has none."""
    LOCKED_BAR = auto()
    """Dice are locked, and the game's option leaves them free."""
