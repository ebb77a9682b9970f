"""Who may: which of somebody's seats a command speaks for."""

from collections.abc import Collection

from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState
from dicecup.table.transition import Who


def check_seat(state: TableState, who: Who, seat: int | None, *, sitting: bool) -> None:
    """A seat that was named is there, and is theirs. Raises `TableError` (`no-such-seat`, `not-your-seat`)."""
    if seat is not None and not 0 <= seat < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=seat)
    if not sitting and (not who.seats or (seat is not None and seat not in who.seats)):
        raise TableError(TableCode.NOT_YOUR_SEAT, text=seat)


def seat_for(who: Who, named: int | None, able: Collection[int]) -> int:
    """Which of their seats does it: the one they named, or the first of those that can. Raises `TableError`
    (`not-your-turn`)."""
    for seat in able:
        if seat in who.seats and named in (None, seat):
            return seat
    raise TableError(TableCode.NOT_YOUR_TURN)


def own_seat(state: TableState, who: Who, named: int | None) -> int:
    """Which of their seats speaks: the one they named, the one the game waits for, or their first."""
    if named is not None:
        return named
    return next((seat for seat in state.pending.seats if seat in who.seats), min(who.seats))
