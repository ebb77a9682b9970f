"""Nothing is lost and nothing is shown twice, whatever happens to the servers."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection

from dicecup.hosting.people import channels, outbox
from dicecup.hosting.store import Store
from dicecup.hosting.store.devices import Credential
from dicecup.hosting.store.engines import database_url
from tests.postgres import Postgres
from tests.sweep import in_step
from tests.web.people.dying_server import STEPS
from tests.web.people.receivers import PushService, push_service

TOP = Path(__file__).parents[3]
PEOPLE = 1000


@asynccontextmanager
async def server(database: str, service: PushService, step: str = "-") -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a server that dies at a step, and end it."""
    environment = os.environ | {"SSL_CERT_FILE": str(service.authority), "PYTHONPATH": f"{TOP}:{TOP / 'src'}"}
    command = [sys.executable, "-m", "tests.web.people.dying_server", database, step]
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, cwd=TOP, env=environment)
    assert process.stdin is not None
    try:
        yield process
    finally:
        process.stdin.close()
        await process.wait()


async def invite(database: str, service: PushService, people: int) -> None:
    """Let people be told of an invitation."""
    store = await Store.open(database_url(database))
    for number in range(people):
        browser = service.browser(f"p{number}")
        await channels.add_push(store, Credential(f"p{number}"), browser.endpoint, browser.secrets, "en", 1.0)

    def invited(connection: Connection) -> None:
        for number in range(people):
            outbox.invitation(connection, to=f"p{number}", by="Dora", table="t", game="yamm", path="/", now=1.0)

    await store.writer.work(invited)
    await store.close()


async def all_told(service: PushService) -> None:
    """Wait until every browser was told something."""
    while not all(browser.received for browser in service.browsers.values()):
        service.arrived.clear()
        await service.arrived.wait()


@pytest.mark.slow
@in_step(indirect=["database"], database=["sqlite", "postgresql"], step=STEPS)
async def test_a_server_that_is_killed_between_two_steps_loses_nothing(database: str, tmp_path: Path, step: str) -> None:
    async with push_service(tmp_path) as service:
        await invite(database, service, 1)
        async with server(database, service, step) as dying:
            assert await dying.wait() == -signal.SIGKILL
        async with server(database, service):
            await all_told(service)
        assert [each["title"] for each in service.browsers["/p0"].shown] == ["Dora invites you to a game"]


@pytest.mark.slow
async def test_two_workers_tell_a_thousand_people_once(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.new_database()
    async with push_service(tmp_path) as service:
        await invite(database, service, PEOPLE)
        async with server(database, service), server(database, service):
            await all_told(service)
        assert {len(browser.shown) for browser in service.browsers.values()} == {1}
        assert len(service.browsers) == PEOPLE
