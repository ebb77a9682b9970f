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
    """Why a combination of options is refused."""

    PAIRS_NEED_EVEN_PLAYERS = "pairs-need-even-players"


class TagCode(StrEnum):
    """Why the text of a tag of Yamm cannot be read."""

    NOT_WRITERS = "not-writers"


class PositionCode(StrEnum):
    """Why a text is not a position of the game."""

    UNREACHABLE = "unreachable-position"


class Fault(Flag):
    """The faults of a readable position that no game can reach."""

    SHEETS = auto()
    """The number of sheets differs from the options."""
    TURN_NUMBER = auto()
    """The turn number is larger than the number of turns."""
    CELLS_AND_NUMBER = auto()
    """The number of results on a sheet differs from the number of its turns."""
    NOT_OVER = auto()
    """The text says that the game is over, but turns are left."""
    OVER = auto()
    """The text has a turn state after the last turn."""
    OUT_OF_ORDER = auto()
    """The cells of a column are not written in its order."""
    IMPOSSIBLE_VALUE = auto()
    """No roll gives these points in this row."""
    HIGH_NOT_ABOVE_LOW = auto()
    """H is not greater than T, and neither is struck."""
    HALF_STRUCK = auto()
    """Only one of H and T is struck."""
    TOO_MANY_YAMMS = auto()
    """There are more first-throw Yamms than cells that five equal dice can have written."""
    INK_CELL = auto()
    """A result that may still move is in a cell that is not open."""
    INK_DRY = auto()
    """A result is marked as movable before the sheet's first turn, after its next turn has begun,
    or after the end.
    """
    INK_MISSING = auto()
    """The last result of a sheet is final before the sheet's next turn has begun."""
    DEFI_MARK = auto()
    """A Défi is declared, which Yamm does not have."""
    LOCKED_BAR = auto()
    """Dice are locked under `kept_dice=free`."""
