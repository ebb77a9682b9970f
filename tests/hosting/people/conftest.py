"""Fixtures: a server that knows who wants to be told something, with a clock that a test moves."""

from collections.abc import AsyncIterator

import pytest

from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import settings
from tests.hosting.test_timers import Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def telling_host(database: str, time: Time) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(database), time)
    await opened.recipients.begin()
    yield opened
    await opened.close()
