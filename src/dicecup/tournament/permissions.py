"""What a person may do.

Each rule is stated once: the handlers check it, and the views list what it allows. A function that
ends in `_refusal` returns the code with which a command is refused, `None` if it is allowed.
"""

from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import Cause, Result
from dicecup.tournament.fixed import bracket
from dicecup.tournament.setup import FIXED_FIELD, DiceKind, Entries, Format
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Pairing


def check(refusal: TournamentCode | None) -> None:
    """Raise `TournamentError` with this code, if there is one."""
    if refusal is not None:
        raise TournamentError(refusal)


def is_organiser(state: TournamentState, identity: str | None) -> bool:
    """Return whether this person is an organiser."""
    return identity in state.organisers


def over_refusal(state: TournamentState) -> TournamentCode | None:
    """Return why nothing can be changed in a tournament that has ended."""
    return TournamentCode.TOURNAMENT_OVER if state.is_over else None


# --- Entrants -------------------------------------------------------------------------------------


def entry_refusal(state: TournamentState, now: float, *, organiser: bool) -> TournamentCode | None:
    """Return why nobody can enter now."""
    setup, last = state.setup, state.round
    if state.is_over:
        return TournamentCode.TOURNAMENT_OVER
    is_late = state.has_begun and setup.format in FIXED_FIELD
    if setup.format is Format.SWISS:
        is_late = len(state.rounds) > setup.late_rounds
    elif last is not None and setup.format is Format.ARENA:
        is_late = last.deadline is not None and now >= last.deadline
    if is_late or (setup.entries is Entries.ORGANISER and not organiser):
        return TournamentCode.ENTRIES_CLOSED
    return TournamentCode.TOURNAMENT_FULL if len(state.entrants) >= setup.capacity else None


def added_entry_refusal(state: TournamentState, now: float) -> TournamentCode | None:
    """Return why an organiser cannot enter a person without a device. Rated games need people with
    identities of their own."""
    refusal = entry_refusal(state, now, organiser=True)
    return refusal or (TournamentCode.ENTRIES_CLOSED if state.setup.rated else None)


def own_entry_refusal(state: TournamentState, identity: str, now: float) -> TournamentCode | None:
    """Return why a person cannot enter. Who has withdrawn may return, but not enter again."""
    if state.entrant_of(identity) is not None:
        return TournamentCode.ENTERED_TWICE
    return entry_refusal(state, now, organiser=is_organiser(state, identity))


def withdraw_refusal(state: TournamentState, entrant: int) -> TournamentCode | None:
    """Return why an entrant cannot withdraw."""
    return over_refusal(state) or (None if state.entrant(entrant).is_active else TournamentCode.HAS_WITHDRAWN)


def return_refusal(state: TournamentState, entrant: int) -> TournamentCode | None:
    """Return why an entrant cannot return."""
    return over_refusal(state) or (TournamentCode.HAS_NOT_WITHDRAWN if state.entrant(entrant).is_active else None)


# --- Rounds ---------------------------------------------------------------------------------------


def round_left_refusal(state: TournamentState) -> TournamentCode | None:
    """Return why no further round can be planned."""
    if state.is_over:
        return TournamentCode.TOURNAMENT_OVER
    return TournamentCode.NO_ROUND_LEFT if state.has_begun and len(state.rounds) >= state.most_rounds else None


def start_refusal(state: TournamentState) -> TournamentCode | None:
    """Return why the next round cannot begin."""
    if state.is_round_running:
        return TournamentCode.ROUND_RUNNING
    if (refusal := round_left_refusal(state)) is not None:
        return refusal
    fixed = state.has_begun and state.setup.format in FIXED_FIELD
    return None if fixed or len(state.active) > 1 else TournamentCode.TOO_FEW_ENTRANTS


def delete_refusal(state: TournamentState, number: int) -> TournamentCode | None:
    """Return why a round cannot be deleted.

    A result that an organiser or a deadline decided without a game counts as that of a game does.
    Only the loss of an entrant who withdrew does not: the round is paired anew without them.
    """
    last = state.round
    if state.is_over:
        return TournamentCode.TOURNAMENT_OVER
    if last is None or not 1 <= number <= last.number:
        return TournamentCode.NO_SUCH_ROUND
    if number < last.number:
        return TournamentCode.NEXT_ROUND_BEGUN
    has_results = any(
        (pairing.result is not None and (pairing.is_corrected or pairing.cause is not Cause.WITHDRAWN))
        or any(game.result is not None for game in pairing.games)
        for pairing in state.pairings_of(last)
    )
    return TournamentCode.ROUND_HAS_RESULTS if has_results else None


# --- Results --------------------------------------------------------------------------------------


def result_refusal(state: TournamentState, pairing: Pairing, identity: str) -> TournamentCode | None:
    """Return why a person cannot enter results of a pairing."""
    if state.is_over:
        return TournamentCode.TOURNAMENT_OVER
    if state.setup.dice is not DiceKind.RESULTS:
        return TournamentCode.RESULT_FROM_TABLE
    entrant = state.entrant_of(identity)
    plays = entrant is not None and entrant.number in (pairing.first, pairing.second)
    return None if plays or is_organiser(state, identity) else TournamentCode.NOT_YOUR_PAIRING


def forfeit_refusal(state: TournamentState, pairing: Pairing, result: Result) -> TournamentCode | None:
    """Return why a pairing cannot be decided without a game."""
    if state.is_over:
        return TournamentCode.TOURNAMENT_OVER
    if pairing.result is not None:
        return TournamentCode.RESULT_KNOWN
    return _possible(state, result)


def correction_refusal(state: TournamentState, pairing: Pairing, result: Result) -> TournamentCode | None:
    """Return why the result of a pairing cannot be replaced. In a knock-out it cannot once the next
    round has begun."""
    if pairing.result is None:
        return TournamentCode.NO_RESULT_DUE
    if pairing.result is result:
        return TournamentCode.RESULT_KNOWN
    if state.setup.format is Format.KNOCK_OUT and pairing.round < len(state.rounds):
        return TournamentCode.NEXT_ROUND_BEGUN
    return _possible(state, result)


def _possible(state: TournamentState, result: Result) -> TournamentCode | None:
    """Return why a pairing cannot have this result: a knock-out has no draw."""
    is_draw = state.setup.format is Format.KNOCK_OUT and result is Result.DRAWN
    return TournamentCode.NOT_A_RESULT if is_draw else None


def has_winner(state: TournamentState) -> bool:
    """Return whether at most one entrant of a knock-out is left."""
    is_knock_out = state.setup.format is Format.KNOCK_OUT and state.has_begun
    return is_knock_out and sum(each is not None for each in bracket(state)) < 2
