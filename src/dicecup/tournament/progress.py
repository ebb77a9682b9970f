"""Events that follow without a command: from time that passes, and from earlier events."""

from dicecup.tournament.arena import arena_pairs, next_pairs_at
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import (
    Cause,
    Duel,
    Finished,
    Forfeited,
    How,
    Paired,
    Result,
    RoundStarted,
    Scheduled,
)
from dicecup.tournament.fixed import knock_out_pairs, round_robin_pairs
from dicecup.tournament.lots import winner_by_lot
from dicecup.tournament.permissions import check, has_winner, start_refusal
from dicecup.tournament.setup import Format
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import Field, Pairs, field_of
from dicecup.tournament.transition import Draft


class PairingLater(Exception):  # noqa: N818 it is expected and handled, not an error
    """The pairings of a Swiss round are not known yet: the caller makes them elsewhere and calls
    the handler again."""


def pair_later(field: Field) -> Pairs:
    """Leave the pairing of a Swiss round to the next look at what is due."""
    del field
    raise PairingLater


def wake_at(state: TournamentState) -> float | None:
    """Return when `due` has events if no event comes before, `None` for never."""
    if state.is_over:
        return None
    if not state.is_round_running:
        return state.next_start
    last = state.round
    assert last is not None
    if state.setup.format is not Format.ARENA:
        return last.deadline
    again, ends = next_pairs_at(state), last.deadline
    assert ends is not None
    times = [again] if again is not None and again < ends else []
    return min([*times, *([] if state.running else [ends])], default=None)


def is_round_due(state: TournamentState, now: float) -> bool:
    """Return whether the next round begins by itself now."""
    return state.next_start is not None and state.next_start <= now and not state.is_round_running


def pass_time(draft: Draft) -> None:
    """Append the events that are due by `draft.now`."""
    settle(draft)
    _end_round(draft)
    if is_round_due(draft.state, draft.now):
        _start_planned(draft)
    _pair_arena(draft)
    settle(draft)


def start_round(draft: Draft) -> None:
    """Start the next round. Raises `TournamentError`."""
    state = draft.state
    check(start_refusal(state))
    number = len(state.rounds) + 1
    pairs = _pairs(draft, number)
    draft.append(RoundStarted(number, draft.now + state.setup.seconds if state.setup.seconds else None))
    _append_pairs(draft, pairs)


def settle(draft: Draft) -> None:
    """Append every event that follows by itself: lots, forfeits of those who withdrew, the end."""
    state = draft.state
    if state.is_over or not state.has_begun:
        return
    if state.setup.format is not Format.ARENA:
        for pairing in state.running_pairings():
            away = [each for each in (pairing.first, pairing.second) if not state.entrant(each).is_active]
            if away:
                result = Result.NEITHER if len(away) > 1 else Result.LOST if away == [pairing.first] else Result.WON
                draft.append(Forfeited(pairing.number, result, Cause.WITHDRAWN))
            elif pairing.decision(state.setup) is Result.DRAWN and pairing.games and pairing.game is None:
                won = winner_by_lot(state, pairing.number)
                draft.append(Forfeited(pairing.number, Result.WON if won else Result.LOST, Cause.LOT))
    _finish(draft)


def _finish(draft: Draft) -> None:
    """Append the end of a tournament after its last round. Without organisers this is the last one
    that begins by itself."""
    state, last = draft.state, draft.state.round
    if last is None or state.is_over:
        return
    if state.setup.format is Format.ARENA:
        if not state.running and last.deadline is not None and last.deadline <= draft.now:
            draft.append(Finished(How.TIME))
    elif last.ended is not None:
        is_left = not state.organisers and state.next_start is None
        if last.number >= state.most_rounds or has_winner(state) or is_left:
            draft.append(Finished(How.ROUNDS))


def _end_round(draft: Draft) -> None:
    """Append the forfeits of all pairings without a result at the deadline of a round."""
    state, last = draft.state, draft.state.round
    if last is None or not state.is_round_running or last.deadline is None or draft.now < last.deadline:
        return
    if state.setup.format is not Format.ARENA:
        for pairing in state.running_pairings():
            draft.append(Forfeited(pairing.number, Result.NEITHER, Cause.DEADLINE))
        settle(draft)


def _start_planned(draft: Draft) -> None:
    """Start a round by itself. If it cannot begin, an organiser has to start it. A Swiss tournament
    in which nobody can be paired any more ends."""
    try:
        start_round(draft)
    except PairingLater:
        pass
    except TournamentError as error:
        if error.code is TournamentCode.NO_PAIRING_LEFT:
            draft.append(Finished(How.ROUNDS))
        else:
            draft.append(Scheduled(None))


def _pair_arena(draft: Draft) -> None:
    """Append pairings of entrants of an arena who are free."""
    state, last = draft.state, draft.state.round
    is_running = state.setup.format is Format.ARENA and state.is_round_running
    if is_running and last is not None and (last.deadline is None or draft.now < last.deadline):
        pairs = arena_pairs(state, draft.now)
        if pairs.duels:
            _append_pairs(draft, pairs)


def _pairs(draft: Draft, number: int) -> Pairs:
    """Return the pairings of the next round. Raises `TournamentError` (`no-pairing-left`)."""
    state = draft.state
    match state.setup.format:
        case Format.SWISS:
            field = field_of(state)
            assert field is not None
            return draft.pair(field)
        case Format.KNOCK_OUT:
            return knock_out_pairs(state)
        case Format.ARENA:
            return arena_pairs(state, draft.now)
        case Format.ROUND_ROBIN | Format.LEAGUE:
            return round_robin_pairs(state, number)


def _append_pairs(draft: Draft, pairs: Pairs) -> None:
    """Append pairings with consecutive numbers."""
    first = len(draft.state.pairings) + 1
    duels = tuple(Duel(number, *pair) for number, pair in enumerate(pairs.duels, first))
    draft.append(Paired(duels, pairs.byes))
