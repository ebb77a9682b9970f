"""What the lobby does at tables: a new pair is online at its table, and a table to which a person
did not come is closed."""

from collections.abc import Awaitable, Callable, Iterable, Mapping

from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.loaded_tables import TableCache
from dicecup.hosting.presence import Presence
from dicecup.hosting.table_changes import TableChanges
from dicecup.table import handlers
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


class LobbyTables:
    """The tables of a worker, as the lobby needs them. `read_presence` reads when people were seen
    at tables by other workers."""

    def __init__(
        self,
        cache: TableCache,
        changes: TableChanges,
        presence: Presence,
        clock: Callable[[], float],
        host_key: bytes,
        read_presence: Callable[[Iterable[str]], Awaitable[None]],
    ) -> None:
        self._cache = cache
        self._changes = changes
        self._presence = presence
        self._clock = clock
        self._host_key = host_key
        self._read_presence = read_presence

    def paired(self, table: str, identities: Iterable[str]) -> None:
        """Treat the people of a new table as online there. The worker to which they come loads it;
        its timer is found in the database when it is due."""
        now = self._clock()
        for identity in identities:
            self._presence.seen(table, identity, now)

    async def close(self, table: str) -> None:
        """Abandon a table to which its people did not come. Raises `HostingError` and
        `StoreError`."""
        key = self._host_key

        def close(state: TableState, now: float) -> Transition:
            return handlers.close(state, now, secret_of(key, state), earlier_secrets(key, state))

        await self._changes.change(self._cache.get(table), close)

    async def offline(self, people: Mapping[str, Mapping[int, str]]) -> dict[str, dict[int, float]]:
        """Return by table the seats whose people are offline, each with the time when its person
        was last seen. `people`: by table the identity on each seat. Raises `StoreError`."""
        await self._read_presence(people)
        now = self._clock()
        return {table: self._presence.offline(table, seated, now) for table, seated in people.items()}
