"""The people who want to be told something, as a process knows them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import Select

from dicecup.hosting.people.recipients import Recipients
from dicecup.hosting.store import Store


class SlowStore:
    """A database of channels. `hold` makes the next reading wait between query and answer."""

    def __init__(self) -> None:
        self.rows: set[str] = set()
        self.hold: asyncio.Event | None = None
        self.held = asyncio.Event()
        self.engines = SimpleNamespace(readers=SimpleNamespace(connect=self.connect))

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Any]:
        yield SimpleNamespace(execute=self.execute)

    async def execute(self, _: Select[Any], values: dict[str, str | None]) -> Any:
        identity = values["identity"]
        found = [row for row in self.rows if identity in (None, row)]
        hold, self.hold = self.hold, None
        if hold is not None:
            self.held.set()
            await hold.wait()
        return SimpleNamespace(scalars=lambda: found)


def nothing(identity: str) -> None:
    pass


async def test_an_older_answer_does_not_replace_a_newer_one() -> None:
    store = SlowStore()
    recipients = Recipients(cast(Store, store), nothing)
    await recipients.begin()
    store.hold = go = asyncio.Event()
    whole = asyncio.create_task(recipients.read(None))
    await store.held.wait()
    store.rows.add("anna")
    changed = asyncio.create_task(recipients.changed("anna"))
    for _ in range(9):
        await asyncio.sleep(0)
    go.set()
    await asyncio.gather(whole, changed)
    assert recipients.among(["anna", "ben"]) == ["anna"]
