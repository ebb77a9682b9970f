"""Publishing: what the subscribers of a table receive, each with the view of its own seats."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from dicecup.hosting.presence import Presence, people_of
from dicecup.hosting.subscribers import PublishedUpdate, Subscriber
from dicecup.table.events import Stored, public
from dicecup.table.state import TableState
from dicecup.table.views import Views


class Publication(NamedTuple):
    """A state, its last events as everyone may see them, the views of all seats, and the updates
    that were made of them, by seats."""

    state: TableState
    events: tuple[dict[str, Any], ...]
    views: Views
    updates: dict[frozenset[int], PublishedUpdate]

    def update_of(self, identity: str | None) -> PublishedUpdate:
        """Return the update for the seats of a person."""
        seats = self.state.seats_of(identity)
        if seats not in self.updates:
            whole, changed = partial(self.views.whole, seats), partial(self.views.changed, seats)
            self.updates[seats] = PublishedUpdate(self.state.number, self.events, whole, changed)
        return self.updates[seats]


class Publisher:
    """Makes updates and puts them into the queues of subscribers."""

    def __init__(self, presence: Presence, clock: Callable[[], float]) -> None:
        self._presence = presence
        self._clock = clock

    def prepare(self, state: TableState, events: Sequence[Stored] = (), before: TableState | None = None) -> Publication:
        """Return the publication of a state. `before` is the state of the last update,
        for deltas."""
        now = self._clock()
        offline = self._presence.offline(state.table, people_of(state), now)
        return Publication(state, tuple(event_json(event) for event in events), Views(state, now, offline, before), {})

    def make_first_message(self, subscribers: Iterable[Subscriber], publication: Publication, actor: str | None) -> None:
        """Make the message that `publish` sends first. The thread that writes to SQLite waits for
        the interpreter meanwhile, so the others are made later."""
        _ = publication.update_of(_in_order(subscribers, actor)[0].identity).text

    def publish(self, subscribers: Iterable[Subscriber], publication: Publication, actor: str | None = None) -> None:
        """Send an update to every subscriber."""
        for subscriber in _in_order(subscribers, actor):
            subscriber.put(publication.update_of(subscriber.identity))

    def snapshot(self, state: TableState, identity: str | None, events: tuple[dict[str, Any], ...] = ()) -> PublishedUpdate:
        """Return an update with the whole view of an identity."""
        make_view = partial(self.prepare(state).views.whole, state.seats_of(identity))
        return PublishedUpdate(state.number, events, make_view, make_view)


def _in_order(subscribers: Iterable[Subscriber], actor: str | None) -> list[Subscriber]:
    """Return subscribers in the order in which they receive an update. The actor, who waits for the
    answer of a command instead, comes last."""
    return sorted(subscribers, key=lambda subscriber: subscriber.identity == actor)


def publish_trouble(subscribers: Iterable[Subscriber], number: int, code: str) -> None:
    """Send the code of the reason for which a table cannot be served now. `number` is its last
    event."""
    for subscriber in subscribers:
        subscriber.put(PublishedUpdate(number, (), dict, dict, code))


def event_json(stored: Stored) -> dict[str, Any]:
    """Return an event as everyone at the table may see it, with its number and time."""
    return {"number": stored.number, "time": stored.time, **public(stored.event)}
