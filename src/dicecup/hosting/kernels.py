"""The kernels of computer players, which may have to be compiled while the server runs.

Without a native library Numba compiles them once in a checkout (`engine.compiled`). The server
starts without them, and compiles them in processes of its own, those for the first games of a new
player first.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Final

from dicecup.core.game import Rules
from dicecup.engine import compiled
from dicecup.engine.compiled import Step, Steps
from dicecup.hosting.errors import HostingError
from dicecup.hosting.pool import Pool

LOG: Final = logging.getLogger(__name__)

SECONDS: Final = 900.0
"""Time limit of a step."""

Needed = Mapping[str, Mapping[str, tuple[Step, ...]]]
"""Name of a game → level → the steps that compile its kernels (`players.warm.NEEDED`)."""


class Kernels:
    """The steps that are still to be taken, and the levels that wait for them. At first there are
    none."""

    def __init__(self) -> None:
        self._needed: Needed = {}
        self._left: dict[str, asyncio.Event] = {}

    def expect(self, steps: Iterable[Step], needed: Needed) -> None:
        """Note that these steps are still to be taken."""
        self._needed = needed
        self._left = {step.name: asyncio.Event() for step in steps}

    def taken(self, step: Step) -> None:
        """Note that a step needs no more waiting."""
        if (event := self._left.pop(step.name, None)) is not None:
            event.set()

    def preparing(self, rules: type[Rules]) -> tuple[str, ...]:
        """Return the levels of a game whose kernels are not compiled yet, in their order."""
        return tuple(level for level in rules.levels if self._events(rules.name, level))

    async def ready(self, game: str, level: str) -> bool:
        """Wait until the kernels of a level are compiled. Return `False` if they were before."""
        events = self._events(game, level)
        for event in events:
            await event.wait()
        return bool(events)

    async def all_ready(self) -> None:
        """Wait until the kernels of all levels are compiled."""
        await self.all_taken(step for levels in self._needed.values() for needed in levels.values() for step in needed)

    async def all_taken(self, steps: Iterable[Step]) -> None:
        """Wait for all of these steps."""
        for step in steps:
            if (event := self._left.get(step.name)) is not None:
                await event.wait()

    async def compile(self, groups: Steps) -> None:
        """Take steps in processes with low priority.

        Nothing waits for a step that fails: the processes that need its kernels compile them.
        """
        pool = Pool(compiled.processes(), sum(map(len, groups)), seconds=SECONDS, low_priority=True)
        try:
            for group in groups:
                await asyncio.gather(*(self._take(pool, step) for step in group))
        finally:
            for step in [step for group in groups for step in group]:
                self.taken(step)
            await pool.close()

    async def _take(self, pool: Pool, step: Step) -> None:
        try:
            await pool.run(compiled.take, step)
        except HostingError as error:
            LOG.error("kernels of %s: %s", step.name, error)  # noqa: TRY400 the code says what is wrong
        except Exception:
            LOG.exception("kernels of %s", step.name)
        finally:
            self.taken(step)

    def _events(self, game: str, level: str) -> list[asyncio.Event]:
        steps = self._needed.get(game, {}).get(level, ())
        return [self._left[step.name] for step in steps if step.name in self._left]
