"""The cache of loaded tournaments."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from dicecup.hosting.competition.tournament_store import TournamentStore
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.tournament.state import TournamentState

EVICT_AFTER: Final = 600.0
"""Seconds without use after which a tournament is evicted."""


@dataclass(eq=False, slots=True)
class LoadedTournament:
    """A tournament in the memory of this process.

    - `lock` is held for every change and every read of the state.
    - `state` is `None` before it is loaded, and when it may not be that of the database.
    - `stale`: another worker may have changed it.
    - `view` is the encoded view of the state that everybody sees, once it was asked for.
    - `followers` are set at every new state.
    - `used` is the time of the last use, by the clock of the event loop.
    """

    tournament: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    state: TournamentState | None = None
    stale: bool = False
    view: bytes | None = None
    followers: set[asyncio.Event] = field(default_factory=set)
    used: float = 0.0


class TournamentCache:
    """The loaded tournaments of this process."""

    def __init__(self, store: TournamentStore) -> None:
        self.tournaments: dict[str, LoadedTournament] = {}
        self._store = store

    def get(self, tournament: str) -> LoadedTournament:
        """Return the entry of a tournament, which may not be loaded yet and may not exist."""
        loaded = self.tournaments.get(tournament)
        if loaded is None:
            loaded = self.tournaments[tournament] = LoadedTournament(tournament)
        loaded.used = asyncio.get_running_loop().time()
        return loaded

    async def state_of(self, tournament: str) -> TournamentState:
        """Return the newest known state. Raises as `load`."""
        loaded = self.get(tournament)
        if loaded.state is not None and not loaded.stale:
            return loaded.state
        async with loaded.lock:
            return await self.load(loaded)

    async def load(self, loaded: LoadedTournament) -> TournamentState:
        """Return the newest known state. The caller holds `loaded.lock`.

        Raises `HostingError` (`no-such-tournament`), `TournamentError` for a damaged log, and
        `StoreError`.
        """
        state = loaded.state
        if state is not None and not loaded.stale:
            return state
        loaded.stale = False
        events = await self._store.events(loaded.tournament, 0 if state is None else state.number)
        if state is None:
            if not events:
                self.tournaments.pop(loaded.tournament, None)
                raise HostingError(HostingCode.NO_SUCH_TOURNAMENT)
            state = TournamentState.from_events(events)
        else:
            for stored in events:
                state = state.apply(stored)
        if state is not loaded.state:
            self.publish(loaded, state)
        return state

    def publish(self, loaded: LoadedTournament, state: TournamentState) -> None:
        """Set the new state of a tournament and wake its followers."""
        loaded.state, loaded.view = state, None
        loaded.used = asyncio.get_running_loop().time()
        for changed in loaded.followers:
            changed.set()

    async def refresh(self, loaded: LoadedTournament) -> None:
        """Read a tournament again that another worker may have changed; without followers when it
        is used next. Raises as `load`."""
        loaded.stale = True
        if loaded.followers:
            async with loaded.lock:
                await self.load(loaded)

    def evict_idle(self) -> None:
        """Remove tournaments without recent use that nobody follows."""
        before = asyncio.get_running_loop().time() - EVICT_AFTER
        for loaded in list(self.tournaments.values()):
            if loaded.used < before and not loaded.followers and not loaded.lock.locked():
                del self.tournaments[loaded.tournament]
