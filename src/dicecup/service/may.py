"""Who may: which of somebody's seats a command speaks for."""

from collections.abc import Collection

from dicecup.service.errors import ServiceCode, ServiceError
from dicecup.service.story import Story
from dicecup.service.telling import Who


def check_seat(story: Story, who: Who, seat: int | None, *, sitting: bool) -> None:
    """A seat that was named is there, and is theirs. Raises `ServiceError` (`no-such-seat`, `not-your-seat`)."""
    if seat is not None and not 0 <= seat < len(story.seats):
        raise ServiceError(ServiceCode.NO_SUCH_SEAT, text=seat)
    if not sitting and (not who.seats or (seat is not None and seat not in who.seats)):
        raise ServiceError(ServiceCode.NOT_YOUR_SEAT, text=seat)


def seat_for(who: Who, named: int | None, able: Collection[int]) -> int:
    """Which of their seats does it: the one they named, or the first of those that can. Raises `ServiceError`
    (`not-your-turn`)."""
    for seat in able:
        if seat in who.seats and named in (None, seat):
            return seat
    raise ServiceError(ServiceCode.NOT_YOUR_TURN)


def own_seat(story: Story, who: Who, named: int | None) -> int:
    """Which of their seats speaks: the one they named, the one the game waits for, or their first."""
    if named is not None:
        return named
    return next((seat for seat in story.demand.seats if seat in who.seats), min(who.seats))
