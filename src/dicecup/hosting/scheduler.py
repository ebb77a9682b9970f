"""Timers and computers: what changes a table without a command from a person."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from dicecup.core.errors import DicecupError
from dicecup.hosting import computers
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.kernels import Kernels
from dicecup.hosting.loaded_tables import EVICT_AFTER, LoadedTable, TableCache
from dicecup.hosting.outages import OutageMonitor
from dicecup.hosting.pool import Pool
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_changes import TableChanges
from dicecup.table.computers import command_for, next_task, seconds_to_wait
from dicecup.table.errors import TableError
from dicecup.table.handlers import due, hold_clock, wake_at
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

LOG: Final = logging.getLogger(__name__)

RETRY_AFTER: Final = 1.0
"""Seconds after which work that failed is tried again."""
DUE_AT_ONCE: Final = 2
"""Tables found by a sweep whose due events are handled at the same time. Actions at other tables
wait for these, not for all that are due."""


class Scheduler:
    """Runs the timers of loaded tables and lets computers act. `players` are the processes in which
    computers decide, `kernels` what they need for it."""

    def __init__(
        self,
        cache: TableCache,
        changes: TableChanges,
        players: Pool,
        kernels: Kernels,
        tasks: BackgroundTasks,
        clock: Callable[[], float],
        host_key: bytes,
        outages: OutageMonitor,
    ) -> None:
        self._cache = cache
        self._outages = outages
        self._changes = changes
        self._players = players
        self._kernels = kernels
        self._tasks = tasks
        self._clock = clock
        self._host_key = host_key
        self._closed = False

    def close(self) -> None:
        """Stop all timers and computers."""
        self._closed = True
        for loaded in self._cache.tables.values():
            loaded.stop_timer()
            if loaded.computer is not None:
                loaded.computer.cancel()

    def schedule(self, loaded: LoadedTable) -> None:
        """Set the timer for the newest state of a table, and start its computer if it is to act."""
        if loaded.state is None or self._closed or self._cache.tables.get(loaded.table) is not loaded:
            return
        if loaded.changed is not None:
            loaded.changed.set()
        self._set_timer(loaded, wake_at(loaded.state))
        if self._is_held(loaded.state):
            self._tasks.spawn(self.run_due(loaded.table))
        if next_task(loaded.state) is not None and (loaded.computer is None or loaded.computer.done()):
            loaded.computer = self._tasks.spawn(self._run_computer(loaded))

    def _is_held(self, state: TableState) -> bool:
        """Return whether the table still has to get the time of an outage back."""
        gaps = self._outages.since(state.time)
        return bool(gaps and hold_clock(state, max(self._clock(), state.time), gaps).events)

    async def run_due(self, table: str) -> None:
        """Save and publish the events of a table that are due. Of several workers one
        saves them."""
        loaded = self._cache.get(table)
        try:
            await self._changes.change(loaded, self._due)
        except StoreError:
            pass
        except (HostingError, TableError) as error:
            if error.code is not HostingCode.NO_SUCH_TABLE:
                LOG.error("due events of table %s failed: %s", table, error)  # noqa: TRY400 the code says what is wrong
            return
        if loaded.timer is None and loaded.state is not None:
            self._set_timer(loaded, wake_at(loaded.state), least=RETRY_AFTER)

    async def run_all_due(self, tables: Iterable[str]) -> None:
        """Save and publish the events of tables that are due, a few tables at a time."""
        places = asyncio.Semaphore(DUE_AT_ONCE)

        async def run(table: str) -> None:
            async with places:
                await self.run_due(table)

        await asyncio.gather(*(self._tasks.spawn(run(table)) for table in tables), return_exceptions=True)

    def _due(self, state: TableState, now: float) -> Transition:
        return due(state, now, secret_of(self._host_key, state), earlier=earlier_secrets(self._host_key, state))

    def _set_timer(self, loaded: LoadedTable, wake: float | None, least: float = 0.0) -> None:
        """Set the timer of a table to a time, after at least `least` seconds."""
        if wake is None or self._closed:
            loaded.stop_timer()
            return
        loop = asyncio.get_running_loop()
        delay = min(max(wake - self._clock(), least), EVICT_AFTER)
        at = loop.time() + delay
        if loaded.timer is not None and loaded.timer_at <= at:
            return  # the earlier timer will set the next one
        loaded.stop_timer()
        loaded.timer, loaded.timer_at = loop.call_later(delay, self._wake, loaded), at

    def _wake(self, loaded: LoadedTable) -> None:
        """Handle the timer of a table: run what is due, or set the timer again if it came early."""
        loaded.timer = None
        if loaded.state is None:  # evicted: the next sweep finds it in the database when it is due
            return
        wake = wake_at(loaded.state)
        if wake is not None and wake > self._clock():
            self._set_timer(loaded, wake)
        else:
            self._tasks.spawn(self.run_due(loaded.table))

    async def _run_computer(self, loaded: LoadedTable) -> None:
        """Let the computers of a table act until the table waits for a person."""
        while not self._closed and (state := loaded.state) is not None and (task := next_task(state)) is not None:
            if wait := seconds_to_wait(state, self._clock()):
                await _changed_within(loaded, wait)
                continue
            if task.asks_player and await self._kernels.ready(state.rules.name, task.level):
                continue  # the table may have changed meanwhile
            seed = computers.seed_for(self._host_key, state)
            answer = None
            try:
                if task.asks_player:
                    answer = await self._players.run(computers.choose, state.rules.id, str(state.position), task.level, seed)
                command = command_for(state, task, answer)
                if command is None:
                    return
                handler = computers.handler(task.seat, command, self._host_key)
                await self._changes.change(loaded, handler, version=state.number)
            except (HostingError, TableError, StoreError) as error:
                if error.code is HostingCode.NO_SUCH_TABLE:
                    return
                if error.code is not HostingCode.STALE_VERSION:
                    await asyncio.sleep(RETRY_AFTER)
            except DicecupError:
                if loaded.state is state:
                    raise


async def _changed_within(loaded: LoadedTable, seconds: float) -> None:
    """Wait for a new state of a table, at most `seconds`: a person takes the action back or
    lets the computer throw."""
    loaded.changed = asyncio.Event()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await loaded.changed.wait()
    loaded.changed = None
