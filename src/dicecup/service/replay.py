"""The story of events that come from elsewhere, an import: each is checked before it is believed."""

import re
from collections.abc import Iterable
from typing import Final

from dicecup.core.errors import DicecupError
from dicecup.players import LEVELS
from dicecup.record import OTHER_ENDS
from dicecup.service import endings, fairness
from dicecup.service.errors import ServiceCode, ServiceError
from dicecup.service.events import (
    Acted,
    Claimed,
    ClockHeld,
    CommitmentBegun,
    CommitmentEnded,
    Created,
    DieThrown,
    DrawAnswered,
    DrawOffered,
    Ended,
    Event,
    LevelSeated,
    LotCast,
    NextTable,
    RematchAsked,
    Resigned,
    Seated,
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
from dicecup.service.outcomes import all_sides
from dicecup.service.seats import is_name
from dicecup.service.story import Story

_HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)
_TABLE: Final = re.compile("[!-~]{1,64}", re.ASCII)


def replay(events: Iterable[Stored]) -> Story:
    """The story of all these events. Raises `ServiceError` (`not-an-event`) at the first that cannot have followed, and what
    the rules refuse. That dice are those of the secret is for `verify` to say."""
    story: Story | None = None
    for stored in events:
        if story is None:
            story = Story.of([stored])
            _check(isinstance(stored.event, Created) and _is_created(stored), stored)
            continue
        _check(stored.time >= story.time and _can_follow(story, stored.event) and _fits(story, stored), stored)
        story = story.after(stored)
    if story is None:
        raise ServiceError(ServiceCode.NOT_AN_EVENT, text="created", why="missing")
    return story


def _check(right: bool, stored: Stored) -> None:
    if not right:
        raise ServiceError(ServiceCode.NOT_AN_EVENT, text=f"{stored.number} {stored.event.type}", why="order")


def _fits(story: Story, stored: Stored) -> bool:
    """A clock is held for time that has passed since the last event, while it ran."""
    event = stored.event
    runs = story.clocks.deadline is not None
    return not isinstance(event, ClockHeld) or (runs and 0 < event.seconds <= stored.time - story.time)


def _is_created(stored: Stored) -> bool:
    event = stored.event
    assert isinstance(event, Created)
    real = event.setup.dice == "table"
    return bool(stored.number == 1 and _TABLE.fullmatch(event.table)) and (
        event.commitment == "" if real else bool(_HASH.fullmatch(event.commitment))
    )


def _can_follow(story: Story, event: Event) -> bool:
    """Whether this event can come next."""
    named = [getattr(event, name, None) for name in ("seat", "against")]
    if any(seat is not None and not 0 <= seat < len(story.seats) for seat in named):
        return False
    if isinstance(event, SecretPublished | RematchAsked | NextTable):
        return story.end is not None and _after_the_end(story, event)
    if story.end is not None:
        return False
    if isinstance(event, CommitmentEnded | CommitmentBegun):
        return not story.real_dice and bool(_HASH.fullmatch(event.commitment))
    if isinstance(event, Ended):
        return _is_end(story, event)
    if isinstance(event, Seated | StoodUp | SeedCommitted | SeedRevealed | Started):
        return not story.started and _before_the_start(story, event)
    if isinstance(event, LevelSeated):
        free = not story.seats[event.seat].is_taken
        return free != story.started and event.level in LEVELS and is_name(event.name)
    return story.started and _in_the_game(story, event)


def _before_the_start(story: Story, event: Seated | StoodUp | SeedCommitted | SeedRevealed | Started) -> bool:
    match event:
        case Started():
            return story.is_ready
        case Seated(seat, name):
            names = {held.name.casefold() for held in story.seats}
            return not story.seats[seat].is_taken and is_name(name) and name.casefold() not in names
        case StoodUp(seat):
            return story.seats[seat].is_human and not story.is_full
        case SeedCommitted(seat, promised):
            return story.seats[seat].is_human and story.seats[seat].hash is None and bool(_HASH.fullmatch(promised))
        case SeedRevealed(seat, seed):
            return story.seats[seat].seed is None and _is_seed(seed, story.seats[seat].hash)


def _is_seed(seed: str, promised: str | None) -> bool:
    try:
        return seed == "" or fairness.seed_commitment(fairness.seed_from_text(seed)) == promised
    except DicecupError:
        return False


def _in_the_game(story: Story, event: Event) -> bool:
    match event:
        case LotCast(face, seat):
            return not story.order and story.starting is None and face in range(1, 7) and (seat is None) != story.real_dice
        case DieThrown(face, counter, seat):
            return not story.order and story.starting is not None and face in range(1, 7) and _is_throw(story, counter, seat)
        case Thrown(_, counter, seat):
            return bool(story.order) and _is_throw(story, counter, seat)
        case TakenBack(seat):
            return story.last_entry is not None and story.last_entry.seat == seat
        case DrawOffered():
            return bool(story.order) and story.offer is None
        case DrawAnswered():
            return story.offer is not None
        case Acted() | TimeUp():
            return bool(story.order)
        case Resigned() | Claimed() | ClockHeld():
            return True
        case _:
            return False


def _is_throw(story: Story, counter: int | None, seat: int | None) -> bool:
    """The server's throws are numbered without gaps; real dice were typed by somebody."""
    return seat is not None and counter is None if story.real_dice else seat is None and counter == story.counter


def _is_end(story: Story, event: Ended) -> bool:
    """The end is the one that the rules bring, or says the points as they stand and names seats that play together."""
    by_rules = endings.by_the_rules(story)
    if by_rules is not None:
        return event == by_rules
    if event.end not in OTHER_ENDS or not all(0 <= seat < len(story.seats) for seat in event.winners):
        return False
    sides = sorted({story.side_of(seat) for seat in event.winners}) or all_sides(story.position)
    return event == endings.otherwise(story, event.end, sides)


def _after_the_end(story: Story, event: SecretPublished | RematchAsked | NextTable) -> bool:
    match event:
        case SecretPublished(secret):
            return story.secret is None and _is_secret(secret, story.commitment.hash)
        case RematchAsked(seat):
            return story.seats[seat].is_human and story.next is None
        case NextTable(table):
            return story.next is None and bool(_TABLE.fullmatch(table))


def _is_secret(secret: str, promised: str) -> bool:
    try:
        return fairness.commitment(fairness.secret_from_text(secret)) == promised
    except DicecupError:
        return False
