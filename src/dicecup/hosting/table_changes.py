"""Changes of tables: a handler makes events, the events are saved, and only then published.

In one process the lock of a table orders its changes. Between processes the numbers of the events
do.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from dicecup.core.errors import DicecupError
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.competition.rated_game import rated_game, row_of
from dicecup.hosting.dice_secrets import with_new_commitment
from dicecup.hosting.digest import digest_key, digest_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import CommandKey, event_of_row, event_rows, first_append, numbered
from dicecup.hosting.invalidations import Invalidations
from dicecup.hosting.loaded_tables import LoadedTable, TableCache
from dicecup.hosting.outages import OutageMonitor
from dicecup.hosting.people.notices import TableNotices
from dicecup.hosting.publisher import Publisher
from dicecup.hosting.rollbacks import RollbackMonitor
from dicecup.hosting.store import Append, AppendConflict, Digest, Store
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.table import fairness
from dicecup.table.consequences import has_own_commitment, is_meant_for
from dicecup.table.events import NextTable, Seated
from dicecup.table.handlers import next_transition, open_next_table, wake_at
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

LOG: Final = logging.getLogger(__name__)

ATTEMPTS: Final = 8
"""Attempts to save a change while other workers change the same table."""
VERIFY_AFTER: Final = 1.0
"""Seconds after a write with an unknown outcome until the table is read again."""

Handler: TypeAlias = Callable[[TableState, float], Transition]
"""Function that handles a command or the passing of time for a state at a time. Raises
`DicecupError`."""


class TableChanges:
    """The changes of the tables in the cache.

    The secrets of all dice follow from `host_key`. `on_next_table` is called with the state of a
    finished table that has a next one.
    """

    def __init__(
        self,
        store: Store,
        cache: TableCache,
        publisher: Publisher,
        outages: OutageMonitor,
        invalidations: Invalidations,
        rollbacks: RollbackMonitor,
        notices: TableNotices,
        tasks: BackgroundTasks,
        clock: Callable[[], float],
        host_key: bytes,
        on_next_table: Callable[[TableState], None],
    ) -> None:
        self._store = store
        self._cache = cache
        self._publisher = publisher
        self._outages = outages
        self._invalidations = invalidations
        self._rollbacks = rollbacks
        self._notices = notices
        self._tasks = tasks
        self._clock = clock
        self._host_key = host_key
        self._on_next_table = on_next_table
        self.on_ended: list[Callable[[TableState], None]] = []
        """Functions that are called with the state of a table whose game has ended."""
        self.on_seated: list[Callable[[TableState], None]] = []
        """Functions that are called with the state of a table at which a person sat down."""
        self._closed = False

    def close(self) -> None:
        """Stop verifying writes with an unknown outcome."""
        self._closed = True

    async def change(
        self,
        loaded: LoadedTable,
        handler: Handler,
        command: CommandKey | None = None,
        version: int | None = None,
        on_saved: Callable[[], None] | None = None,
    ) -> int:
        """Save and publish the events of a handler and return the number of the last one.

        The handler is called again with the newer state if another worker changed the table first.
        `version`: the number of the state that the command was meant for. A command that was saved
        before returns the number of its last event again. `on_saved` is called when new events were
        saved.

        Raises what the handler raises, `HostingError` (`stale-version`, `no-such-table`, `busy`)
        and `StoreError`.
        """
        async with loaded.lock:
            for _ in range(ATTEMPTS):
                losses = await self._rollbacks.check()
                await self._outages.check()
                state = await self._cache.load(loaded)
                now = max(self._clock(), state.time)
                if (wake := wake_at(state)) is not None and wake <= now:
                    await self._outages.check(fresh=True)
                    now = max(self._clock(), now)
                # Sent again, a command with a version is stale. One without would be carried out.
                if version is None and (number := await self._noted_number(loaded, command)) is not None:
                    return number
                try:
                    if version is not None and not is_meant_for(state, version):
                        raise HostingError(HostingCode.STALE_VERSION, version=version, number=state.number)
                    # Outages are saved first, by themselves, so that the handler sees the clocks
                    # without them.
                    transition, holds_clock = next_transition(state, now, self._outages.since(state.time), handler)
                except DicecupError:
                    if (number := await self._saved_number(loaded, command)) is not None:
                        return number
                    raise
                if not transition.events:
                    return state.number
                try:
                    await self._save(loaded, state, transition, now, None if holds_clock else command, losses)
                except AppendConflict:
                    loaded.verified = False
                    if (number := await self._saved_number(loaded, command)) is not None:
                        await self._cache.load(loaded)
                        return number
                except asyncio.CancelledError:  # the client has closed its connection; the write goes on
                    self._verify_later(loaded)
                    raise
                except StoreError as error:
                    if error.code in (StoreCode.DOWN, StoreCode.FAILING, StoreCode.DAMAGED):
                        self._verify_later(loaded)
                    raise
                else:
                    if not holds_clock:
                        if on_saved is not None:
                            on_saved()
                        return transition.state.number
                    version = None if version is None else transition.state.number
        raise HostingError(HostingCode.BUSY)

    async def note_seen(self, loaded: LoadedTable, identity: str | None, number: int) -> bool:
        """Begin a new commitment if a person who sits at the table has seen an event that the log
        does not have: the database was restored from a backup, and dice after it were seen.

        A false claim does no harm: nobody knows the dice of the new commitment. There is at most
        one between two throws. Returns whether a commitment began. Raises as `change`.
        """
        if number <= loaded.number:
            return False
        async with loaded.lock:
            loaded.verified = False  # another worker may have saved the event
            state = await self._cache.load(loaded)
        is_new = loaded.renewed == (state.commitment.hash, state.counter)
        has_dice = has_own_commitment(state)
        if number <= state.number or is_new or not has_dice or not state.seats_of(identity):
            return False
        LOG.warning("table %s went back from event %d to %d: it begins a new commitment", loaded.table, number, state.number)
        await self.change(loaded, partial(with_new_commitment, self._host_key))
        if loaded.state is not None:
            loaded.renewed = (loaded.state.commitment.hash, loaded.state.counter)
        return True

    def _verify_later(self, loaded: LoadedTable) -> None:
        """Mark the cached state as unverified: the write may have succeeded before the connection
        broke."""
        loaded.verified = False
        asyncio.get_running_loop().call_later(VERIFY_AFTER, self._verify, loaded)

    def _verify(self, loaded: LoadedTable) -> None:
        if not self._closed:
            self._tasks.spawn(self._cache.invalidate(loaded))

    async def _saved_number(self, loaded: LoadedTable, command: CommandKey | None) -> int | None:
        """Return the number of the last event of a command, `None` if it was not saved.

        The database is asked only if the loaded table cannot know: otherwise a client that repeats
        a stale command would keep it busy. Other workers may have saved a command whose events are
        not loaded yet.
        """
        if command is None:
            return None
        if loaded.verified and not self._store.shared:
            return await self._noted_number(loaded, command)
        return await self._store.number_of(loaded.table, command.identity, command.id)

    async def _noted_number(self, loaded: LoadedTable, command: CommandKey | None) -> int | None:
        """Return the number of the last event of a command of the loaded table, `None` if it has no
        such command."""
        if command is None or not loaded.may_have_saved(command.identity, command.id):
            return None
        return await self._store.number_of(loaded.table, command.identity, command.id)

    async def _save(
        self,
        loaded: LoadedTable,
        before: TableState,
        transition: Transition,
        now: float,
        command: CommandKey | None,
        losses: int,
    ) -> None:
        """Save the events of a transition and their notices, then publish them. Raises
        `AppendConflict` and `StoreError`.

        `losses`: the result of `RollbackMonitor.check` before the state was loaded.
        """
        after = transition.state
        events = numbered(transition.events, before.number + 1, now)
        digest, key = loaded.digest, digest_key(after)
        rated = None
        if digest is None or key != loaded.digest_key:
            # The first event needs not be read: it may hold a long record.
            rows = () if after.end is None else await self._store.events(loaded.table, 1)
            all_events = (*(event_of_row(row) for row in rows), *events)
            digest = digest_of(after, loaded.creator, all_events)
            rated = None if before.end is not None else rated_game(before, after, all_events)
        actor = None if command is None else command.identity
        notices = self._notices.of(before, after, transition.events, now, actor)
        changed = _changed_digest(loaded.digest, digest)
        appends = [Append(event_rows(loaded.table, events, command), changed, notices, rated and row_of(rated))]
        next_table = None if after.end is None else _next_table(transition)
        if next_table is not None and not await self._store.newest([next_table]):
            opening = open_next_table(after, fairness.secret_of(self._host_key, next_table), now)
            appends.append(first_append(next_table, opening, now, None))
        if losses != self._store.faults.losses:
            raise StoreError(StoreCode.DOWN)
        saved = self._store.append(*appends)
        # The publication is prepared while the database writes.
        publication = self._publisher.prepare(after, events, before) if loaded.subscribers else None
        if publication is not None:
            self._publisher.make_first_message(loaded.subscribers, publication, actor)
        await saved
        self._outages.database_reached()
        loaded.digest, loaded.digest_key = digest, key
        if command is not None:
            loaded.note_saved(command.identity, command.id)
        self._cache.advance(loaded, after, events, publication, actor)
        self._invalidations.announce(loaded.table, after.number, () if _follow_here(loaded) else appends[0].rows)
        if any(isinstance(event, Seated) for event in transition.events):
            for call in self.on_seated:
                call(after)
        if after.end is not None and before.end is None:
            for call in self.on_ended:
                call(after)
        if next_table is not None:
            self._on_next_table(after)


def _follow_here(loaded: LoadedTable) -> bool:
    """Return whether all people at a table follow it at this worker. Then others hardly need its
    events, and read them if they do."""
    return {subscriber.identity for subscriber in loaded.subscribers}.issuperset(loaded.people.values())


def _next_table(transition: Transition) -> str | None:
    """Return the table that a transition opens, if any."""
    return next((event.table for event in transition.events if isinstance(event, NextTable)), None)


def _changed_digest(before: Digest | None, after: Digest) -> Digest | None:
    """Return the digest to write: `None` if it is saved already, and without seats if those are."""
    if before is None:
        return after
    if before == after:
        return None
    return replace(after, seats=None) if before.seats == after.seats else after
