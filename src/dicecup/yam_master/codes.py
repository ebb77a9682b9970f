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
    """Why a text is no position of the game."""

    UNREACHABLE = "unreachable-position"


class Fault(Flag):
    """What is wrong with a position that can be written down but not be reached."""

    SIDE_AND_NUMBER = auto()
    """x moves in odd turns, o in even ones."""
    SUPPLY = auto()
    """Tokens on the board and in the supply do not add up."""
    TOO_FEW_TURNS = auto()
    """More was placed and removed than there were turns."""
    TWO_LINES = auto()
    """Both sides have a winning line."""
    LINE_IN_PLAY = auto()
    """A winning line stands on the board and the game is not over."""
    LINE_OF_SIDE_TO_MOVE = auto()
    """The winning line belongs to the side that did not have the last turn."""
    EMPTY_SUPPLY_IN_PLAY = auto()
    """A supply is empty and the game is not over."""
    NOT_OVER = auto()
    """The game is said to be over and nothing ended it."""
    DEFI_MARK = auto()
    """A Défi stands before the first keep."""
    LOCKED_BAR = auto()
    """Dice are locked, and the game's option leaves them free."""
