"""How people end a game: resigning, a draw that all agree to, claims against somebody who has left; and the wish to play
again."""

from collections.abc import Collection, Mapping
from typing import Final

from dicecup.table import endings
from dicecup.table.commands import Remedy
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import Claimed, DrawAnswered, DrawOffered, LevelSeated, NextTable, RematchAsked, Resigned
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import Actor, own_seat
from dicecup.table.seating import check_level
from dicecup.table.setup import ClockKind
from dicecup.table.state import TableState
from dicecup.table.transition import Draft

GRACE: Final = 80.0
"""Seconds after which somebody who is not there counts as having left: 20 of silence, 60 of warning."""


def _check_order(state: TableState) -> None:
    if not state.order:
        raise TableError(TableCode.GAME_NOT_BEGUN)


def resign(draft: Draft, actor: Actor, named: int | None) -> None:
    """The others win; where there are none, or nobody knows yet who begins, the game is abandoned."""
    state = draft.state
    seat = own_seat(state, actor, named)
    winners = endings.sides_without(state, seat) if state.order else ()
    draft.append(Resigned(seat))
    draft.append(endings.ended(state, "resign", winners) if winners else endings.ended(state, "abandoned"))


def offer_draw(draft: Draft, actor: Actor, named: int | None) -> None:
    """One offer by each seat in a round. Computers agree to what all people agree to, but somebody else must be asked."""
    state = draft.state
    _check_order(state)
    seat = own_seat(state, actor, named)
    sides = {state.side_of(person) for person in state.people}
    if len(sides) < 2:
        raise TableError(TableCode.NOBODY_TO_ASK)
    last = state.offered[seat]
    if state.offer is not None or (last and state.position.number < last + len(state.seats)):
        raise TableError(TableCode.DRAW_OFFERED)
    draft.append(DrawOffered(seat))
    for other in sorted(actor.seats - {seat}):
        draft.append(DrawAnswered(other, accept=True))
    _agree(draft)


def answer_draw(draft: Draft, actor: Actor, named: int | None, *, accept: bool) -> None:
    offer = draft.state.offer
    able = () if offer is None else sorted(actor.seats - offer.agreed)
    seats = able if named is None else [named] if named in able else []
    if not seats:
        raise TableError(TableCode.NO_DRAW_OFFERED)
    for seat in seats if accept else seats[:1]:
        draft.append(DrawAnswered(seat, accept))
    _agree(draft)


def _agree(draft: Draft) -> None:
    """All people have agreed: drawn."""
    state = draft.state
    if state.offer is not None and set(state.people) <= state.offer.agreed:
        draft.append(endings.ended(state, "agreed"))


def claim(draft: Draft, actor: Actor, what: Remedy, level: str, named: int | None, away: Mapping[int, float]) -> None:
    """Somebody for whom the game waits has left. The win goes to who would have it if they resigned; partners cannot claim
    it."""
    state = draft.state
    seat = own_seat(state, actor, named)
    gone = claimable_seat(state, away, draft.now)
    if gone is None or gone in actor.seats:
        raise TableError(TableCode.NOT_AWAY)
    if what not in remedies(state, (seat,), gone):
        raise TableError(TableCode.CLAIM, text=what)
    if (what is Remedy.COMPUTER) != bool(level):
        raise TableError(TableCode.CLAIM, text=f"{what} {level}".strip())
    if what is Remedy.COMPUTER:
        check_level(level)
    draft.append(Claimed(seat, what, gone))
    if what is Remedy.COMPUTER:
        draft.append(LevelSeated(gone, level, state.seats[gone].name))
    elif what is Remedy.WIN:
        draft.append(endings.ended(state, "abandoned", endings.sides_without(state, gone)))
    else:
        draft.append(endings.ended(state, "abandoned"))


def claimable_at(state: TableState, away: Mapping[int, float]) -> tuple[int, float] | None:
    """Whom the game waits for although they are not there, and from when on the others may claim; None: nobody. In games with
    days for a turn nobody has to be there."""
    seat, since = state.clocks.seat, state.clocks.since
    if state.pending.kind is PendingKind.DIE and len(state.pending.seats) == 1:  # no clock runs before the game
        seat, since = state.pending.seats[0], state.time
    slow = state.setup.clock is not None and state.setup.clock.kind is ClockKind.DAYS
    if state.end is not None or seat is None or seat not in away or slow or len(state.people) < 2:
        return None
    return seat, max(away[seat], since) + GRACE


def remedies(state: TableState, seats: Collection[int], gone: int) -> list[Remedy]:
    """What these seats may claim. There is no win before it is known who begins, nor for partners."""
    opposed = bool(state.order) and any(state.side_of(seat) != state.side_of(gone) for seat in seats)
    return [what for what in Remedy if what is not Remedy.WIN or opposed]


def claimable_seat(state: TableState, away: Mapping[int, float], now: float) -> int | None:
    """The seat whose game may be claimed now."""
    found = claimable_at(state, away)
    return found[0] if found is not None and now >= found[1] else None


def ask_for_rematch(draft: Draft, actor: Actor, named: int | None) -> None:
    state = draft.state
    if state.end is None:
        raise TableError(TableCode.GAME_NOT_OVER)
    if state.next is not None:
        raise TableError(TableCode.GAME_RUNNING)
    asking = sorted((actor.seats if named is None else {named}) - state.rematch)
    if not asking:
        raise TableError(TableCode.ALREADY_ASKED)
    for seat in asking:
        draft.append(RematchAsked(seat))
    if set(state.people) <= draft.state.rematch:
        draft.append(NextTable(endings.next_table_id(draft.secret)))
