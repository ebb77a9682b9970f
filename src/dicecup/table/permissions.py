"""Which seat a command acts for."""

from collections.abc import Collection
from typing import NamedTuple

from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState


class Actor(NamedTuple):
    """The person or computer that sends a command, with the seats that it holds. A computer has no identity."""

    identity: str | None
    seats: frozenset[int]


def check_seat(state: TableState, actor: Actor, seat: int | None, *, sitting: bool) -> None:
    """Raise `TableError` unless the actor holds the seat that a command names, or any seat if the command names none.

    `sitting`: the command takes a seat, so the seat must only exist. Codes: `no-such-seat`, `not-your-seat`.
    """
    if seat is not None and not 0 <= seat < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=seat)
    if not sitting and (not actor.seats or (seat is not None and seat not in actor.seats)):
        raise TableError(TableCode.NOT_YOUR_SEAT, text=seat)


def seat_for(actor: Actor, named: int | None, able: Collection[int]) -> int:
    """Return the seat that acts: the named one, or the actor's first of those that are `able` to.

    Raises `TableError` (`not-your-turn`) if there is no such seat.
    """
    for seat in able:
        if seat in actor.seats and named in (None, seat):
            return seat
    raise TableError(TableCode.NOT_YOUR_TURN)


def own_seat(state: TableState, actor: Actor, named: int | None) -> int:
    """Return the seat that speaks: the named one, else the actor's first of the pending seats, else the actor's first."""
    if named is not None:
        return named
    return next((seat for seat in state.pending.seats if seat in actor.seats), min(actor.seats))
