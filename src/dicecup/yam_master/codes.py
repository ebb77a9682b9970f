"""Why Yam Master refuses an action or a position."""

from enum import Flag, StrEnum, auto


class ActionCode(StrEnum):
    """Why an action is not allowed, besides `TurnCode`."""

    DEFI_TOO_LATE = "defi-too-late"
    DEFI_TWICE = "defi-twice"
    NO_SUCH_SQUARE = "no-such-square"
    SQUARE_TAKEN = "square-taken"
    FIGURE_NOT_HELD = "figure-not-held"
    SEC_AFTER_FIRST_THROW = "sec-after-first-throw"
    NO_DEFI_DECLARED = "no-defi-declared"
    DEFI_NEEDS_BIG_FIGURE = "defi-needs-big-figure"
    NO_FIVE_EQUAL = "no-five-equal"
    NO_OPPOSING_TOKEN = "no-opposing-token"
    NOT_AN_OPPOSING_TOKEN = "not-an-opposing-token"


class PositionCode(StrEnum):
    """Why a text is not a position of the game."""

    UNREACHABLE = "unreachable-position"


class Fault(Flag):
    """The faults of a readable position that no game can reach."""

    SIDE_AND_NUMBER = auto()
    """The side to move does not fit the turn number: x moves in odd turns, o in even ones."""
    SUPPLY = auto()
    """The tokens on the board and in the supplies do not add up."""
    TOO_FEW_TURNS = auto()
    """More tokens were placed and removed than there were turns."""
    TWO_LINES = auto()
    """Both sides have a winning line."""
    LINE_IN_PLAY = auto()
    """The board has a winning line, but the game is not over."""
    LINE_OF_SIDE_TO_MOVE = auto()
    """The winning line belongs to the side that did not have the last turn."""
    EMPTY_SUPPLY_IN_PLAY = auto()
    """A supply is empty, but the game is not over."""
    NOT_OVER = auto()
    """The text says that the game is over, but nothing has ended it."""
    DEFI_MARK = auto()
    """A Défi is declared before the first keep."""
    LOCKED_BAR = auto()
    """Dice are locked under `kept_dice=free`."""
