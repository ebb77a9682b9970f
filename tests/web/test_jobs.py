"""Requests that wait for a computation: turns between addresses, closed connections, and the size
of answers."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from dicecup.hosting.fair_queue import Client
from dicecup.hosting.pool import Pool
from dicecup.table.errors import TableError
from dicecup.web import analysis_jobs
from dicecup.web.refusals import WebError
from tests.hosting.test_pool import created, start_and_wait
from tests.web.serving import Browser, serving
from tests.web.test_http import REVIEWED

SHEET = "/api/sheet.pdf?players=1"


class Gate:
    """A job that holds the only process of a pool until it is opened."""

    def __init__(self, folder: Path) -> None:
        self._started, self._go = folder / "started", folder / "go"

    async def hold(self, pool: Pool) -> asyncio.Task[int]:
        job = asyncio.create_task(pool.run_for(Client("elsewhere"), start_and_wait, str(self._started), str(self._go)))
        await created(self._started)
        return job

    def open(self) -> None:
        self._go.touch()


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    """Return the pools of analyses of the servers that a test starts."""
    found: list[Pool] = []
    before = Pool.__init__

    def note(self: Pool, *arguments: object, **named: object) -> None:
        before(self, *arguments, **named)  # type: ignore[arg-type]
        if named.get("low_priority"):
            found.append(self)

    monkeypatch.setattr(Pool, "__init__", note)
    return found


@pytest.fixture
async def server(tmp_path: Path, pools: list[Pool]) -> AsyncIterator[tuple[str, Pool]]:
    """Yield the URL and the pool of analyses of a server that reads addresses from a header."""
    async with serving(tmp_path, proxies="127.0.0.1") as url:
        yield url, pools[0]


async def until_waiting(pool: Pool, jobs: int, room: int) -> None:
    async with asyncio.timeout(280):
        while pool.room != room - jobs:  # noqa: ASYNC110 the queue sends no event
            await asyncio.sleep(0.005)


async def test_a_closed_connection_leaves_the_queue(server: tuple[str, Pool], tmp_path: Path) -> None:
    (url, pool), gate = server, Gate(tmp_path)
    holding, room = await gate.hold(pool), pool.room
    async with Browser(url) as browser:
        asking = asyncio.create_task(browser.http.get(SHEET))
        await until_waiting(pool, 1, room)
        asking.cancel()
        await until_waiting(pool, 0, room)
    gate.open()
    await holding


async def test_a_closed_connection_interrupts_its_job(
    server: tuple[str, Pool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, pool = server
    started, never = tmp_path / "started", tmp_path / "never"
    run_for = Pool.run_for

    async def run_slowly(self: Pool, client: Client, *_: object, **__: object) -> object:
        return await run_for(self, client, start_and_wait, str(started), str(never))

    monkeypatch.setattr(Pool, "run_for", run_slowly)
    room = pool.room
    async with Browser(url) as browser:
        asking = asyncio.create_task(browser.http.get(SHEET))
        await created(started)
        asking.cancel()
        await until_waiting(pool, 0, room)


async def test_an_address_with_many_requests_delays_another_by_one_job(server: tuple[str, Pool], tmp_path: Path) -> None:
    (url, pool), gate = server, Gate(tmp_path)
    holding, room = await gate.hold(pool), pool.room
    order: list[str] = []
    limits = httpx.Limits(max_connections=100)

    async def ask(client: httpx.AsyncClient, address: str) -> int:
        answer = await client.get(SHEET, headers={"X-Forwarded-For": address})
        if answer.status_code == 200:
            order.append(address)
        return answer.status_code

    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=280) as client:
        many = [asyncio.create_task(ask(client, "192.0.2.1")) for _ in range(65)]
        await until_waiting(pool, 16, room)  # the others are refused
        other = asyncio.create_task(ask(client, "192.0.2.2"))
        await until_waiting(pool, 17, room)
        gate.open()
        answers = await asyncio.gather(*many, other)
    await holding
    assert sorted(answers) == [200] * 17 + [503] * (65 - 16)
    assert order.index("192.0.2.2") <= 1


async def test_a_refused_job_says_when_to_ask_again(server: tuple[str, Pool], tmp_path: Path) -> None:
    (url, pool), gate = server, Gate(tmp_path)
    holding, room = await gate.hold(pool), pool.room
    async with httpx.AsyncClient(base_url=url, timeout=280) as client:
        waiting = [asyncio.create_task(client.get(SHEET)) for _ in range(16)]
        await until_waiting(pool, 16, room)
        refused = await client.get(SHEET)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")
        assert int(refused.headers["retry-after"]) > 0
        gate.open()
        await asyncio.gather(*waiting, holding)


# --- Answers --------------------------------------------------------------------------------------


def test_a_review_is_compressed_for_those_who_read_it() -> None:
    plain, compressed = (analysis_jobs.review((), REVIEWED, compressed=it).answer for it in (False, True))
    assert gzip.decompress(compressed) == plain


def test_a_review_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_jobs, "LARGEST_REVIEW", 1000)
    with pytest.raises(WebError) as refused:
        analysis_jobs.review((), REVIEWED, compressed=False)
    assert (refused.value.code, refused.value.details["limit"]) == ("too-large", 1000)


def test_a_review_reads_its_record_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from dicecup import games, record

    read: list[str] = []
    before = record.read

    def reading(text: str) -> record.Record:
        read.append(text)
        return before(text)

    monkeypatch.setattr(record, "read", reading)
    analysis_jobs.review((), REVIEWED, compressed=False)
    assert len(read) == 1
    own = [games.from_id("yam-master").position("x4/5/5/5/5 o 1:11346 11-12 2")]
    assert analysis_jobs.review(own, REVIEWED, compressed=False).asked
    with pytest.raises(TableError) as refused:
        analysis_jobs.review([games.from_id("yam-master").position("5/5/5/5/5 x 1:13456 12-12 1")], REVIEWED, compressed=False)
    assert refused.value.code == "game-running"
