"""Taking seats, and the seeds of those who sit on them."""

import re
from collections.abc import Collection
from typing import Final

from dicecup.players import LEVELS
from dicecup.service import endings, fairness
from dicecup.service.demand import Wanted
from dicecup.service.errors import ServiceCode, ServiceError
from dicecup.service.events import LevelSeated, Seated, SeedCommitted, SeedRevealed, StoodUp
from dicecup.service.may import own_seat
from dicecup.service.outcomes import all_sides
from dicecup.service.seats import check_name, free_name
from dicecup.service.story import Story
from dicecup.service.telling import Telling, Who

_HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)


def _free_seat(story: Story, named: int | None) -> int:
    """Raises `ServiceError` (`game-over`, `table-full`, `seat-taken`, `no-such-seat`)."""
    if story.end is not None:
        raise ServiceError(ServiceCode.GAME_OVER)
    free = [seat for seat, held in enumerate(story.seats) if not held.is_taken]
    if not free:
        raise ServiceError(ServiceCode.TABLE_FULL)
    if named is None:
        return free[0]
    if not 0 <= named < len(story.seats):
        raise ServiceError(ServiceCode.NO_SUCH_SEAT, text=named)
    if named not in free:
        raise ServiceError(ServiceCode.SEAT_TAKEN, text=named)
    return named


def sit(telling: Telling, who: Who, name: str, named: int | None) -> None:
    story = telling.story
    seat = _free_seat(story, named)
    if who.identity is None:
        raise ServiceError(ServiceCode.NOT_YOUR_SEAT, text=seat)
    check_name(name, [held.name for held in story.seats])
    telling.tell(Seated(seat, name, who.identity))


def stand_up(telling: Telling, who: Who, named: int | None) -> None:
    """The last one to leave closes the table."""
    story = telling.story
    if story.end is not None:
        raise ServiceError(ServiceCode.GAME_OVER)
    if story.is_full:
        raise ServiceError(ServiceCode.GAME_RUNNING)
    telling.tell(StoodUp(own_seat(story, who, named)))
    if not telling.story.people:
        telling.tell(endings.otherwise(telling.story, "abandoned", all_sides(story.position)))


def seat_computer(telling: Telling, level: str, free: int | None) -> None:
    story = telling.story
    seat = _free_seat(story, free)
    check_level(level)
    telling.tell(LevelSeated(seat, level, free_name(level, [held.name for held in story.seats])))


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise ServiceError(ServiceCode.NOT_A_LEVEL, text=level, levels=", ".join(LEVELS))


def commit_seed(telling: Telling, who: Who, promised: str, named: int | None) -> None:
    story = telling.story
    able = (
        ()
        if story.started or story.real_dice or story.end
        else [seat for seat in story.people if story.seats[seat].hash is None and story.seats[seat].seed is None]
    )
    seat = _seed_seat(who, named, able)
    if not _HASH.fullmatch(promised):
        raise ServiceError(ServiceCode.NOT_A_COMMITMENT, text=promised)
    telling.tell(SeedCommitted(seat, promised))


def reveal_seed(telling: Telling, who: Who, seed: str, named: int | None) -> None:
    story = telling.story
    able: Collection[int] = story.demand.seats if story.demand.what is Wanted.SEEDS else ()
    if named is None:
        matching = [seat for seat in able if seat in who.seats and _fits(seed, story.seats[seat].hash)]
        able = matching or able
    seat = _seed_seat(who, named, able)
    fairness.check_seed(fairness.seed_from_text(seed), story.seats[seat].hash or "")
    telling.tell(SeedRevealed(seat, seed))


def _fits(seed: str, promised: str | None) -> bool:
    return fairness.seed_commitment(fairness.seed_from_text(seed)) == promised


def _seed_seat(who: Who, named: int | None, able: Collection[int]) -> int:
    """Raises `ServiceError` (`seed-not-due`)."""
    for seat in able:
        if seat in who.seats and named in (None, seat):
            return seat
    raise ServiceError(ServiceCode.SEED_NOT_DUE)
