"""Throwing, typing what real dice show, acting, and taking a typing mistake back."""

from collections.abc import Collection

from dicecup.core.errors import DiceCode, DiceError, TextCode, TextError
from dicecup.core.game import Action
from dicecup.core.source import VOID_THROW, Throw, throw_from_text, throw_text
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import Acted, DieThrown, LotCast, TakenBack, Thrown
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import Actor, seat_for
from dicecup.table.state import Entry, TableState
from dicecup.table.transition import Draft
from dicecup.yamm import Correct, Write


def throw(draft: Draft, actor: Actor, named: int | None) -> None:
    state = draft.state
    if state.real_dice:
        raise TableError(TableCode.REAL_DICE)
    seat_for(actor, named, state.pending.seats if state.pending.kind is PendingKind.THROW else ())
    draft.throw_dice()


def enter_dice(draft: Draft, actor: Actor, text: str, named: int | None) -> None:
    state = draft.state
    if not state.real_dice:
        raise TableError(TableCode.NOT_REAL_DICE)
    if not state.order:
        raise TableError(TableCode.NOT_YOUR_TURN)
    able = state.pending.seats
    if state.pending.kind is not PendingKind.DICE:
        able = state.people  # so that the position says why not
    seat = seat_for(actor, named, able)
    fallen = _throw_from_entry(text)
    draft.append(Thrown(VOID_THROW if fallen is None else throw_text(fallen), seat=seat))


def _throw_from_entry(text: str) -> Throw | None:
    """The throw that somebody typed, its faces in any order; None: it was void. Raises `DiceError`."""
    if text == VOID_THROW:
        return None
    if len(text) > 16:
        raise DiceError(DiceCode.TOO_MANY_DICE, text=text)
    left, bar, right = text.partition("|")
    return throw_from_text("".join(sorted(left)) + bar + "".join(sorted(right)))


def enter_die(draft: Draft, actor: Actor, face: int, named: int | None) -> None:
    state = draft.state
    if not state.real_dice:
        raise TableError(TableCode.NOT_REAL_DICE)
    wanted = state.pending.kind
    seat = seat_for(actor, named, state.pending.seats if wanted in (PendingKind.DIE, PendingKind.LOT) else ())
    if face not in range(1, 7):
        raise DiceError(DiceCode.NOT_A_FACE, text=str(face))
    draft.append(LotCast(face, seat) if wanted is PendingKind.LOT else DieThrown(face, seat=seat))


# --- Actions -----------------------------------------------------------------------------------------------------------------


def act(draft: Draft, actor: Actor, text: str, named: int | None) -> None:
    state = draft.state
    if not state.order:
        raise TableError(TableCode.NOT_YOUR_TURN)
    if len(text) > 40:
        raise TextError(TextCode.NOT_AN_ACTION, text=text)
    action = state.rules.action(text)
    seat = _corrector(state, actor, named, action) if isinstance(action, Correct) else _actor(state, actor, named, action)
    before = state.position.number
    draft.append(Acted(seat, str(action)))
    ended = draft.state.position.number != before
    if not state.real_dice and not ended and not isinstance(action, Correct):
        draft.throw_dice()


def _corrector(state: TableState, actor: Actor, named: int | None, action: Correct) -> int:
    """Whoever wrote a result moves it. Raises as `Position.play`, and `TableError` (`not-your-result`)."""
    state.journal.play(action)
    seat = state.writer_of_turn(action.turn)
    if seat not in actor.seats or named not in (None, seat):
        raise TableError(TableCode.NOT_YOUR_RESULT, turn=action.turn, name=state.seats[seat].name)
    return seat


def _actor(state: TableState, actor: Actor, named: int | None, action: Action) -> int:
    """The thrower keeps; whoever writes for a pair ends its turns."""
    thrower = state.seat_of_turn(state.position.number)
    able = state.writer_of_turn(state.position.number) if isinstance(action, Write) else thrower
    return seat_for(actor, named, (able,))


def take_back(draft: Draft, actor: Actor) -> None:
    entry = entry_to_take_back(draft.state, actor.seats, draft.now)
    if entry is None:
        raise TableError(TableCode.NOTHING_TO_TAKE_BACK)
    draft.append(TakenBack(entry.seat, entry.text))


def entry_to_take_back(state: TableState, seats: Collection[int], now: float) -> Entry | None:
    """What one of these seats typed last. Taken back, the clock goes on that ran before, so that it must not have run out since."""
    entry = state.last_entry
    if entry is None or entry.seat not in seats:
        return None
    deadline = entry.clocks.deadline
    return entry if deadline is None or now < deadline else None
