"""The message of the host to everybody, as this process knows it."""

from collections.abc import Callable

from dicecup.hosting.refreshed import Refreshed
from dicecup.hosting.store import Store
from dicecup.hosting.store.announcements import Announcement, announcements_of


class Announcements(Refreshed[Announcement]):
    """The newest messages, of which one at most is shown."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        super().__init__(store, announcements_of)
        self._clock = clock

    @property
    def current(self) -> Announcement | None:
        """Return the message that is shown now."""
        newest = next(iter(self.rows), None)
        return newest if newest is not None and newest.until > self._clock() else None
