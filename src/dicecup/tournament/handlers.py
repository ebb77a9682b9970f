"""Handlers of commands and of time: pure functions from a state to a transition.

The caller hands in the time and the function that pairs Swiss rounds. It saves the events before it
publishes the new state. A refused command raises an error and has no events.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dicecup.core.game import Scoring
from dicecup.table.clock import Gap, held_seconds
from dicecup.table.names import check_name, hides_characters
from dicecup.tournament import commands
from dicecup.tournament.commands import COMMANDS_OF_ORGANISERS, TournamentCommand
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import (
    Cause,
    Corrected,
    Created,
    Entered,
    Finished,
    Forfeited,
    GameEnded,
    How,
    LossMeasured,
    Opened,
    OrganiserLeft,
    OrganiserNamed,
    Renamed,
    Result,
    Returned,
    RoundDeleted,
    Scheduled,
    StoredEvent,
    TablesOpened,
    TimeHeld,
    Why,
    Withdrawn,
)
from dicecup.tournament.permissions import (
    added_entry_refusal,
    check,
    correction_refusal,
    delete_refusal,
    forfeit_refusal,
    is_organiser,
    over_refusal,
    own_entry_refusal,
    result_refusal,
    return_refusal,
    round_left_refusal,
    withdraw_refusal,
)
from dicecup.tournament.progress import pass_time, start_round
from dicecup.tournament.setup import Format, TournamentSetup
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import pair as pair_swiss
from dicecup.tournament.transition import Draft, Pairer, Transition

LONGEST_REMARK: Final = 200
"""Characters of the reason for a correction or for deleting a round."""
LATEST_START: Final = 366 * 86_400.0
"""Seconds from now to a planned start at most."""
STRONGEST: Final = 1_000_000


class EndedGame(NamedTuple):
    """The end of a game at a table. `absent`: entrants who did nothing in it."""

    table: str
    pairing: int
    game: int
    result: Result
    cause: Cause
    points: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


def create(tournament: str, setup: TournamentSetup, identity: str, seed: str, now: float) -> Transition:
    """Create a tournament. Raises `TournamentError` (`not-a-start-time`)."""
    if setup.starts is not None:
        _check_start(setup.starts, now)
    created = Created(tournament, setup, identity, seed)
    return Transition((created,), TournamentState.from_events([StoredEvent(1, now, created)]))


def is_meant_for(state: TournamentState, command: TournamentCommand, version: int) -> bool:
    """Return whether a command of a person who saw event `version` is for this state.

    What concerns rounds is for a state in which no round began, ended or was deleted since; what
    concerns a pairing for one in which the pairing has not changed. Entries are for any state.
    """
    match command:
        case commands.StartRound() | commands.ScheduleRound() | commands.DeleteRound() | commands.Finish():
            return state.advanced <= version <= state.number
        case commands.EnterResult(number) | commands.Forfeit(number) | commands.Correct(number):
            known = 1 <= number <= len(state.pairings)
            return version <= state.number and (not known or state.pairings[number - 1].changed <= version)
        case _:
            return version <= state.number


def handle(
    state: TournamentState,
    identity: str,
    command: TournamentCommand,
    now: float,
    accounts: Mapping[str, str] | None = None,
    pair: Pairer = pair_swiss,
) -> Transition:
    """Return the events of a command, at least one, and the state after them.

    `accounts` maps the handles that the command names to identities. Events that are due by `now`
    come first; see `due`. Raises `DicecupError` if the command is refused.
    """
    draft = Draft(state, now, pair)
    pass_time(draft)
    if isinstance(command, COMMANDS_OF_ORGANISERS) and not is_organiser(draft.state, identity):
        raise TournamentError(TournamentCode.NOT_THE_ORGANISER)
    _handle(draft, identity, command, accounts or {})
    pass_time(draft)
    return draft.finish()


def due(state: TournamentState, now: float, pair: Pairer = pair_swiss) -> Transition:
    """Return the events that are due by `now`, mostly none: a planned round, a deadline, pairings
    of an arena, and the end."""
    draft = Draft(state, now, pair)
    pass_time(draft)
    return draft.finish()


def hold(state: TournamentState, now: float, gaps: Sequence[Gap]) -> Transition:
    """Return the event that moves the deadline of the running round by the time of outages. `gaps`
    are in order and may overlap."""
    draft = Draft(state, now, pair_swiss)
    last = state.round
    if last is not None and last.deadline is not None and state.is_round_running:
        seconds = held_seconds(last.deadline, state.time, now, gaps)
        if seconds > 0:
            draft.append(TimeHeld(seconds))
    return draft.finish()


def open_tables(state: TournamentState, opened: Sequence[Opened], now: float) -> Transition:
    """Return the event that names the tables of games that need one."""
    draft = Draft(state, now, pair_swiss)
    draft.append(TablesOpened(tuple(opened)))
    return draft.finish()


def end_games(state: TournamentState, ended: Sequence[EndedGame], now: float, pair: Pairer = pair_swiss) -> Transition:
    """Return the events of games that ended at their tables, and what follows from them.

    A game whose pairing is decided already, or whose round was deleted, has no event. In an arena
    an entrant who was absent withdraws.
    """
    draft = Draft(state, now, pair)
    for game in ended:
        if game.pairing not in draft.state.running:
            continue
        known = draft.state.pairings[game.pairing - 1].game
        if known is None or known.table != game.table:
            continue
        draft.append(GameEnded(game.pairing, game.game, game.result, game.cause, game.points))
        for entrant in game.absent if draft.state.setup.format is Format.ARENA else ():
            if draft.state.entrant(entrant).is_active:
                draft.append(Withdrawn(entrant, Why.ABSENT))
    pass_time(draft)
    return draft.finish()


def measure(state: TournamentState, measured: LossMeasured, now: float) -> Transition:
    """Return the event with the losses of a game, none if they are known."""
    draft = Draft(state, now, pair_swiss)
    pairing = state.pairings[measured.pairing - 1]
    if len(pairing.games) >= measured.game and not pairing.games[measured.game - 1].decisions:
        draft.append(measured)
    return draft.finish()


def exclude(state: TournamentState, identity: str, now: float, pair: Pairer = pair_swiss) -> Transition:
    """Return the events for a person who was banned, none for one who is not paired."""
    draft = Draft(state, now, pair)
    pass_time(draft)
    entrant = draft.state.entrant_of(identity)
    if entrant is not None and withdraw_refusal(draft.state, entrant.number) is None:
        draft.append(Withdrawn(entrant.number, Why.BANNED))
    pass_time(draft)
    return draft.finish()


def forget(state: TournamentState, identity: str, name: str, now: float, pair: Pairer = pair_swiss) -> Transition:
    """Return the events for a person whose account is deleted, none if nothing is left to do.

    The entrant gets another name and is withdrawn. An organiser leaves; if none stays, see
    `_go_on_alone`.
    """
    draft = Draft(state, now, pair)
    pass_time(draft)
    entrant = draft.state.entrant_of(identity)
    if entrant is not None and entrant.name != name:
        draft.append(Renamed(entrant.number, name))
    if entrant is not None and withdraw_refusal(draft.state, entrant.number) is None:
        draft.append(Withdrawn(entrant.number, Why.OWN))
    if is_organiser(draft.state, identity):
        draft.append(OrganiserLeft(identity))
        if not draft.state.organisers and not draft.state.is_over:
            _go_on_alone(draft)
    pass_time(draft)
    return draft.finish()


def _go_on_alone(draft: Draft) -> None:
    """Append what follows when the last organiser has left.

    A tournament that has not begun is cancelled. One at tables of the server goes on as far as it
    does by itself, without people for whom the organiser's device played. One with entered results
    ends with the standings as they are.
    """
    state = draft.state
    if not state.has_begun:
        draft.append(Finished(How.CANCELLED))
    elif not state.setup.has_tables:
        draft.append(Finished(How.ORGANISER))
    else:
        for entrant in state.active:
            if entrant.identity is None:
                draft.append(Withdrawn(entrant.number, Why.ORGANISER))


def _handle(draft: Draft, identity: str, command: TournamentCommand, accounts: Mapping[str, str]) -> None:
    """Append the events of a command. Raises `DicecupError`."""
    match command:
        case commands.Enter(name):
            check(own_entry_refusal(draft.state, identity, draft.now))
            _enter(draft, name, identity, 0)
        case commands.AddEntrant(name, strength):
            check(added_entry_refusal(draft.state, draft.now))
            if not 0 <= strength <= STRONGEST:
                raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_COMMAND, text="strength", why="range")
            _enter(draft, name, None, strength)
        case commands.Withdraw(entrant):
            named = _named(draft.state, identity, entrant)
            check(withdraw_refusal(draft.state, named))
            own = draft.state.entrant(named).identity == identity
            draft.append(Withdrawn(named, Why.OWN if own else Why.ORGANISER))
        case commands.Return(entrant):
            named = _named(draft.state, identity, entrant)
            check(return_refusal(draft.state, named))
            draft.append(Returned(named))
        case commands.StartRound():
            start_round(draft)
        case commands.ScheduleRound(at):
            check(round_left_refusal(draft.state))
            if at is not None:
                _check_start(at, draft.now)
            draft.append(Scheduled(at))
        case commands.NameOrganiser(handle):
            _name_organiser(draft, handle, accounts)
        case commands.Finish():
            check(over_refusal(draft.state) or (None if draft.state.has_begun else TournamentCode.TOURNAMENT_NOT_BEGUN))
            draft.append(Finished(How.ORGANISER))
        case commands.Cancel():
            check(over_refusal(draft.state))
            draft.append(Finished(How.CANCELLED))
        case _:
            _decide(draft, identity, command)


def _decide(
    draft: Draft, identity: str, command: commands.EnterResult | commands.Forfeit | commands.Correct | commands.DeleteRound
) -> None:
    """Append the events of a command about results. Raises `TournamentError`."""
    match command:
        case commands.EnterResult():
            _enter_result(draft, identity, command)
        case commands.Forfeit(number, result):
            check(forfeit_refusal(draft.state, draft.state.pairing(number), result))
            draft.append(Forfeited(number, result, Cause.ORGANISER))
        case commands.Correct(number, result, remark):
            pairing = draft.state.pairing(number)
            check(correction_refusal(draft.state, pairing, result))
            _check_remark(remark)
            assert pairing.result is not None
            draft.append(Corrected(number, pairing.result, result, remark))
        case commands.DeleteRound(number, remark):
            check(delete_refusal(draft.state, number))
            _check_remark(remark)
            draft.append(RoundDeleted(number, remark))


def _enter(draft: Draft, name: str, identity: str | None, strength: int) -> None:
    """Append the entry of a person. Raises `TableError` for the name."""
    check_name(name, [entrant.name for entrant in draft.state.entrants])
    draft.append(Entered(len(draft.state.entrants) + 1, name, identity, strength))


def _named(state: TournamentState, identity: str, entrant: int | None) -> int:
    """Return the entrant for whom a command counts: the person's own, or for an organiser any.

    Raises `TournamentError` (`not-an-entrant`, `no-such-entrant`, `not-the-organiser`).
    """
    own = state.entrant_of(identity)
    if entrant is None:
        if own is None:
            raise TournamentError(TournamentCode.NOT_AN_ENTRANT)
        return own.number
    if own is None or own.number != entrant:
        check(None if is_organiser(state, identity) else TournamentCode.NOT_THE_ORGANISER)
    return state.entrant(entrant).number


def _name_organiser(draft: Draft, handle: str, accounts: Mapping[str, str]) -> None:
    """Append a further organiser. Raises `TournamentError`."""
    check(over_refusal(draft.state))
    if accounts[handle] in draft.state.organisers:
        raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_COMMAND, text="handle", why="unchanged")
    draft.append(OrganiserNamed(handle, accounts[handle]))


def _enter_result(draft: Draft, identity: str, command: commands.EnterResult) -> None:
    """Append the result of a game with real dice.

    A result that is known already is not entered again: the same one is refused with
    `result-known`, another one with `results-contradict`. Points that do not fit the result are
    refused with `results-contradict`, too.
    """
    state = draft.state
    pairing = state.pairing(command.pairing)
    check(result_refusal(state, pairing, identity))
    if command.points and (len(command.points) != 2 or min(command.points) < 0):
        raise TournamentError(TournamentCode.NOT_A_RESULT, text=" ".join(map(str, command.points)))
    known = pairing.games[command.game - 1].result if 1 <= command.game <= len(pairing.games) else None
    known = known or (pairing.result if command.game == len(pairing.games) + 1 else None)
    if known is not None:
        code = TournamentCode.RESULT_KNOWN if known is command.result else TournamentCode.RESULTS_CONTRADICT
        raise TournamentError(code, text=command.result, known=known)
    if pairing.result is not None or command.game != len(pairing.games) + 1:
        raise TournamentError(TournamentCode.NO_RESULT_DUE)
    if command.points and state.setup.rules.scoring is not Scoring.WINS and _winner(*command.points) is not command.result:
        shown = "-".join(map(str, command.points))
        raise TournamentError(TournamentCode.RESULTS_CONTRADICT, text=command.result, known=shown)
    entrant = state.entrant_of(identity)
    by = entrant.number if entrant is not None and entrant.number in (pairing.first, pairing.second) else None
    draft.append(GameEnded(command.pairing, command.game, command.result, Cause.ENTERED, command.points, by))


def _winner(first: int, second: int) -> Result:
    return Result.WON if first > second else Result.LOST if second > first else Result.DRAWN


def _check_start(at: float, now: float) -> None:
    """Raise `TournamentError` (`not-a-start-time`) for a time that has passed or is far away."""
    if not now < at <= now + LATEST_START:
        raise TournamentError(TournamentCode.NOT_A_START_TIME, text=at)


def _check_remark(text: str) -> None:
    if text != text.strip() or not 1 <= len(text) <= LONGEST_REMARK or hides_characters(text):
        raise TournamentError(TournamentCode.NOT_A_REMARK, text=text)
