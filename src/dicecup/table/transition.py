"""The result of handling a command, and the draft in which handlers build it."""

from typing import NamedTuple

from dicecup.core.source import Throw, throw_text
from dicecup.table import fairness
from dicecup.table.events import Event, Stored, Thrown
from dicecup.table.state import TableState


class Transition(NamedTuple):
    """The events that a command or the passing of time made, and the state after the last of them.

    Without events `state` is the state before.
    """

    events: tuple[Event, ...]
    state: TableState


class Draft:
    """A transition that handlers build event by event.

    Every event is applied at once, so a handler always reads the state after the last event. `now` is the time of all events
    in seconds since 1970. The dice follow from `secret`.
    """

    def __init__(self, state: TableState, now: float, secret: bytes) -> None:
        self.state = state
        self.now = now
        self.secret = secret
        self._events: list[Event] = []

    def append(self, event: Event) -> None:
        """Apply an event to the state and add it to the transition."""
        self.state = self.state.apply(Stored(self.state.number + 1, self.now, event))
        self._events.append(event)

    def throw_dice(self) -> None:
        """Append the server's next throw. The kept dice stay."""
        state = self.state
        turn = state.position.turn
        assert turn is not None
        shown = fairness.throw(self.secret, state.rules.id, state.seeds, state.counter, turn.kept)
        self.append(Thrown(throw_text(Throw(shown)), state.counter))

    def finish(self) -> Transition:
        """Return the events so far and the state after them."""
        return Transition(tuple(self._events), self.state)
