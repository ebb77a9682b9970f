"""A state that goes on while the events of one command are collected."""

from typing import NamedTuple

from dicecup.core.source import Throw, throw_text
from dicecup.table import fairness
from dicecup.table.events import Event, Stored, Thrown
from dicecup.table.state import TableState


class Who(NamedTuple):
    """Somebody, and which seats are theirs; a computer's command has its seat and no identity."""

    identity: str | None
    seats: frozenset[int]


class Transition:
    """A state that goes on while the events of one command are collected."""

    def __init__(self, state: TableState, now: float, secret: bytes) -> None:
        self.state = state
        self.now = now
        self.secret = secret
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        """It happens now."""
        self.state = self.state.after(Stored(self.state.number + 1, self.now, event))
        self.events.append(event)

    def throw(self) -> None:
        """The server's dice fall around those that are kept."""
        state = self.state
        turn = state.position.turn
        assert turn is not None
        shown = fairness.throw(self.secret, state.rules.id, seeds(state), state.counter, turn.kept)
        self.tell(Thrown(throw_text(Throw(shown)), state.counter))


def seeds(state: TableState) -> tuple[bytes, ...]:
    """The seats' seeds in seating order, empty where there is none."""
    return tuple(bytes.fromhex(seat.seed or "") for seat in state.seats)
