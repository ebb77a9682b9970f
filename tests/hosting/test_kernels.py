"""A server that still compiles kernels: its games begin, and computers wait for their level."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from dicecup.engine import compiled
from dicecup.engine.compiled import Step
from dicecup.hosting.kernels import Kernels
from dicecup.hosting.table_host import TableHost
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm
from tests.hosting.guests import against, play, settings
from tests.hosting.test_pool import created, start_and_wait

ONE, OTHER = Step("one", int), Step("other", int)
NEEDED = {"yam-master": {"greedy": (ONE,), "expert": (ONE, OTHER)}}
COMPUTER_FIRST = "5/5/5/5/5 o 1:11123 12-12 2"


@pytest.fixture
def kernels() -> Kernels:
    made = Kernels()
    made.expect((ONE, OTHER), NEEDED)
    return made


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    yield opened
    await opened.close()


def test_a_level_gets_ready_with_its_last_step(kernels: Kernels) -> None:
    assert kernels.preparing(YamMaster) == ("greedy", "expert")
    assert kernels.preparing(Yamm) == ()
    kernels.taken(ONE)
    assert kernels.preparing(YamMaster) == ("expert",)
    kernels.taken(OTHER)
    assert kernels.preparing(YamMaster) == ()


async def test_a_level_is_waited_for_once(kernels: Kernels) -> None:
    waiting = asyncio.create_task(kernels.ready("yam-master", "expert"))
    await asyncio.sleep(0)
    kernels.taken(ONE)
    await asyncio.sleep(0)
    assert not waiting.done()
    kernels.taken(OTHER)
    assert await waiting
    assert not await kernels.ready("yam-master", "expert")
    assert not await kernels.ready("yam-master", "random")
    await kernels.all_ready()


async def test_a_game_begins_and_the_computer_plays_when_it_is_ready(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asyncio.Event()
    ready = host.kernels.ready

    async def noted(game: str, level: str) -> bool:
        asked.set()
        return await ready(game, level)

    monkeypatch.setattr(host.kernels, "ready", noted)
    host.kernels.expect((ONE,), NEEDED)
    made = await host.create("anna", replace(against("greedy"), start=COMPUTER_FIRST), name="Anna")
    await play(host, made.table, ["anna"], 2)  # the seed
    async with asyncio.timeout(280):
        await asked.wait()
    number = (await host.look(made.table, "anna")).number
    async with host.subscribe(made.table, "anna", since=number) as updates:
        host.kernels.taken(ONE)
        async for update in updates:
            if any(event["type"] == "acted" for event in update.events):
                break


async def test_a_step_that_fails_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "processes", lambda: 1)
    kernels, fails = Kernels(), Step("one", partial((tmp_path / "missing" / "file").touch))
    kernels.expect((fails,), {"yam-master": {"greedy": (fails,)}})
    async with asyncio.timeout(120):
        await asyncio.gather(kernels.compile([[fails]]), kernels.ready("yam-master", "greedy"))
    assert kernels.preparing(YamMaster) == ()


async def test_closing_does_not_wait_for_the_compiler(host: TableHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, never = tmp_path / "started", tmp_path / "never"
    endless = Step("endless", partial(start_and_wait, str(started), str(never)))
    monkeypatch.setattr("dicecup.hosting.warming.STEPS", ((endless,),))
    monkeypatch.setattr(compiled, "missing", lambda groups: [list(group) for group in groups])
    warming = host.warm()
    await created(started)
    async with asyncio.timeout(120):
        await host.close()
    assert warming.cancelled()
