"""What is refused at the terminal besides the rules, and the sentence for every error."""

from enum import StrEnum

from dicecup.core.errors import DicecupError, PositionError
from dicecup.locale import Messages
from dicecup.locale.errors import code_sentence, faults_sentence


class TableCode(StrEnum):
    """Why a table cannot do what is asked of it."""

    CANNOT_SAVE = "cannot-save"
    DISK_FULL = "disk-full"
    CHANGED_ELSEWHERE = "changed-elsewhere"
    FILE_EXISTS = "file-exists"
    CANNOT_READ = "cannot-read"
    NOTHING_TO_RESUME = "nothing-to-resume"
    NOT_RESUMABLE = "not-resumable"
    RESUME_ALONE = "resume-alone"
    JOIN_ALONE = "join-alone"
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    NOT_AN_ENTRY = "not-an-entry"
    NOT_A_CHOICE = "not-a-choice"
    NO_CORRECTION = "no-correction"
    WHICH_RESULT = "which-result"
    NOT_YOUR_RESULT = "not-your-result"
    NOT_A_NAME = "not-a-name"
    NAME_TWICE = "name-twice"
    SEATS = "wrong-number-of-seats"
    WRITER = "not-a-writer"
    NOT_A_LEVEL = "not-a-level"
    NOT_A_SEED = "not-a-seed"
    NOT_A_NUMBER_OF_GAMES = "not-a-number-of-games"
    NOBODY_TO_RESIGN_TO = "nobody-to-resign-to"
    NO_HINTS = "no-hints"
    DRAW_DECLINED = "draw-declined"
    END_OF_INPUT = "end-of-input"


class TableError(DicecupError):
    """Something that a table cannot do; it is as it was."""


class EndOfInput(TableError):  # noqa: N818 nothing went wrong
    """Nobody will enter anything any more."""


class StorageError(TableError):
    """A record that could not be saved or read (`details`: `file`, and `why`, what the system says)."""


def sentence(error: DicecupError, messages: Messages) -> str:
    """What went wrong, for a person."""
    if isinstance(error, PositionError):
        return faults_sentence((fault.name for fault in error.faults), messages)
    return code_sentence(str(error.code), error.details, messages)
