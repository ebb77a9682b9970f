"""Checked replay of an event log from another database."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import starmap
from typing import Final

from dicecup.core.errors import DicecupError
from dicecup.core.source import DiceSource, throw_text
from dicecup.record import OTHER_ENDS
from dicecup.table import endings, fairness
from dicecup.table.duplicate import RowSource
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import (
    Acted,
    AdmissionSet,
    Claimed,
    ClockHeld,
    CommitmentBegun,
    CommitmentEnded,
    Created,
    DieThrown,
    DrawAnswered,
    DrawOffered,
    EndAgreed,
    Ended,
    Event,
    LevelSeated,
    LinksRotated,
    LotCast,
    NextTable,
    RematchAsked,
    Renamed,
    Resigned,
    Seated,
    SeatFreed,
    SecretPublished,
    SeedCommitted,
    SeedRevealed,
    Started,
    StoodUp,
    Stored,
    TakenBack,
    Thrown,
    TimeUp,
)
from dicecup.table.handover import checked_journal
from dicecup.table.names import is_stored_name
from dicecup.table.permissions import LONGEST_HOLD, can_be_held, free_taken_seat_refusal, texts_refusal
from dicecup.table.sections import PlayedOnDevice
from dicecup.table.state import TableState
from dicecup.table.talk import Reacted, TalkEvent, TextsAllowed, Wrote, is_stored_text

_HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)
_SALT: Final = re.compile("(?:[0-9a-f]{32})?", re.ASCII)
_TABLE: Final = re.compile("[!-~]{1,64}", re.ASCII)


def is_table_id(text: str) -> bool:
    """Return whether a text can be the id of a table."""
    return _TABLE.fullmatch(text) is not None


def replay(events: Sequence[Stored], secrets: Iterable[bytes] = ()) -> TableState:
    """Return the state after all events of a log.

    Dice are recomputed where their secret is known: published in the log, or one of `secrets`.
    Raises `TableError` (`not-an-event`) at the first event that cannot follow, `FairnessError`
    (`throw-mismatch`, `start-mismatch`) for other dice than those of the secret, and what the rules
    of the game raise.
    """
    known = {fairness.commitment(secret): secret for secret in (*secrets, *_published(events))}
    state: TableState | None = None
    for stored in events:
        if state is None:
            state = TableState.from_events([stored])
            _check(isinstance(stored.event, Created) and _is_created(stored), stored)
            continue
        _check(stored.time >= state.time and _can_follow(state, stored.event) and _is_clock_hold(state, stored), stored)
        if isinstance(stored.event, LotCast | DieThrown | Thrown) and stored.event.seat is None:
            _check_dice(state, stored.event, known.get(state.commitment.hash))
        state = state.apply(stored)
    if state is None:
        raise TableError(TableCode.NOT_AN_EVENT, text="created", why="missing")
    return state


def _check(right: bool, stored: Stored) -> None:
    if not right:
        raise TableError(TableCode.NOT_AN_EVENT, text=f"{stored.number} {stored.event.type}", why="order")


def _published(events: Iterable[Stored]) -> Iterator[bytes]:
    """Yield the secrets that a log publishes."""
    for stored in events:
        if isinstance(stored.event, SecretPublished):
            with suppress(DicecupError):
                yield from map(fairness.secret_from_text, (stored.event.secret, *filter(None, stored.event.earlier)))


def _check_dice(state: TableState, event: LotCast | DieThrown | Thrown, secret: bytes | None) -> None:
    """Raise `FairnessError` unless dice of the server follow from the secret, if it is known."""
    if secret is None:
        return
    turn = state.position.turn
    code = fairness.FairnessCode.START_MISMATCH
    match event:
        case LotCast(face):
            shown, expected = str(face), str(fairness.die(secret, f"{state.rules.id} lot", state.seeds, 0))
        case DieThrown(face):
            shown, expected = str(face), str(_source(state, secret).die())
        case Thrown(shown) if turn is not None and turn.waiting:
            code = fairness.FairnessCode.THROW_MISMATCH
            thrown = _source(state, secret).throw(turn.kept)
            expected = "" if thrown is None else throw_text(thrown)
        case _:
            return  # the rules of the game refuse the throw
    if shown != expected:
        place = dict(zip(("turn", "throw"), state.next_throw, strict=True))
        raise fairness.FairnessError(code, **place, shown=shown, expected=expected)


def _source(state: TableState, secret: bytes) -> DiceSource:
    """Return the source of the next throw or die of a table."""
    if state.setup.duplicate is not None:
        return RowSource(secret, state.rules, *state.next_throw)
    return fairness.CommittedSource(secret, state.rules.id, state.seeds, thrown=state.counter)


def _is_clock_hold(state: TableState, stored: Stored) -> bool:
    """Return whether `ClockHeld` gives back at most the time since the last event."""
    event = stored.event
    return not isinstance(event, ClockHeld) or 0 < event.seconds <= stored.time - state.time


def _is_created(stored: Stored) -> bool:
    """Return whether the first event is valid. A table with real dice has no commitment."""
    event = stored.event
    assert isinstance(event, Created)
    real = event.setup.dice == "table"
    return bool(stored.number == 1 and _TABLE.fullmatch(event.table)) and (
        event.commitment == "" if real else bool(_HASH.fullmatch(event.commitment))
    )


def _can_follow(state: TableState, event: Event) -> bool:
    """Return whether this event can come next."""
    named = [getattr(event, name, None) for name in ("seat", "against")]
    if any(seat is not None and not 0 <= seat < len(state.seats) for seat in named):
        return False
    if isinstance(event, LinksRotated):
        return True
    if isinstance(event, Renamed):
        return state.seats[event.seat].identity is not None and is_stored_name(event.name)
    if isinstance(event, AdmissionSet):
        return event.admits is not state.admits
    if isinstance(event, TalkEvent):
        return state.seats[event.seat].is_human and _can_be_told(state, event)
    if isinstance(event, SecretPublished | RematchAsked | NextTable):
        return state.end is not None and _can_follow_after_end(state, event)
    if state.end is not None or isinstance(event, ClockHeld):
        return state.end is None
    if state.vacancy is not None and not isinstance(
        event, Ended | EndAgreed | LevelSeated | Seated | CommitmentEnded | CommitmentBegun
    ):
        return False
    if isinstance(event, CommitmentEnded | CommitmentBegun):
        salted = isinstance(event, CommitmentEnded) or bool(_SALT.fullmatch(event.salt))
        return not state.real_dice and state.setup.duplicate is None and salted and bool(_HASH.fullmatch(event.commitment))
    if isinstance(event, Ended):
        return _is_end(state, event)
    if isinstance(event, SeatFreed):
        return free_taken_seat_refusal(state, event.seat) is None
    if isinstance(event, Seated):
        return (not state.started or _is_vacant(state, event.seat)) and _can_sit(state, event)
    if isinstance(event, StoodUp | SeedCommitted | SeedRevealed | Started):
        return not state.started and _can_follow_before_start(state, event)
    if isinstance(event, LevelSeated):
        free = not state.seats[event.seat].is_taken
        right_seat = _is_vacant(state, event.seat) if state.vacancy is not None else free != state.started
        return right_seat and event.level in state.rules.levels and is_stored_name(event.name)
    return state.started and _can_follow_in_game(state, event)


def _can_be_told(state: TableState, event: TalkEvent) -> bool:
    """Return whether a person can say this now."""
    match event:
        case Reacted(throw=throw, thrower=thrower, dice=dice):
            return (throw, thrower, dice) in state.throws
        case Wrote(text=text):
            return texts_refusal(state) is None and is_stored_text(text)
        case TextsAllowed(allowed=allowed):
            return state.seats[event.seat].texts is not allowed
        case _:
            return True


def _is_vacant(state: TableState, seat: int) -> bool:
    """Return whether this seat gave up or was taken back in the game."""
    return state.vacancy is not None and state.vacancy.seat == seat


def _can_sit(state: TableState, event: Seated) -> bool:
    """Return whether a person can take this seat, which nobody has."""
    names = {held.name.casefold() for held in state.seats}
    free = not state.seats[event.seat].is_taken
    return free and is_stored_name(event.name) and event.name.casefold() not in names


def _can_follow_before_start(state: TableState, event: StoodUp | SeedCommitted | SeedRevealed | Started) -> bool:
    """Return whether an event can follow before the game has started."""
    match event:
        case Started():
            return state.is_ready
        case StoodUp(seat):
            return state.seats[seat].is_human and not state.is_full
        case SeedCommitted(seat, promised):
            return state.seats[seat].is_human and state.seats[seat].hash is None and bool(_HASH.fullmatch(promised))
        case SeedRevealed(seat, seed):
            return state.seats[seat].seed is None and _is_seed(seed, state.seats[seat].hash)


def _is_seed(seed: str, promised: str | None) -> bool:
    try:
        return seed == "" or fairness.seed_commitment(fairness.seed_from_text(seed)) == promised
    except DicecupError:
        return False


def _can_follow_in_game(state: TableState, event: Event) -> bool:
    """Return whether an event can follow in a running game.

    The rules of the game check the rest when the event is applied.
    """
    match event:
        case LotCast(face, seat):
            return not state.order and state.starting is None and face in range(1, 7) and (seat is None) != state.real_dice
        case DieThrown(face, counter, seat):
            return not state.order and state.starting is not None and face in range(1, 7) and _is_throw(state, counter, seat)
        case Thrown(_, counter, seat):
            return bool(state.order) and _is_throw(state, counter, seat)
        case TakenBack(seat):
            return state.last_entry is not None and state.last_entry.seat == seat
        case DrawOffered():
            return bool(state.order) and state.offer is None
        case DrawAnswered():
            return state.offer is not None
        case Acted(seat, action, hold):
            return bool(state.order) and (hold == 0 or _can_be_held(state, seat, action, hold))
        case TimeUp():
            return bool(state.order)
        case EndAgreed(seat):
            return seat in state.pending.seats and state.vacancy is not None and seat not in state.vacancy.agreed
        case Resigned() | Claimed():
            return True
        case PlayedOnDevice(seat):
            return bool(state.order) and state.seats[seat].is_human and bool(checked_journal(state, event))
        case _:
            return False


def _can_be_held(state: TableState, seat: int, action: str, hold: float) -> bool:
    """Return whether a computer can wait `hold` seconds after this action."""
    return 0 < hold <= LONGEST_HOLD and can_be_held(state, seat, state.rules.action(action))


def _is_throw(state: TableState, counter: int | None, seat: int | None) -> bool:
    """Return whether a throw has the next number, or for real dice the seat that entered it."""
    return seat is not None and counter is None if state.real_dice else seat is None and counter == state.counter


def _is_end(state: TableState, event: Ended) -> bool:
    """Return whether the end is that of the rules, or has the current points and whole sides."""
    by_rules = endings.ended_by_rules(state)
    if by_rules is not None:
        return event == by_rules
    if event.end not in OTHER_ENDS or not all(0 <= seat < len(state.seats) for seat in event.winners):
        return False
    sides = sorted({state.side_of(seat) for seat in event.winners}) or None
    return event == endings.ended(state, event.end, sides)


def _can_follow_after_end(state: TableState, event: SecretPublished | RematchAsked | NextTable) -> bool:
    """Return whether an event can follow after the end of the game."""
    match event:
        case SecretPublished(secret, earlier):
            known = [(text, held.hash) for text, held in zip(earlier, state.earlier, strict=False) if text]
            complete = len(earlier) in (0, len(state.earlier))
            return state.secret is None and complete and all(starmap(_is_secret, [(secret, state.commitment.hash), *known]))
        case RematchAsked(seat):
            return state.seats[seat].is_human and state.next is None
        case NextTable(table):
            return state.next is None and bool(_TABLE.fullmatch(table))


def _is_secret(secret: str, promised: str) -> bool:
    try:
        return fairness.commitment(fairness.secret_from_text(secret)) == promised
    except DicecupError:
        return False
