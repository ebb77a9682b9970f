"""When a card returns: FSRS on whole days.

The schedule follows from the answers alone. Days are counted from 1970 in the time zone of the
person, so that a card which is due tomorrow is due from tomorrow morning on.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from fsrs import Card, Rating, Scheduler

DAY: Final = 86_400
LONGEST: Final = 365
"""The most days until a card returns."""
SCHEDULER: Final = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=LONGEST, enable_fuzzing=False)
"""Without steps of minutes: a day asks each card once. Without chance: the same answers give the
same schedule everywhere."""


class Answered(NamedTuple):
    """The first answer to a card on a day."""

    day: int
    right: bool


def due_day(answers: Iterable[Answered]) -> int | None:
    """Return the day from which on a card is to be asked again, `None` without answers."""
    ordered = sorted(answers)
    if not ordered:
        return None
    card = Card(card_id=0, due=_time(ordered[0].day))
    for answer in ordered:
        card, _ = SCHEDULER.review_card(card, Rating.Good if answer.right else Rating.Again, _time(answer.day))
    return int(card.due.timestamp()) // DAY


def _time(day: int) -> datetime:
    return datetime.fromtimestamp(day * DAY, UTC)
