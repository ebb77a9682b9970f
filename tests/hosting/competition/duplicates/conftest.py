"""Fixtures: a host whose time passes at once, and its duplicate events."""

from collections.abc import AsyncIterator

import pytest

from dicecup.hosting.competition.duplicates import Duplicates
from dicecup.hosting.table_host import TableHost
from tests.hosting.test_outages import opened
from tests.hosting.test_timers import Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def host(database: str, time: Time) -> AsyncIterator[TableHost]:
    async with opened(database, time) as host:
        yield host


@pytest.fixture
async def duplicates(host: TableHost) -> Duplicates:
    found = Duplicates(host)
    await found.tick()
    return found
