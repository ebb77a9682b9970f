"""What a table refuses.

The rules of the games refuse with `dicecup.core.errors`, dice with `dicecup.table.fairness`.
"""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class TableCode(StrEnum):
    """Why a table refuses a command, a setup or an event."""

    NOT_A_COMMAND = "not-a-command"
    NOT_AN_EVENT = "not-an-event"
    NOT_AN_EVENT_FILE = "not-an-event-file"
    NOT_A_SETUP = "not-a-setup"
    NOT_A_NAME = "not-a-name"
    HIDDEN_IN_NAME = "hidden-in-name"
    NAME_TWICE = "name-twice"
    NO_SUCH_SEAT = "no-such-seat"
    NO_SUCH_TURN = "no-such-turn"
    SEAT_TAKEN = "seat-taken"
    TABLE_FULL = "table-full"
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_YOUR_TURN = "not-your-turn"
    GAME_RUNNING = "game-running"
    GAME_NOT_BEGUN = "game-not-begun"
    GAME_NOT_OVER = "game-not-over"
    GAME_OVER = "game-over"
    SEATS = "wrong-number-of-seats"
    NOT_A_LEVEL = "not-a-level"
    WRITER = "not-a-writer"
    NOT_A_CLOCK = "not-a-clock"
    NOT_A_NUMBER_OF_GAMES = "not-a-number-of-games"
    NOT_A_START = "not-a-start"
    NOT_A_COMMITMENT = "not-a-commitment"
    SEED_NOT_DUE = "seed-not-due"
    NOT_REAL_DICE = "not-real-dice"
    REAL_DICE = "real-dice"
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    NOT_YOUR_RESULT = "not-your-result"
    NOBODY_TO_ASK = "nobody-to-ask"
    DRAW_OFFERED = "draw-offered"
    NO_DRAW_OFFERED = "no-draw-offered"
    NOT_AWAY = "not-away"
    CLAIM = "not-a-claim"
    ALREADY_ASKED = "already-asked"
    SEAT_VACANT = "seat-vacant"
    NO_SEAT_VACANT = "no-seat-vacant"
    NOT_THE_OWNER = "not-the-owner"
    SEAT_KEPT = "seat-kept"
    TABLE_CLOSED = "table-closed"
    NO_REMATCH = "no-rematch"
    NOT_FOR_DEVICES = "not-for-devices"
    NOT_A_SECTION = "not-a-section"
    MOVED_ON = "moved-on"
    NOBODY_TO_TALK_TO = "nobody-to-talk-to"
    TALK_OVER = "talk-over"
    TOO_FAST = "too-fast"
    NO_SUCH_THROW = "no-such-throw"
    TEXTS_OFF = "texts-off"
    NOT_A_TEXT = "not-a-text"
    HIDDEN_IN_TEXT = "hidden-in-text"


class TableError(DicecupError):
    """A command, setup or event that a table refuses.

    The table has not changed. `details` hold the offending input.
    """
