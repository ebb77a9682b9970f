"""What a tournament refuses."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class TournamentCode(StrEnum):
    """Why a tournament refuses a command, a setup or an event."""

    NOT_A_TOURNAMENT = "not-a-tournament"
    NOT_A_TOURNAMENT_COMMAND = "not-a-tournament-command"
    NOT_A_TOURNAMENT_EVENT = "not-a-tournament-event"
    NOT_THE_ORGANISER = "not-the-organiser"
    ENTERED_TWICE = "entered-twice"
    ENTRIES_CLOSED = "entries-closed"
    TOURNAMENT_FULL = "tournament-full"
    NO_SUCH_ENTRANT = "no-such-entrant"
    NOT_AN_ENTRANT = "not-an-entrant"
    HAS_WITHDRAWN = "has-withdrawn"
    HAS_NOT_WITHDRAWN = "has-not-withdrawn"
    TOO_FEW_ENTRANTS = "too-few-entrants"
    TOURNAMENT_NOT_BEGUN = "tournament-not-begun"
    TOURNAMENT_OVER = "tournament-over"
    ROUND_RUNNING = "round-running"
    NO_ROUND_LEFT = "no-round-left"
    NO_PAIRING_LEFT = "no-pairing-left"
    NO_SUCH_ROUND = "no-such-round"
    NO_SUCH_PAIRING = "no-such-pairing"
    ROUND_DELETED = "round-deleted"
    ROUND_HAS_RESULTS = "round-has-results"
    NEXT_ROUND_BEGUN = "next-round-begun"
    NOT_YOUR_PAIRING = "not-your-pairing"
    RESULT_FROM_TABLE = "result-from-table"
    NO_RESULT_DUE = "no-result-due"
    RESULT_KNOWN = "result-known"
    RESULTS_CONTRADICT = "results-contradict"
    NOT_A_RESULT = "not-a-result"
    NOT_A_START_TIME = "not-a-start-time"
    NOT_A_REMARK = "not-a-remark"


class TournamentError(DicecupError):
    """A command, setup or event that a tournament refuses.

    The tournament has not changed. `details` hold the offending input.
    """
