"""The errors of the terminal, and the sentence for every error of Dicecup."""

from enum import StrEnum

from dicecup.core.errors import DicecupError, PositionError
from dicecup.locale import Messages
from dicecup.sentences import code_sentence, faults_sentence


class TerminalCode(StrEnum):
    """The reason of an error of the terminal."""

    CANNOT_SAVE = "cannot-save"
    DISK_FULL = "disk-full"
    CHANGED_ELSEWHERE = "changed-elsewhere"
    FILE_EXISTS = "file-exists"
    CANNOT_READ = "cannot-read"
    NOTHING_TO_RESUME = "nothing-to-resume"
    NOT_RESUMABLE = "not-resumable"
    RESUME_ALONE = "resume-alone"
    JOIN_ALONE = "join-alone"
    RATED_NEEDS_LOBBY = "rated-needs-lobby"
    NOT_AN_ENTRY = "not-an-entry"
    NOT_A_CHOICE = "not-a-choice"
    NOT_FOR_THIS_GAME = "not-for-this-game"
    NO_CORRECTION = "no-correction"
    WHICH_RESULT = "which-result"
    NOT_A_NAME = "not-a-name"
    HIDDEN_IN_NAME = "hidden-in-name"
    NAME_TWICE = "name-twice"
    SEATS = "wrong-number-of-seats"
    WRITER = "not-a-writer"
    NOT_A_LEVEL = "not-a-level"
    NOT_A_SEED = "not-a-seed"
    NOT_A_NUMBER_OF_GAMES = "not-a-number-of-games"
    NOBODY_TO_RESIGN_TO = "nobody-to-resign-to"
    NO_HINTS = "no-hints"
    DRAW_DECLINED = "draw-declined"
    TABLE_IS_OPEN = "table-is-open"
    TABLE_IS_CLOSED = "table-is-closed"
    END_OF_INPUT = "end-of-input"


class TerminalError(DicecupError):
    """An entry or a request that the terminal refuses. The game is unchanged (`details`: the
    input)."""


class EndOfInput(TerminalError):  # noqa: N818 no error happened
    """The standard input has ended."""


class StorageError(TerminalError):
    """A file that could not be written or read (`details`: `file`, and `why`, the message of the
    operating system)."""


def sentence(error: DicecupError, messages: Messages) -> str:
    """Return the sentence that tells a person what is wrong."""
    if isinstance(error, PositionError):
        return faults_sentence((fault.name for fault in error.faults), messages)
    return code_sentence(str(error.code), error.details, messages)
