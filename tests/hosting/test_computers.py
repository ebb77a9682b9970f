"""Computer moves and analyses run in separate pools, which are warmed after the start."""

import asyncio
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import against, go_on, settings
from tests.hosting.test_pool import created, start_and_wait, wait_for


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    yield opened
    await opened.close()


async def test_a_computer_moves_while_analyses_fill_their_pool(host: TableHost, tmp_path: Path) -> None:
    reviews = [asyncio.create_task(host.pool.run(wait_for, str(tmp_path / "go"))) for _ in range(host.pool.room)]
    await asyncio.sleep(0)
    assert host.gauges()["room"] == 0
    made = await host.create("anna", against("greedy"), name="Anna")
    acted = 0
    async with host.subscribe(made.table, "anna") as updates:
        async for update in updates:
            acted += sum(event["type"] == "acted" and event["seat"] == 1 for event in update.events)
            if acted > 3:
                break
            if update.number == (await host.look(made.table, "anna")).number:
                await go_on(host, made.table, "anna")
    assert not any(review.done() for review in reviews)
    (tmp_path / "go").touch()
    await asyncio.gather(*reviews)


def loaded() -> set[str]:
    return {name for name in ("dicecup.players.warm", "dicecup.analysis.warm") if name in sys.modules}


@pytest.mark.slow
async def test_processes_that_are_warm_have_loaded_what_they_need(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.hosting.table_host.WARM_DELAY", 0.0)
    await host.warm()
    assert await host.players.run(loaded) == {"dicecup.players.warm"}
    assert "dicecup.analysis.warm" in await host.pool.run(loaded)


async def test_closing_does_not_wait_for_warming(host: TableHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.hosting.table_host.WARM_DELAY", 0.0)
    started, never = tmp_path / "started", tmp_path / "never"
    monkeypatch.setattr("dicecup.hosting.pool.load_players", partial(start_and_wait, str(started), str(never)))
    warming = host.warm()
    await created(started)
    async with asyncio.timeout(120):
        await host.close()
    assert warming.cancelled()
