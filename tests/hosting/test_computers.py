"""Computer moves and analyses run in separate pools, which are warmed after the start."""

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from dicecup.engine import compiled
from dicecup.hosting import scheduler
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Act, Command, TakeBack, Throw
from tests.hosting.guests import against, go_on, play, settings
from tests.hosting.test_pool import created, start_and_wait, wait_for

FIRST_THROW = "5/5/5/5/5 x 1:11123 12-12 1"


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    yield opened
    await opened.close()


async def test_a_computer_moves_while_analyses_fill_their_pool(host: TableHost, tmp_path: Path) -> None:
    clients = [Client(f"192.0.2.{number}", "anna") for number in range(host.pool.room)]
    reviews = [asyncio.create_task(host.pool.run_for(client, wait_for, str(tmp_path / "go"))) for client in clients]
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


async def test_a_computer_waits_while_an_action_may_be_taken_back(host: TableHost) -> None:
    made = await host.create("anna", replace(against("greedy"), start=FIRST_THROW), name="Anna")
    await play(host, made.table, ["anna"], 2)  # the seed
    held = await sent(host, made.table, Act("a1", hold=10))
    assert "take-back" in (await host.look(made.table, "anna")).view["may"]
    await sent(host, made.table, TakeBack())
    assert (await host.look(made.table, "anna")).view["position"] == FIRST_THROW
    await sent(host, made.table, Act("a1", hold=0.01))
    seen: list[str] = []
    async with host.subscribe(made.table, "anna", since=held) as updates:
        async for update in updates:
            seen += [event["type"] for event in update.events]
            if len(seen) > 2:
                break
    assert seen[:3] == ["taken-back", "acted", "thrown"]


async def test_a_computer_that_is_let_throw_waits_no_longer(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is let throw, the computer would wait for an hour."""
    monkeypatch.setattr(scheduler, "seconds_to_wait", lambda state, _now: 3600.0 if state.last_entry else 0.0)
    made = await host.create("anna", replace(against("greedy"), start=FIRST_THROW), name="Anna")
    await play(host, made.table, ["anna"], 2)  # the seed
    held = await sent(host, made.table, Act("a1", hold=10))
    await asyncio.sleep(0)  # the computer begins to wait
    await sent(host, made.table, Throw())
    seen: list[str] = []
    async with host.subscribe(made.table, "anna", since=held) as updates:
        async for update in updates:
            seen += [event["type"] for event in update.events]
            if "acted" in seen:
                break
    assert seen[0] == "thrown"


async def sent(host: TableHost, table: str, command: Command) -> int:
    """Send a command of Anna for the newest state."""
    number = (await host.look(table, "anna")).number
    return await host.send(table, "anna", command, version=number, command_id=f"sent {number}")


PLAYERS: Final = "dicecup.engine.yamm.evaluation.value"
ANALYSES: Final = "dicecup.analysis.decisions"
"""Modules that only players and only analyses import."""


def loaded() -> set[str]:
    return {name for name in (PLAYERS, ANALYSES) if name in sys.modules}


@pytest.mark.slow
async def test_processes_that_are_warm_have_loaded_what_they_need(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.hosting.warming.DELAY", 0.0)
    monkeypatch.setattr(compiled, "missing", lambda _: [])
    await host.warm()
    assert await host.players.run(loaded) == {PLAYERS}
    assert await host.pool.run(loaded) == {PLAYERS, ANALYSES}


async def test_closing_does_not_wait_for_warming(host: TableHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.hosting.warming.DELAY", 0.0)
    monkeypatch.setattr(compiled, "missing", lambda _: [])
    started, never = tmp_path / "started", tmp_path / "never"
    monkeypatch.setattr("dicecup.hosting.pool.load_players", partial(start_and_wait, str(started), str(never)))
    warming = host.warm()
    await created(started)
    async with asyncio.timeout(120):
        await host.close()
    assert warming.cancelled()
