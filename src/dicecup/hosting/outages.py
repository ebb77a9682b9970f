"""Outages: times at which nobody could reach the server. No clock counts them.

The process did not run, the machine slept, or the database did not answer or could not save.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import SILENCE
from dicecup.hosting.store import Store, heartbeats
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.table.clock import Gap

INTERVAL: Final = 0.5
"""Seconds between two heartbeats. Together with the time that one takes it is well below
`SILENCE`."""
SAVE_AFTER: Final = 5.0
"""Seconds after which a server that shares its database with no other saves a heartbeat. After a
crash an outage begins with the last saved one."""
ANSWER_WITHIN: Final = 5.0
"""Seconds within which the database has to answer a readiness probe."""


class OutageMonitor:
    """Finds outages from proofs that people can reach the tables: this process runs, and the
    database answers it.

    With several workers a proof of any of them counts. `gaps` are all known outages, in order.
    `on_gap` is called with each new one, before a clock is judged. `silence`: the longest time in
    seconds between two proofs that is not an outage.
    """

    def __init__(
        self, store: Store, clock: ServerClock, on_gap: Callable[[Gap], object] = lambda _: None, silence: float = SILENCE
    ) -> None:
        self.gaps: tuple[Gap, ...] = ()
        self._store = store
        self._clock = clock
        self._on_gap = on_gap
        self._silence = silence
        self._beating = asyncio.Lock()
        self._last: float | None = None
        """The last proof."""
        self._saved = 0.0
        """The last heartbeat that this process saved."""

    def database_reached(self) -> None:
        """Note that a write succeeded, which is a proof. After a longer silence only `check` sets
        the next one, which saves the outage."""
        if self._last is not None and self._clock() - self._last <= self._silence:
            self._last = self._clock()

    def since(self, time: float) -> Sequence[Gap]:
        """Return the outages that ended after a time."""
        first = len(self.gaps)
        while first and self.gaps[first - 1].until > time:
            first -= 1
        return self.gaps[first:]

    async def check(self, *, fresh: bool = False) -> None:
        """Find out whether there was an outage just now. Call it before a clock is judged.

        With `fresh` the last proof must be newer than the call: a clock is about to run out, and
        the database may have stopped answering since the last heartbeat. Raises `StoreError`.
        """
        asked = self._clock()
        if fresh or self._last is None or asked - self._last > self._silence:
            await self._beat(asked)

    async def begin(self) -> None:
        """Save the first heartbeat, so that a server whose database cannot be written does not
        start. Raises `StoreError`."""
        await self._beat(self._clock(), save_after=0.0)

    async def heartbeat(self) -> None:
        """Prove that the server can be reached, and log jumps of the system time. Raises
        `StoreError`.

        A server that shares its database with no other needs none within `INTERVAL` seconds of a
        write, because the write is a proof, but saves one every `SAVE_AFTER` seconds.
        """
        self._clock.log_jump()
        now = self._clock()
        proven = self._last is not None and now - self._last < INTERVAL and now - self._saved < SAVE_AFTER
        if self._store.shared or self._store.faults.present or not proven:
            await self._beat(now)

    async def fault(self) -> StoreCode | None:
        """Return the fault for which tables cannot be served now, `None` if they can.

        The database has to answer now, and its last write must have succeeded. The heartbeats write
        every few seconds, and with a fault each of them does, so asking costs no further write.
        """
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await self.check(fresh=True)
        except (StoreError, TimeoutError):
            return min(self._store.faults.present, default=StoreCode.DOWN)
        return min(self._store.faults.present, default=None)

    async def commands_waited(self, since: float) -> None:
        """Save the time since `since` as an outage if it is longer than `silence`: the server made
        its heartbeats, but carried no command out. Raises `StoreError`."""
        if (now := self._clock()) - since > self._silence:
            await heartbeats.save_outage(self._store, (since, now))
        await self.check(fresh=True)

    async def close(self) -> None:
        """Save the last heartbeat if the database answers."""
        with suppress(StoreError):
            await self._beat(self._clock(), save_after=0.0)

    async def _beat(self, asked: float, save_after: float | None = None) -> None:
        """Make the next proof, unless another task has made one since this one was `asked` for.

        Raises `StoreError`.
        """
        async with self._beating:
            if self._last is not None and self._last > asked and save_after is None:
                return
            if save_after is None:
                save_after = INTERVAL if self._store.shared else SAVE_AFTER
            known = self.gaps[-1].until if self.gaps else 0.0
            proof = await heartbeats.beat(
                self._store,
                self._clock,
                self._clock.not_before,
                self._last,
                known,
                silence=self._silence,
                save_after=save_after,
                probe=self._store.faults.refuses_writes,
            )
            self._last = proof.time
            if proof.saved:
                self._saved = proof.time
            for outage in proof.outages:
                self.gaps = (*self.gaps, Gap(*outage))
                self._on_gap(self.gaps[-1])


class LastServed(NamedTuple):
    """The last saved heartbeat of a database, and all outages before it, in order."""

    time: float
    gaps: tuple[Gap, ...]


async def last_served(store: Store, now: float) -> LastServed:
    """Return when a server last proved that people can reach the tables, and the outages before.

    Changes that no server makes happen at this time. So they take nothing from the outage that
    follows, and the clock of the program that makes them does not matter. It is `now` if no server
    has used the database. Raises `StoreError`.
    """
    found = await heartbeats.heartbeat(store)
    return LastServed(now, ()) if found is None else LastServed(found.time, tuple(Gap(*outage) for outage in found.outages))
