"""Large requests and long records: another process reads them, so that no table waits."""

import asyncio
import gc
import time
from typing import Any

import pytest

from dicecup import record
from dicecup.hosting import loaded_tables
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.pool import Pool
from tests.web.serving import Browser, Json

PLAYERS = 16
SEATS: list[Json] = [{} for _ in range(PLAYERS)]
GAME = f"yamm(players={PLAYERS})"


def long_record(turns: int) -> str:
    """Return a record of real dice in which every turn ends with its first throw."""
    from dicecup import games
    from dicecup.record import Journal

    journal = Journal.start(games.from_id(GAME), table=True)
    for turn in range(turns):
        journal = journal.word("11236")
        journal = journal.play(str(next(action for action in journal.position.actions if str(action)[0] == "f")))
        assert journal.turns == turn + 1
    names = "\n".join(f'[P{number} "N{number}"]' for number in range(1, PLAYERS + 1))
    return f'[Game "{GAME}"]\n{names}\n[Dice "table"]\n[Result "*"]\n\n{journal.to_text()}'


START = long_record(PLAYERS * 20)
SETUP: Json = {"game": GAME, "seats": SEATS, "dice": "table", "start": START}


def started(name: str) -> Json:
    """Return a setup with a record that no cache holds."""
    return SETUP | {"start": START.replace("N16", name)}


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the lengths of the records that this process, which serves, has read."""
    lengths: list[int] = []

    before = record.read

    def read(text: str) -> record.Record:
        lengths.append(len(text))
        return before(text)

    monkeypatch.setattr(record, "read", read)
    return lengths


@pytest.mark.slow
async def test_a_long_record_is_never_read_where_tables_are_served(anna: Browser, read_here: list[int]) -> None:
    assert len(START) > 4096
    made = await anna.make(SETUP)
    path = f"/api/tables/{made['table']}"
    seen = (await anna.http.get(path)).json()
    assert [seat["name"] for seat in seen["view"]["seats"][:2]] == ["Anna", ""]
    async with anna.socket(made["table"], {"since": 0}) as socket:
        assert (await socket.receive("update"))["events"][0]["setup"]["start"] == START
    text = (await anna.http.get(f"{path}/record")).text
    assert text.count("\n") > PLAYERS * 20
    checked = await anna.http.post("/api/starts", json={"game": "yamm", "start": START})
    assert checked.json() == {"game": GAME}
    refused = await anna.http.post("/api/tables", json={"setup": SETUP | {"start": START.replace("11236", "11238", 1)}})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "not-a-face")
    refused = await anna.http.post("/api/tables", json={"setup": SETUP, "wrong": "x" * 5000})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "not-a-message")
    reviewed = await anna.http.post("/api/review", json={"record": START})
    assert (reviewed.status_code, reviewed.json()["error"]["code"]) == (409, "game-not-over")
    assert read_here == []


@pytest.mark.slow
async def test_a_long_record_is_read_in_the_turn_of_the_client_that_asks_for_it(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients: list[Client] = []
    run_for = Pool.run_for

    async def noted(self: Pool, client: Client, function: Any, *arguments: Any, **named: Any) -> Any:
        clients.append(client)
        return await run_for(self, client, function, *arguments, **named)

    monkeypatch.setattr(Pool, "run_for", noted)
    made = await anna.make(started("turn"))
    key = {"since": 0, "key": made["watch_key"]}
    async with anna.socket(made["table"], key, **{"X-Forwarded-For": "192.0.2.7"}) as socket:
        await socket.receive("update")
    assert {client.address for client in clients} == {"127.0.0.1", "192.0.2.7"}
    assert clients[-1].address == "192.0.2.7"


@pytest.mark.slow
async def test_an_evicted_table_with_a_long_record_is_loaded_elsewhere(
    anna: Browser, read_here: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = {"game": GAME, "seats": [{}, *({"kind": "level", "level": "random"} for _ in range(PLAYERS - 1))], "dice": "table"}
    made = await anna.make(setup | {"start": started("evicted")["start"]})
    path = f"/api/tables/{made['table']}"
    number = (await anna.http.get(path)).json()["number"]
    loads: list[str] = []
    load = loaded_tables.TableCache.load

    async def forgetting(self: loaded_tables.TableCache, loaded: loaded_tables.LoadedTable) -> object:
        if loaded.state is not None and not loads:
            loaded.state = None
        loads.append(loaded.table)
        return await load(self, loaded)

    monkeypatch.setattr(loaded_tables.TableCache, "load", forgetting)
    assert (await anna.http.get(path)).json()["number"] >= number
    number = (await anna.http.get(path)).json()["number"]
    await anna.http.post(f"{path}/commands", json={"id": "r", "version": number, "command": {"type": "resign"}})
    assert (await anna.http.get("/api/statistics")).status_code == 200
    assert read_here == []


@pytest.mark.slow
async def test_a_large_body_blocks_the_event_loop_for_no_time(anna: Browser) -> None:
    """Measure the longest pause of the loop in CPU time while bodies arrive that take long to
    refuse. The collector is off: it would examine the objects of all tests in this process."""
    await anna.http.post("/api/tables", json={"setup": SETUP})  # starts the process
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            before = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - before)

    gc.disable()
    try:
        watching = asyncio.create_task(watch())
        await asyncio.gather(*(anna.http.post("/api/tables", json={"setup": started(name)}) for name in "abcd"))
        watching.cancel()
    finally:
        gc.enable()
    assert longest < 0.1


async def test_a_long_message_ends_its_connection(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        await socket.send("x" * 4097)
        assert await socket.closed() == 1009
