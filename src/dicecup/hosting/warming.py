"""What the processes of a server compile and load after its start, so that nobody waits for it
later."""

import asyncio
from collections.abc import Sequence
from typing import Final

from dicecup.analysis.warm import STEPS
from dicecup.engine import compiled
from dicecup.engine.compiled import Step
from dicecup.hosting import pool
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.kernels import Kernels
from dicecup.hosting.pool import Pool
from dicecup.players.warm import NEEDED

DELAY: Final = 5.0
"""Seconds after the start until the processes load. People who come back after a restart are served
first."""


def start(kernels: Kernels, players: Pool, readers: Pool, analyses: Pool, tasks: BackgroundTasks) -> asyncio.Task[None]:
    """Start to compile the kernels that are not compiled yet, and to load in the processes of the
    pools what they will need, computers first."""
    groups = compiled.missing(STEPS)
    steps = [step for group in groups for step in group]
    kernels.expect(steps, NEEDED)
    if groups:
        tasks.run_until_cancelled(kernels.compile(groups))
    return tasks.run_until_cancelled(_load(kernels, players, readers, analyses, steps))


async def _load(kernels: Kernels, players: Pool, readers: Pool, analyses: Pool, steps: Sequence[Step]) -> None:
    """Load what the processes of the pools will need.

    Analyses wait for `steps`, the kernels that are being compiled. Computers wait for those of
    their level (`Scheduler`), in processes that load them at the first decision.
    """
    async with asyncio.TaskGroup() as group:
        if steps:
            group.create_task(analyses.warm(pool.load_analysis, after=kernels.all_taken(steps)))
        await asyncio.sleep(DELAY)
        await kernels.all_ready()
        await players.warm(pool.load_players)
        await readers.warm(pool.load_readers)
        if not steps:
            await analyses.warm(pool.load_analysis)
