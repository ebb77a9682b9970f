"""Clients during database outages and with a full disk: they are notified and play on
afterwards."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicecup.client import Client
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import Settings
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import command_to_json
from tests.hosting.guests import wanted
from tests.hosting.test_faults import set_pages
from tests.postgres import Postgres, running
from tests.web.serving import AGAINST_COMPUTER, SEED_HASH, Browser, Json, Socket, serving
from tests.web.test_faults import GAMES, Player, events_of, numbers

ALONE: Json = {"game": "yamm(players=1)", "seats": [{}]}
COMMIT = {"type": "commit-seed", "hash": SEED_HASH}


@pytest.fixture(scope="module")
def private() -> Iterator[Postgres]:
    """Run a server that only these tests use and may stop."""
    with running() as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_connection_survives_a_database_outage(private: Postgres, mode: str) -> None:
    async with serving(private.new_database()) as url, Browser(url) as anna, asyncio.timeout(120):
        made = await anna.make(AGAINST_COMPUTER)
        async with anna.socket(made["table"], {"since": 0}) as socket:
            await socket.receive("update")
            await asyncio.to_thread(private.stop, mode)
            try:
                update = await socket.receive("update")
                assert (update["trouble"], update["view"], update["events"]) == ("storage-down", None, [])
                refused = await socket.do(COMMIT, 3, "c")
                assert (refused["type"], refused["error"]["code"]) == ("refused", "storage-down")
                health = await anna.http.get("/health")
                assert (health.status_code, health.json()["status"]) == (503, "storage-down")
                another = await anna.http.post("/api/tables", json={"setup": AGAINST_COMPUTER, "name": "Anna"})
                assert (another.status_code, another.json()["error"]["code"]) == (503, "storage-down")
            finally:
                await asyncio.to_thread(private.start)
            back = await socket.receive("update")
            assert (back["trouble"], back["number"], back["events"]) == ("", 3, [])
            done = await socket.do(COMMIT, 3, "c")
            assert done == {"type": "done", "id": "c", "number": 4}
            assert await socket.do(COMMIT, 3, "c") == done
            await socket.up_to(4)
            assert [event["number"] for event in socket.events] == [1, 2, 3, 4]
        assert (await anna.http.get("/health")).status_code == 200


@pytest.mark.slow
async def test_restarts_of_postgresql_lose_and_repeat_nothing(private: Postgres) -> None:
    async with serving(private.new_database()) as url, Client(url) as client, Browser(url) as browser, asyncio.timeout(300):
        made = [await client.create(GAMES[at % 2], name="Anna") for at in range(4)]
        tables = [client.table(each.table, since=0) for each in made]
        players = [Player(table, at) for at, table in enumerate(tables)]
        for table in tables:
            await table.__aenter__()
        playing = [asyncio.create_task(player.play()) for player in players]
        for mode in ("immediate", "fast"):
            before = sum(len(player.events) for player in players)
            while sum(len(player.events) for player in players) < before + 60:  # noqa: ASYNC110 several players' events
                await asyncio.sleep(0.01)
            assert not all(each.done() for each in playing)
            await asyncio.to_thread(private.stop, mode)
            assert (await browser.http.get("/health")).status_code == 503
            await asyncio.to_thread(private.start)
        await asyncio.gather(*playing)
        for table, player, each in zip(tables, players, made, strict=True):
            await table.__aexit__(None, None, None)
            assert player.view["result"] is not None
            assert numbers(player.events) == list(range(1, len(player.events) + 1))
            assert await events_of(client, each.table) == player.events


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> list[TableHost]:
    """Return a list to which every newly opened host is added."""
    opened: list[TableHost] = []
    whole = TableHost.open

    async def noted(settings: Settings, *clock: ServerClock | None) -> TableHost:
        opened.append(await whole(settings, *clock))
        return opened[-1]

    monkeypatch.setattr(TableHost, "open", noted)
    return opened


@pytest.mark.slow
async def test_play_goes_on_after_a_full_disk(tmp_path: Path, hosts: list[TableHost]) -> None:
    async with serving(tmp_path) as url, Browser(url) as anna, Client(url) as client, asyncio.timeout(120):
        made = await anna.make(ALONE)
        played = await client.create(GAMES[1], name="Anna")
        async with client.table(played.table, since=0) as table, anna.socket(made["table"], {"since": 0}) as socket:
            player = Player(table, 3)
            playing = asyncio.create_task(player.play())
            await socket.receive("update")
            await set_pages(hosts[0], 0)
            tables = 1 + await fill(anna)
            command, code = await play_until_refused(socket)
            assert code == "storage-full"
            number = socket.updates[-1]["number"]
            assert (await anna.http.get(f"/api/tables/{made['table']}")).json()["number"] == number
            assert len((await anna.http.get("/api/tables")).json()["tables"]) == tables
            assert not playing.done()
            await set_pages(hosts[0], 10_000)
            done = await socket.do(command, number, "once")
            assert done["type"] == "done"
            assert await socket.do(command, number, "once") == done
            await socket.up_to(done["number"])
            assert numbers(socket.events) == list(range(1, done["number"] + 1))
            await playing
        assert player.view["result"] is not None
        assert numbers(player.events) == list(range(1, len(player.events) + 1))
        assert await events_of(client, played.table) == player.events


async def fill(browser: Browser) -> int:
    """Create tables until the disk is full and return their number."""
    for count in range(40):
        answer = await browser.http.post("/api/tables", json={"setup": ALONE, "name": "Anna"})
        if answer.status_code != 201:
            assert (answer.status_code, answer.json()["error"]["code"]) == (507, "storage-full")
            return count
    raise AssertionError("the disk did not fill")


async def play_until_refused(socket: Socket) -> tuple[Json, str]:
    """Play until a command is refused; return the command and the code of the refusal."""
    while True:
        wants = wanted(socket.updates[-1]["view"])
        assert wants is not None, "the game ended"
        command = command_to_json(wants)
        answer = await socket.do(command)
        if answer["type"] == "refused":
            return command, answer["error"]["code"]
        await socket.up_to(answer["number"])
