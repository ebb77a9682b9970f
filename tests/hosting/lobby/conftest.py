"""Two workers with a lobby each."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from dicecup.hosting.lobby import lobby as lobby_module
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import settings
from tests.hosting.lobby.waiting import Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def hosts(database: str, time: Time, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[TableHost]]:
    """Open two workers with one database and one clock. Nothing happens in their lobbies that a
    test does not do."""
    for name in ("TICK", "REFRESH"):
        monkeypatch.setattr(lobby_module, name, 10_000.0)
    async with AsyncExitStack() as stack:
        opened = [await TableHost.open(settings(database, silence=1e6), ServerClock(time, time)) for _ in range(2)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened
