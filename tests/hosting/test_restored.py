"""A server whose database went back to an earlier time: no throw that was seen is thrown again."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete

from dicecup.client import Client
from dicecup.core.errors import DicecupError
from dicecup.hosting.errors import HostingCode
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.models import EVENTS
from dicecup.hosting.table_host import TableHost
from dicecup.record import read
from dicecup.table.commands import Resign, Throw
from dicecup.table.verify import check
from tests.hosting.guests import alone, play, settings, two
from tests.web.serving import Browser, serving


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[TableHost]:
    host = await TableHost.open(settings(database))
    try:
        yield host
    finally:
        await host.close()


async def forget(database: str, table: str, since: int) -> None:
    """Delete the events of a table after a number, as a restored backup does."""
    store = await Store.open(database_url(database))

    def work(connection: Connection) -> None:
        connection.execute(delete(EVENTS).where(EVENTS.c.table_id == table, EVENTS.c.number > since))

    await store.writer.work(work)
    await store.close()


async def types(host: TableHost, table: str, since: int) -> Sequence[str]:
    return [json.loads(row.body)["type"] for row in await host.store.events(table, since)]


async def thrown(host: TableHost, table: str, since: int = 0) -> list[tuple[int, str]]:
    """Return the numbers and the dice of the throws after an event."""
    bodies = [json.loads(row.body) for row in await host.store.events(table, since)]
    return [(body["counter"], body["dice"]) for body in bodies if body["type"] == "thrown"]


async def test_a_command_for_a_lost_event_begins_a_new_commitment(database: str) -> None:
    async with opened(database) as host:
        table = (await host.create("anna", alone(), name="Anna")).table
        await play(host, table, ["anna"], 30)
        lost = await thrown(host, table, 12)
        seen = (await host.look(table, "anna")).number
    await forget(database, table, 12)
    async with opened(database) as host:
        with pytest.raises(DicecupError) as refused:
            await host.send(table, "anna", Throw(), version=seen, command_id="later")
        assert refused.value.code is HostingCode.STALE_VERSION
        assert refused.value.details["number"] == 14
        assert await types(host, table, 12) == ["commitment-ended", "commitment-begun"]
        await play(host, table, ["anna"], 30)
        again = await thrown(host, table, 12)
        assert [number for number, _ in lost][:3] == [number for number, _ in again][:3]
        assert lost[:5] != again[:5]
        await host.send(table, "anna", Resign(), version=(await host.look(table, "anna")).number, command_id="r")
        report = check(read(await host.record(table, "anna")))
        assert (report.fault, len(report.renewed)) == (None, 1)


async def test_one_claim_between_two_throws_counts_and_strangers_claim_nothing(database: str) -> None:
    async with opened(database) as host:
        made = await host.create("anna", two("yamm"), seats=[(0, "Anna"), (1, "Ben")])
        await play(host, made.table, ["anna"], 9)
        before = (await host.look(made.table, "anna")).number
        for identity, key in (("zoe", made.join), ("zoe", made.watch), (None, made.watch)):
            async with host.subscribe(made.table, identity, key, since=before + 5) as updates:
                assert (await anext(updates)).number == before
        for _ in range(3):
            async with host.subscribe(made.table, "anna", since=before + 100) as updates:
                assert (await anext(updates)).number == before + 2
        assert await types(host, made.table, before) == ["commitment-ended", "commitment-begun"]
        async with host.subscribe(made.table, "anna", since=before + 2) as updates:
            assert (await anext(updates)).number == before + 2


async def test_another_worker_that_is_ahead_is_no_restore(database: str) -> None:
    async with opened(database) as host, opened(database) as other:
        table = (await host.create("anna", alone(), name="Anna")).table
        await other.look(table, "anna")
        other.cache.get(table).verified = True
        await play(host, table, ["anna"], 6)
        number = (await host.look(table, "anna")).number
        async with other.subscribe(table, "anna", since=number) as updates:
            assert (await anext(updates)).number == number
        assert "commitment-ended" not in await types(host, table, 0)


async def test_a_client_that_returns_plays_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Browser(url) as anna:
        made = await anna.make({"game": "yamm(players=1)", "seats": [{}]})
        async with anna.socket(made["table"], {"since": 0}) as socket:
            await socket.receive("update")
            token = (await anna.http.post("/api/tokens")).json()["token"]
    async with serving(tmp_path) as url, Client(url, token=token) as client, client.table(made["table"], since=50) as table:
        update = await anext(aiter(table))
        assert update.view["fairness"]["earlier"] != []
        assert update.number == table.number < 50
