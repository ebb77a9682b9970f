"""The errors of all rooms. Each has a code and the input that it refuses.

    DicecupError
    ├── DiceError               a text or a list of faces that is not dice
    ├── SourceError             a dice source that is empty, has leftovers or does not fit
    ├── GameError               a game id, an option, a board or a sheet that does not exist
    ├── TextError               a text that is not a position, an action or a turn state
    ├── PositionError           a readable position that no game can reach; lists every fault
    ├── ActionError             an action or a throw that the position does not allow
    ├── RecordError             a record that cannot be replayed; lists every fault (`record`)
    ├── TableError              a command, setup or event that a table refuses (`table`)
    ├── FairnessError           a seed, a secret or dice that fail a check (`table`)
    ├── TournamentError         a command, setup or event that a tournament refuses (`tournament`)
    ├── EngineError             a calculation that is not possible (`engine`)
    ├── TablesError             a table file that is missing, damaged or unfit (`engine`)
    ├── BoundError              a certificate that does not prove its claim (`engine`)
    ├── AnalysisError           a game that cannot be analysed (`analysis`)
    ├── LineProtocolError       an engine that failed (`line_protocol`)
    ├── ArenaError              games that cannot be played (`arena`)
    ├── EnvsError               a call that an environment refuses (`envs`)
    │   └── MissingPackageError a package of the extra `envs` that is not installed
    ├── VisionError             a photo of dice that cannot be read (`vision`)
    ├── SheetError              a page that cannot be printed (`sheets`)
    ├── HostingError            a request that the hosting of tables refuses (`hosting`)
    ├── HostKeyError            a host key that cannot be used (`hosting`)
    ├── StoreError              a database that cannot be used (`hosting`)
    ├── BackupError             a backup that cannot be made or used (`hosting`)
    ├── OfflineError            a request that a room without a server refuses (`offline`)
    ├── WebError                a request or connection that the server refuses (`web`)
    ├── ClientError             a request of the client that got no answer (`client`)
    ├── ServerRefusal           a request of the client that the server refused (`client`)
    └── TerminalError           an entry or a request that the terminal refuses (`terminal`)
        ├── EndOfInput          the input has ended
        ├── StorageError        a file that could not be read or written
        └── HistoryError        a history of answers with a line that is no answer

The room of an error is named in brackets if it is not `core`. An error holds no sentence. Its
`code` is a member of a `StrEnum`, stable and documented in docs/notation.md. Its `details` are the
refused input and the values that explain the refusal. The catalogues in `dicecup.locale` hold a
sentence for each code.
"""

from collections.abc import Mapping
from enum import Flag, StrEnum


class DiceCode(StrEnum):
    """Why a text is not dice, or why a dice source cannot throw."""

    NOT_A_FACE = "not-a-face"
    NOT_ASCENDING = "not-ascending"
    NOT_FIVE_DICE = "not-five-dice"
    TOO_MANY_DICE = "too-many-dice"
    SOURCE_EMPTY = "source-empty"
    SOURCE_LEFTOVERS = "source-leftovers"
    SOURCE_MISMATCH = "source-mismatch"


class TextCode(StrEnum):
    """Why a text cannot be read."""

    NOT_A_GAME = "not-a-game"
    NOT_A_POSITION = "not-a-position"
    NOT_AN_ACTION = "not-an-action"
    NOT_A_TURN_STATE = "not-a-turn-state"
    NOT_A_BOARD = "not-a-board"
    NOT_A_SHEET = "not-a-sheet"
    NOT_A_CELL = "not-a-cell"
    NOT_A_STARTING_ROLL = "not-a-starting-roll"
    NOT_A_MATCH = "not-a-match"
    NOT_CANONICAL = "not-canonical"
    UNKNOWN_OPTION = "unknown-option"
    OPTION_VALUE = "option-value"
    OPTION_ORDER = "option-order"
    OPTION_DEFAULT = "option-default"


class TurnCode(StrEnum):
    """Why a turn or a starting roll does not allow a keep or a throw. The codes are the same in
    every game.
    """

    GAME_OVER = "game-over"
    DICE_IN_THE_AIR = "dice-in-the-air"
    NO_DICE_IN_THE_AIR = "no-dice-in-the-air"
    KEPT_DIE_LOST = "kept-die-lost"
    WRONG_LOCKED_DICE = "wrong-locked-dice"
    NO_THROW_LEFT = "no-throw-left"
    KEEPS_ALL_DICE = "keeps-all-dice"
    NOT_THESE_DICE = "not-these-dice"
    LOCKED_DIE_MISSING = "locked-die-missing"
    STARTING_ROLL_OVER = "starting-roll-over"


class DicecupError(Exception):
    """The base class of all errors that Dicecup raises on purpose.

    `code` names the refusal. `details` holds the refused input under the names of the placeholders
    in the catalogues.
    """

    def __init__(self, code: StrEnum, **details: object) -> None:
        self.code = code
        self.details: Mapping[str, object] = details
        super().__init__(code, details)

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value!s}" for name, value in self.details.items())
        return f"{self.code}: {shown}" if shown else str(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, dict(self.details))


def _rebuild(kind: type[DicecupError], code: StrEnum, details: dict[str, object]) -> DicecupError:
    """Return the error that pickle read."""
    return kind(code, **details)


class DiceError(DicecupError):
    """A text or a list of faces that is not dice (`details`: `text`)."""


class SourceError(DicecupError):
    """A dice source that is empty, has leftovers, or holds dice that do not fit (`details`:
    `text`).
    """


class GameError(DicecupError):
    """A game id, an option, a board or a sheet that does not exist (`details`: `text` or `option`
    and `value`).
    """


class TextError(DicecupError):
    """A text that cannot be read (`details`: `text`, and for some codes the part that is wrong)."""


class PositionError(DicecupError):
    """A readable position that no game can reach. `faults` holds every fault as flags."""

    def __init__(self, code: StrEnum, *, faults: Flag, **details: object) -> None:
        super().__init__(code, faults=faults, **details)
        self.faults = faults


class ActionError(DicecupError):
    """An action or a throw that is not allowed: `position` (unchanged), `action` (as given) and
    `code`.
    """

    def __init__(self, code: StrEnum, *, position: object, action: object, **details: object) -> None:
        super().__init__(code, position=position, action=action, **details)
        self.position = position
        self.action = action
