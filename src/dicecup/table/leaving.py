"""Handlers of commands around the end: resignations, draws, claims and rematches."""

from collections.abc import Mapping

from dicecup.table import endings
from dicecup.table.commands import Remedy
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import (
    Claimed,
    DrawAnswered,
    DrawOffered,
    EndAgreed,
    LevelSeated,
    NextTable,
    RematchAsked,
    Resigned,
)
from dicecup.table.names import free_name
from dicecup.table.permissions import (
    Actor,
    check,
    claimable_at,
    claimable_seat,
    draw_offer_refusal,
    own_seat,
    rematch_refusal,
    remedies,
    seat_for,
    seats_to_answer_draw,
    seats_to_send,
)
from dicecup.table.seating import check_level
from dicecup.table.transition import Draft


def resign(draft: Draft, actor: Actor, named: int | None) -> None:
    """Give the game up for a seat.

    With three sides or more the game goes on, and the people who remain choose who plays for the
    seat. Else the other sides win. The game is abandoned if there are none, or if it is not known
    yet who starts.
    """
    state = draft.state
    seat = own_seat(state, actor, named)
    draft.append(Resigned(seat))
    if endings.goes_on_without(state, seat):
        return
    winners = endings.sides_without(state, seat) if state.order else ()
    draft.append(endings.ended(state, "resign", winners) if winners else endings.ended(state, "abandoned"))


def replace(draft: Draft, actor: Actor, level: str, named: int | None) -> None:
    """Let a computer play on for the seat that gave up or was taken back.

    Any person who remains chooses its level.
    """
    vacancy = draft.state.vacancy
    if vacancy is None:
        raise TableError(TableCode.NO_SEAT_VACANT)
    seat_for(actor, named, seats_to_send(draft.state, "replace"))
    check_level(draft.state.rules, level)
    name = draft.state.seats[vacancy.seat].name or free_name(level, [held.name for held in draft.state.seats])
    draft.append(LevelSeated(vacancy.seat, level, name))


def agree_to_end(draft: Draft, actor: Actor, named: int | None) -> None:
    """Agree to end the game after a resignation. It ends once all people who remain agree."""
    vacancy = draft.state.vacancy
    if vacancy is None:
        raise TableError(TableCode.NO_SEAT_VACANT)
    asked = seats_to_send(draft.state, "replace")
    seat_for(actor, named, asked)
    agreeing = [seat for seat in asked if seat in actor.seats and named in (None, seat) and seat not in vacancy.agreed]
    if not agreeing:
        raise TableError(TableCode.ALREADY_ASKED)
    for seat in agreeing:
        draft.append(EndAgreed(seat))
    state = draft.state
    assert state.vacancy is not None
    if set(asked) <= state.vacancy.agreed:
        gave_up = state.seats[vacancy.seat].is_taken
        sides = endings.sides_without(state, vacancy.seat) if state.order else None
        draft.append(endings.ended(state, "resign" if gave_up else "abandoned", sides))


# --- Draws ----------------------------------------------------------------------------------------


def offer_draw(draft: Draft, actor: Actor, named: int | None) -> None:
    """Offer a draw. The other seats of the same person agree at once."""
    seat = own_seat(draft.state, actor, named)
    check(draw_offer_refusal(draft.state, seat))
    draft.append(DrawOffered(seat))
    for other in sorted(actor.seats - {seat}):
        draft.append(DrawAnswered(other, accept=True))
    _end_if_agreed(draft)


def answer_draw(draft: Draft, actor: Actor, named: int | None, *, accept: bool) -> None:
    """Answer a draw offer for the named seat, or for all seats of the person.

    One refusal ends the offer.
    """
    seats = [seat for seat in seats_to_answer_draw(draft.state) if seat in actor.seats and named in (None, seat)]
    if not seats:
        raise TableError(TableCode.NO_DRAW_OFFERED)
    for seat in seats if accept else seats[:1]:
        draft.append(DrawAnswered(seat, accept))
    _end_if_agreed(draft)


def _end_if_agreed(draft: Draft) -> None:
    if draft.state.offer is not None and not seats_to_answer_draw(draft.state):
        draft.append(endings.ended(draft.state, "agreed"))


# --- Claims ---------------------------------------------------------------------------------------


def claim(draft: Draft, actor: Actor, remedy: Remedy, level: str, named: int | None, offline: Mapping[int, float]) -> None:
    """Claim a win, a draw or a computer against a pending seat whose person has left or is too
    slow.

    A win goes to the sides that win when that seat resigns.
    """
    state = draft.state
    gone = claimable_seat(claimable_at(state, offline), actor.seats, draft.now)
    if gone is None:
        raise TableError(TableCode.NOT_AWAY)
    seat = own_seat(state, actor, named)
    if remedy not in remedies(state, (seat,), gone):
        raise TableError(TableCode.CLAIM, text=remedy)
    if (remedy is Remedy.COMPUTER) != bool(level):
        raise TableError(TableCode.CLAIM, text=f"{remedy} {level}".strip())
    if remedy is Remedy.COMPUTER:
        check_level(state.rules, level)
    draft.append(Claimed(seat, remedy, gone))
    if remedy is Remedy.COMPUTER:
        draft.append(LevelSeated(gone, level, state.seats[gone].name))
    elif remedy is Remedy.WIN:
        draft.append(endings.ended(state, "abandoned", endings.sides_without(state, gone)))
    else:
        draft.append(endings.ended(state, "abandoned"))


# --- After the game -------------------------------------------------------------------------------


def ask_for_rematch(draft: Draft, actor: Actor, named: int | None) -> None:
    """Ask for a rematch for the named seat, or for all seats of the person.

    The last person's request opens the next table.
    """
    asking = actor.seats if named is None else {named}
    check(rematch_refusal(draft.state, asking))
    for seat in sorted(asking - draft.state.rematch):
        draft.append(RematchAsked(seat))
    if set(draft.state.people) <= draft.state.rematch:
        draft.append(NextTable(endings.next_table_id(draft.secret, draft.now)))
