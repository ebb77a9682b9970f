"""Fixtures: a server that knows who wants to be told something, with a clock that a test moves, and
its notifier."""

from collections.abc import AsyncIterator

import pytest

from dicecup.hosting.people.channels import MAIL, PUSH
from dicecup.hosting.people.mail_limits import MailLimits
from dicecup.hosting.people.notifier import SETTLING, Notifier
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import settings
from tests.hosting.people.telling import Sent
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


@pytest.fixture
def push() -> Sent:
    return Sent()


@pytest.fixture
def mail() -> Sent:
    return Sent()


@pytest.fixture
def notifier(telling_host: TableHost, time: Time, push: Sent, mail: Sent) -> Notifier:
    made = Notifier(telling_host, {PUSH: push, MAIL: mail}, MailLimits(in_all=5, to_address=2))
    time.now += SETTLING
    telling_host.outages._last = time()
    return made
