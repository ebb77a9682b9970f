"""Handlers of commands in a game: throwing, entering real dice, acting, and taking an
entry back."""

from typing import Final

from dicecup.core.errors import DiceCode, DiceError, TextCode, TextError
from dicecup.core.game import Action
from dicecup.core.source import VOID_THROW, Throw, throw_from_text, throw_text
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import Acted, DieThrown, LotCast, TakenBack, Thrown
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import (
    LONGEST_HOLD,
    Actor,
    can_be_held,
    entry_to_take_back,
    may_end_wait,
    seat_for,
    seat_of_action,
    seats_to_send,
)
from dicecup.table.state import TableState
from dicecup.table.transition import Draft

LONGEST_DICE: Final = 16
"""Characters of dice that are read."""
LONGEST_ACTION: Final = 40
"""Characters of an action that are read."""


def throw(draft: Draft, actor: Actor, named: int | None) -> None:
    """Throw the server's dice."""
    if draft.state.real_dice:
        raise TableError(TableCode.REAL_DICE)
    if not may_end_wait(draft.state, actor.seats):
        seat_for(actor, named, seats_to_send(draft.state, "throw"))
    draft.throw_dice()


def enter_dice(draft: Draft, actor: Actor, text: str, named: int | None) -> None:
    """Enter what real dice show.

    If no dice are pending, the position refuses them with its own code.
    """
    state = draft.state
    if not state.real_dice:
        raise TableError(TableCode.NOT_REAL_DICE)
    if not state.order:
        raise TableError(TableCode.NOT_YOUR_TURN)
    seat = seat_for(actor, named, seats_to_send(state, "enter-dice") or state.people)
    thrown = _throw_from_entry(text)
    draft.append(Thrown(VOID_THROW if thrown is None else throw_text(thrown), seat=seat))


def _throw_from_entry(text: str) -> Throw | None:
    """Return the throw that a person entered with the faces in any order, `None` for a void one.

    Raises `DiceError`.
    """
    if text == VOID_THROW:
        return None
    if len(text) > LONGEST_DICE:
        raise DiceError(DiceCode.TOO_MANY_DICE, text=text)
    left, bar, right = text.partition("|")
    return throw_from_text("".join(sorted(left)) + bar + "".join(sorted(right)))


def enter_die(draft: Draft, actor: Actor, face: int, named: int | None) -> None:
    """Enter the real die of the lot or of the starting roll."""
    state = draft.state
    if not state.real_dice:
        raise TableError(TableCode.NOT_REAL_DICE)
    seat = seat_for(actor, named, seats_to_send(state, "enter-die"))
    if face not in range(1, 7):
        raise DiceError(DiceCode.NOT_A_FACE, text=str(face))
    draft.append(LotCast(face, seat) if state.pending.kind is PendingKind.LOT else DieThrown(face, seat=seat))


def act(draft: Draft, actor: Actor, text: str, named: int | None, hold: float) -> None:
    """Do an action of the game. After a keep the server's dice are thrown at once.

    A `hold` that has no effect is not stored.
    """
    state = draft.state
    if not state.order:
        raise TableError(TableCode.NOT_YOUR_TURN)
    if len(text) > LONGEST_ACTION:
        raise TextError(TextCode.NOT_AN_ACTION, text=text)
    if not 0 <= hold <= LONGEST_HOLD:
        raise TableError(TableCode.NOT_A_COMMAND, text="hold", why="range")
    action = state.rules.action(text)
    seat = _acting_seat(state, actor, named, action)
    draft.append(Acted(seat, str(action), hold if hold and can_be_held(state, seat, action) else 0.0))
    if not state.real_dice and action.kept is not None:
        draft.throw_dice()


def _acting_seat(state: TableState, actor: Actor, named: int | None, action: Action) -> int:
    """Return the seat that does an action.

    Raises `TableError` (`not-your-turn`, and `not-your-result` for a correction), and for a
    correction what `Position.play` raises.
    """
    if action.corrects is None:
        return seat_for(actor, named, (seat_of_action(state, action),))
    state.journal.play(action)
    seat = seat_of_action(state, action)
    if seat not in actor.seats or named not in (None, seat):
        raise TableError(TableCode.NOT_YOUR_RESULT, turn=action.corrects, name=state.seats[seat].name)
    return seat


def take_back(draft: Draft, actor: Actor) -> None:
    """Take the actor's last entry back."""
    entry = entry_to_take_back(draft.state, actor.seats, draft.now)
    if entry is None:
        raise TableError(TableCode.NOTHING_TO_TAKE_BACK)
    draft.append(TakenBack(entry.seat, entry.text))
