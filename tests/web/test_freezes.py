"""A server that is stopped for some seconds, as its machine sees it: no clock counts them."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from dicecup.table.commands import command_to_json
from tests.hosting.guests import wanted
from tests.web.serving import TWO, Browser, Program, Socket

BLITZ = {**TWO, "clock": {"kind": "turn", "seconds": 10}}
FROZEN = 11
"""Seconds: longer than the clock."""


async def act(socket: Socket) -> None:
    """Send the command for which the table waits."""
    command = wanted(socket.view)
    assert command is not None
    answer = await socket.do(command_to_json(command))
    assert answer["type"] == "done", answer
    await socket.up_to(answer["number"])


@pytest.mark.slow
async def test_a_stopped_process_costs_nobody_time(tmp_path: Path) -> None:
    async with Program(tmp_path) as program, Browser(program.url) as anna, asyncio.timeout(120):
        seats = [{"seat": seat, "name": f"P{seat}"} for seat in (0, 1)]
        made = (await anna.http.post("/api/tables", json={"setup": BLITZ, "seats": seats})).json()
        async with anna.socket(made["table"]) as socket:
            await socket.receive("update")
            for _ in range(4):
                await act(socket)
            before = socket.view["demand"]["deadline"]
            os.kill(program.pid, signal.SIGSTOP)
            await asyncio.sleep(FROZEN)  # real time of another process
            os.kill(program.pid, signal.SIGCONT)
            while socket.view["demand"].get("deadline") == before:
                await socket.receive("update")
            assert socket.view["result"] is None
            assert FROZEN <= socket.view["demand"]["deadline"] - before < FROZEN + 5
            await act(socket)
