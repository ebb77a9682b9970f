"""A story that goes on while the events of one command are collected."""

from typing import NamedTuple

from dicecup.core.source import Throw, throw_text
from dicecup.service import fairness
from dicecup.service.events import Event, Stored, Thrown
from dicecup.service.story import Story


class Who(NamedTuple):
    """Somebody, and which seats are theirs; a computer's command has its seat and no identity."""

    identity: str | None
    seats: frozenset[int]


class Telling:
    """A story that goes on while the events of one command are collected."""

    def __init__(self, story: Story, now: float, secret: bytes) -> None:
        self.story = story
        self.now = now
        self.secret = secret
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        """It happens now."""
        self.story = self.story.after(Stored(self.story.number + 1, self.now, event))
        self.events.append(event)

    def throw(self) -> None:
        """The server's dice fall around those that are kept."""
        story = self.story
        turn = story.position.turn
        assert turn is not None
        shown = fairness.throw(self.secret, story.rules.id, seeds(story), story.counter, turn.kept)
        self.tell(Thrown(throw_text(Throw(shown)), story.counter))


def seeds(story: Story) -> tuple[bytes, ...]:
    """The seats' seeds in seating order, empty where there is none."""
    return tuple(bytes.fromhex(seat.seed or "") for seat in story.seats)
