"""How people end a game: resigning, a draw that all agree to, claims against somebody who has left; and the wish to play
again."""

from collections.abc import Collection, Mapping
from typing import Final

from dicecup.service import endings
from dicecup.service.commands import Remedy
from dicecup.service.demand import Wanted
from dicecup.service.errors import ServiceCode, ServiceError
from dicecup.service.events import Claimed, DrawAnswered, DrawOffered, LevelSeated, NextTable, RematchAsked, Resigned
from dicecup.service.may import own_seat
from dicecup.service.outcomes import all_sides, sides_without
from dicecup.service.setup import ClockKind
from dicecup.service.sitting import check_level
from dicecup.service.story import Story
from dicecup.service.telling import Telling, Who

GRACE: Final = 80.0
"""Seconds after which somebody who is not there counts as having left: 20 of silence, 60 of warning."""


def _check_order(story: Story) -> None:
    if not story.order:
        raise ServiceError(ServiceCode.GAME_NOT_BEGUN)


def resign(telling: Telling, who: Who, named: int | None) -> None:
    """The others win; where there are none, or nobody knows yet who begins, the game is abandoned."""
    story = telling.story
    seat = own_seat(story, who, named)
    winners = sides_without(story.position, story.place_of(seat)) if story.order else ()
    telling.tell(Resigned(seat))
    telling.tell(endings.otherwise(story, "resign" if winners else "abandoned", winners or all_sides(story.position)))


def offer_draw(telling: Telling, who: Who, named: int | None) -> None:
    """One offer by each seat in a round. Computers agree to what all people agree to, but somebody else must be asked."""
    story = telling.story
    _check_order(story)
    seat = own_seat(story, who, named)
    sides = {story.side_of(person) for person in story.people}
    if len(sides) < 2:
        raise ServiceError(ServiceCode.NOBODY_TO_ASK)
    last = story.offered[seat]
    if story.offer is not None or (last and story.position.number < last + len(story.seats)):
        raise ServiceError(ServiceCode.DRAW_OFFERED)
    telling.tell(DrawOffered(seat))
    for other in sorted(who.seats - {seat}):
        telling.tell(DrawAnswered(other, accept=True))
    _agree(telling)


def answer_draw(telling: Telling, who: Who, named: int | None, *, accept: bool) -> None:
    offer = telling.story.offer
    able = () if offer is None else sorted(who.seats - offer.agreed)
    seats = able if named is None else [named] if named in able else []
    if not seats:
        raise ServiceError(ServiceCode.NO_DRAW_OFFERED)
    for seat in seats if accept else seats[:1]:
        telling.tell(DrawAnswered(seat, accept))
    _agree(telling)


def _agree(telling: Telling) -> None:
    """All people have agreed: drawn."""
    story = telling.story
    if story.offer is not None and set(story.people) <= story.offer.agreed:
        telling.tell(endings.otherwise(story, "agreed", all_sides(story.position)))


def claim(telling: Telling, who: Who, what: Remedy, level: str, named: int | None, away: Mapping[int, float]) -> None:
    """Somebody for whom the game waits has left. The win goes to who would have it if they resigned; partners cannot claim
    it."""
    story = telling.story
    seat = own_seat(story, who, named)
    gone = claimable_seat(story, away, telling.now)
    if gone is None or gone in who.seats:
        raise ServiceError(ServiceCode.NOT_AWAY)
    if what not in remedies(story, (seat,), gone):
        raise ServiceError(ServiceCode.CLAIM, text=what)
    if (what is Remedy.COMPUTER) != bool(level):
        raise ServiceError(ServiceCode.CLAIM, text=f"{what} {level}".strip())
    if what is Remedy.COMPUTER:
        check_level(level)
    telling.tell(Claimed(seat, what, gone))
    if what is Remedy.COMPUTER:
        telling.tell(LevelSeated(gone, level, story.seats[gone].name))
    elif what is Remedy.WIN:
        telling.tell(endings.otherwise(story, "abandoned", sides_without(story.position, story.place_of(gone))))
    else:
        telling.tell(endings.otherwise(story, "abandoned", all_sides(story.position)))


def claimable_at(story: Story, away: Mapping[int, float]) -> tuple[int, float] | None:
    """Whom the game waits for although they are not there, and from when on the others may claim; None: nobody. In games with
    days for a turn nobody has to be there."""
    seat, since = story.clocks.seat, story.clocks.since
    if story.demand.what is Wanted.DIE and len(story.demand.seats) == 1:  # no clock runs before the game
        seat, since = story.demand.seats[0], story.time
    slow = story.setup.clock is not None and story.setup.clock.kind is ClockKind.DAYS
    if story.end is not None or seat is None or seat not in away or slow or len(story.people) < 2:
        return None
    return seat, max(away[seat], since) + GRACE


def remedies(story: Story, seats: Collection[int], gone: int) -> list[Remedy]:
    """What these seats may claim. There is no win before it is known who begins, nor for partners."""
    opposed = bool(story.order) and any(story.side_of(seat) != story.side_of(gone) for seat in seats)
    return [what for what in Remedy if what is not Remedy.WIN or opposed]


def claimable_seat(story: Story, away: Mapping[int, float], now: float) -> int | None:
    """The seat whose game may be claimed now."""
    found = claimable_at(story, away)
    return found[0] if found is not None and now >= found[1] else None


def ask_for_rematch(telling: Telling, who: Who, named: int | None) -> None:
    story = telling.story
    if story.end is None:
        raise ServiceError(ServiceCode.GAME_NOT_OVER)
    if story.next is not None:
        raise ServiceError(ServiceCode.GAME_RUNNING)
    asking = sorted((who.seats if named is None else {named}) - story.rematch)
    if not asking:
        raise ServiceError(ServiceCode.ALREADY_ASKED)
    for seat in asking:
        telling.tell(RematchAsked(seat))
    if set(story.people) <= telling.story.rematch:
        telling.tell(NextTable(endings.next_table_id(telling.secret)))
