"""The result of handling a command, and the draft in which handlers build it."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from dicecup.tournament.events import Event, StoredEvent
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import Field, Pairs

Pairer: TypeAlias = Callable[[Field], Pairs]
"""Function that pairs a Swiss round, as `swiss.pair`."""


class Transition(NamedTuple):
    """The events that a command or the passing of time made, and the state after the last of them.

    Without events `state` is the state before.
    """

    events: tuple[Event, ...]
    state: TournamentState


class Draft:
    """A transition that handlers build event by event.

    Every event is applied at once, so a handler always reads the state after the last event. `now`
    is the time of all events in seconds since 1970.
    """

    def __init__(self, state: TournamentState, now: float, pair: Pairer) -> None:
        self.state = state
        self.now = now
        self.pair = pair
        self._events: list[Event] = []

    def append(self, event: Event) -> None:
        """Apply an event to the state and add it to the transition."""
        self.state = self.state.apply(StoredEvent(self.state.number + 1, self.now, event))
        self._events.append(event)

    def finish(self) -> Transition:
        """Return the events so far and the state after them."""
        return Transition(tuple(self._events), self.state)
