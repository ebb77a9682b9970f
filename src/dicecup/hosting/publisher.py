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
    """A state, its last events as everyone may see them, and the views of all seats."""

    state: TableState
    events: tuple[dict[str, Any], ...]
    views: Views


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
        return Publication(state, tuple(event_json(event) for event in events), Views(state, now, offline, before))

    def publish(self, subscribers: Iterable[Subscriber], publication: Publication, actor: str | None = None) -> None:
        """Send an update to every subscriber. The actor, who waits for the answer of a command
        instead, comes last."""
        updates: dict[frozenset[int], PublishedUpdate] = {}
        for subscriber in sorted(subscribers, key=lambda subscriber: subscriber.identity == actor):
            seats = publication.state.seats_of(subscriber.identity)
            if seats not in updates:
                views = publication.views
                updates[seats] = PublishedUpdate(
                    publication.state.number, publication.events, partial(views.whole, seats), partial(views.changed, seats)
                )
            subscriber.put(updates[seats])

    def snapshot(self, state: TableState, identity: str | None, events: tuple[dict[str, Any], ...] = ()) -> PublishedUpdate:
        """Return an update with the whole view of an identity."""
        make_view = partial(self.prepare(state).views.whole, state.seats_of(identity))
        return PublishedUpdate(state.number, events, make_view, make_view)


def publish_trouble(subscribers: Iterable[Subscriber], number: int, code: str) -> None:
    """Send the code of the reason for which a table cannot be served now. `number` is its last
    event."""
    for subscriber in subscribers:
        subscriber.put(PublishedUpdate(number, (), dict, dict, code))


def event_json(stored: Stored) -> dict[str, Any]:
    """Return an event as everyone at the table may see it, with its number and time."""
    return {"number": stored.number, "time": stored.time, **public(stored.event)}
