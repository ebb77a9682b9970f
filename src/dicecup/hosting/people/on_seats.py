"""Which person sits on a seat of a table."""

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState


def identity_on_seat(state: TableState, seat: int | None) -> str:
    """Return the identity of the person on a seat.

    Raises `TableError` (`no-such-seat`, also for `None`) and `HostingError` (`nobody-sits-there`
    for a free seat or a computer's).
    """
    if seat is None or not 0 <= seat < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text="" if seat is None else seat + 1)
    identity = state.seats[seat].identity
    if identity is None:
        raise HostingError(HostingCode.NOBODY_SITS_THERE, text=seat + 1)
    return identity


def other_on_seat(state: TableState, seat: int | None, identity: str) -> str:
    """Return the identity of another person on a seat. Raises as `identity_on_seat`, and
    `HostingError` (`not-yourself`)."""
    other = identity_on_seat(state, seat)
    if other == identity:
        raise HostingError(HostingCode.NOT_YOURSELF)
    return other
