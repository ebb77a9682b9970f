"""Lists of the database in the memory of a worker."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from dicecup.hosting.refreshed import Refreshed


async def test_a_slow_reading_does_not_bring_old_rows_back() -> None:
    stored: list[int] = []
    answered = asyncio.Event()

    async def read(_store: Any) -> list[int]:
        found = list(stored)
        if not found:
            await answered.wait()
        return found

    rows = Refreshed(cast("Any", SimpleNamespace(engines=SimpleNamespace(revision=lambda: None))), read)
    changes: list[list[int]] = []
    rows.on_change.append(lambda: changes.append(rows.rows))
    async with asyncio.TaskGroup() as group:
        group.create_task(rows.refresh())
        await asyncio.sleep(0)  # it has read, and waits for the answer
        stored.append(1)
        group.create_task(rows.refresh())
        for _ in range(5):
            await asyncio.sleep(0)
        answered.set()
    await rows.refresh()
    assert changes == [[1]]
