"""The result of handling a command, and the draft in which handlers build it."""

from collections.abc import Sequence
from typing import NamedTuple

from dicecup.core.source import DiceSource, throw_text
from dicecup.record import Journal
from dicecup.table import fairness
from dicecup.table.duplicate import RowSource
from dicecup.table.events import DieThrown, Event, Stored, Thrown
from dicecup.table.state import TableState


class Transition(NamedTuple):
    """The events that a command or the passing of time made, and the state after the last of them.

    Without events `state` is the state before.
    """

    events: tuple[Event, ...]
    state: TableState


class Draft:
    """A transition that handlers build event by event.

    Every event is applied at once, so a handler always reads the state after the last event. `now`
    is the time of all events in seconds since 1970. `dice` throws the dice of the table. `None`:
    they follow from `secret`. `earlier` holds the secrets of ended commitments that are known here.
    """

    def __init__(
        self, state: TableState, now: float, secret: bytes, dice: DiceSource | None = None, earlier: Sequence[bytes] = ()
    ) -> None:
        self.state = state
        self.now = now
        self.secret = secret
        self._earlier = earlier
        self._dice = dice
        self._events: list[Event] = []

    def append(self, event: Event, journal: Journal | None = None) -> None:
        """Apply an event to the state and add it to the transition. `journal`: as for
        `TableState.apply`."""
        self.state = self.state.apply(Stored(self.state.number + 1, self.now, event), journal)
        self._events.append(event)

    def throw_dice(self) -> None:
        """Append the table's next throw. The kept dice stay."""
        turn = self.state.position.turn
        assert turn is not None
        thrown = self._source.throw(turn.kept)
        assert thrown is not None
        self.append(Thrown(throw_text(thrown), self.state.counter))

    def next_starting_die(self) -> DieThrown:
        """Return the table's next die of the starting roll."""
        return DieThrown(self._source.die(), self.state.counter)

    def known_secret(self, commitment: str) -> str:
        """Return the secret of a commitment in hex, empty if it is not known here."""
        known = (secret for secret in (self.secret, *self._earlier) if fairness.commitment(secret) == commitment)
        return next(known, b"").hex()

    @property
    def _source(self) -> DiceSource:
        if self._dice is not None:
            return self._dice
        state = self.state
        if state.setup.duplicate is not None:
            return RowSource(self.secret, state.rules, *state.next_throw)
        return fairness.CommittedSource(self.secret, state.rules.id, state.seeds, thrown=state.counter)

    def finish(self) -> Transition:
        """Return the events so far and the state after them."""
        return Transition(tuple(self._events), self.state)
