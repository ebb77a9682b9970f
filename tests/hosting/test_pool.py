"""Pools of processes: the limit of waiting jobs, and the replacement of dead processes."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.pool import NICENESS, Pool
from dicecup.table.errors import TableCode, TableError


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    opened = Pool(processes=1, waiting=2)
    yield opened
    await opened.close()


def double(number: int) -> int:
    return 2 * number


def fail() -> None:
    raise TableError(TableCode.NOT_A_NAME, text="x")


def wait_for(path: str) -> int:
    while not Path(path).exists():
        time.sleep(0.01)
    return os.getpid()


def start_and_wait(started: str, path: str) -> int:
    """Create the file `started`, then wait for the file `path`."""
    Path(started).touch()
    return wait_for(path)


async def created(path: Path) -> None:
    """Wait until another process has created a file."""
    async with asyncio.timeout(120):
        while not path.exists():  # noqa: ASYNC110, ASYNC240 another process sends no event
            await asyncio.sleep(0.01)


def die_once(path: str) -> int:
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def test_another_process_answers(pool: Pool) -> None:
    assert await pool.run(double, 21) == 42
    assert await pool.run(os.getpid) != os.getpid()


async def test_an_error_comes_back(pool: Pool) -> None:
    with pytest.raises(TableError) as refused:
        await pool.run(fail)
    assert refused.value.code is TableCode.NOT_A_NAME
    assert refused.value.details["text"] == "x"


async def test_waiting_jobs_are_limited(pool: Pool, tmp_path: Path) -> None:
    path = tmp_path / "go"
    waiting = [asyncio.create_task(pool.run(wait_for, str(path))) for _ in range(3)]
    await asyncio.sleep(0)
    assert pool.room == 0
    with pytest.raises(HostingError) as refused:
        await pool.run(double, 1)
    assert refused.value.code is HostingCode.BUSY
    path.touch()
    assert len(set(await asyncio.gather(*waiting))) == 1
    assert pool.room == 3
    assert await pool.run(double, 1) == 2


async def test_a_job_whose_process_dies_is_done_by_another(pool: Pool, tmp_path: Path) -> None:
    answers = await asyncio.gather(pool.run(die_once, str(tmp_path / "died")), pool.run(double, 1))
    assert answers[1] == 2
    assert pool.room == 3


async def test_a_job_that_kills_its_process_is_given_up(pool: Pool) -> None:
    with pytest.raises(HostingError) as refused:
        await pool.run(die)
    assert refused.value.code is HostingCode.NO_ANSWER
    assert await pool.run(double, 1) == 2


async def test_a_closed_pool_leaves_no_process_and_takes_nothing(tmp_path: Path) -> None:
    pool = Pool(processes=1, waiting=0)
    process = await pool.run(os.getpid)
    started, never = tmp_path / "started", tmp_path / "never"
    running = asyncio.create_task(pool.run(start_and_wait, str(started), str(never)))
    await created(started)
    await pool.close()
    with pytest.raises((HostingError, asyncio.CancelledError)):
        await running
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(HostingError):
        await pool.run(double, 1)


PARENT = """
import asyncio, os, sys
from dicecup.hosting.pool import Pool

async def main():
    pool = Pool(1, 0)
    print(await pool.run(os.getpid), flush=True)
    await asyncio.sleep(3600)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_no_process_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        process = int(server.stdout.readline())
        os.kill(process, 0)
        server.kill()
    gone = Path(f"/proc/{process}/cmdline")
    for _ in range(6000):
        if not gone.exists() or not gone.read_bytes():  # a zombie has no command line
            return
        time.sleep(0.02)
    pytest.fail(f"process {process} is still there")


def make_ready() -> None:
    os.environ["READY"] = "yes"


def is_ready() -> str | None:
    return os.environ.get("READY")


def nice() -> int:
    return os.nice(0)


async def test_a_warm_pool_has_run_its_preparation(pool: Pool) -> None:
    await pool.warm(make_ready)
    assert pool.room == 3
    assert await pool.run(is_ready) == "yes"


async def test_warming_takes_no_room_in_the_pool(pool: Pool) -> None:
    warming = asyncio.create_task(pool.warm(make_ready))
    await asyncio.sleep(0)
    assert pool.room == 3
    assert await pool.run(is_ready) == "yes"
    await warming


async def test_a_process_that_dies_of_warming_is_replaced(pool: Pool) -> None:
    await pool.warm(die)
    assert await pool.run(double, 21) == 42


async def test_a_pool_with_low_priority_is_nicer(pool: Pool) -> None:
    patient = Pool(processes=1, waiting=0, low_priority=True)
    try:
        assert await patient.run(nice) == min(19, await pool.run(nice) + NICENESS)
    finally:
        await patient.close()
