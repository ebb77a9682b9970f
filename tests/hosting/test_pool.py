"""Pools of processes: limits of waiting jobs and of time, turns between clients, and the
replacement of dead processes."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.job_process import NICENESS, JobProcess
from dicecup.hosting.pool import SECONDS, Pool
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


# --- Time limits, cancelling and turns ------------------------------------------------------------


def compute_for_ever(started: str) -> None:
    Path(started).touch()
    while True:
        pass


def compute_outside_the_interpreter(started: str) -> None:
    """Ignore the interruption, as a long call of a library does."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    compute_for_ever(started)


def note(path: str, text: str) -> None:
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize("job", [compute_for_ever, compute_outside_the_interpreter])
async def test_a_job_that_takes_too_long_is_ended(
    job: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dicecup.hosting.job_process.GRACE", 0.2)
    pool = Pool(processes=1, waiting=0, seconds=0.1)
    try:
        with pytest.raises(HostingError) as refused:
            await pool.run(job, str(tmp_path / "started"))
        assert (refused.value.code, refused.value.details["seconds"]) == (HostingCode.TOOK_TOO_LONG, 0.1)
        assert pool.room == 1
        monkeypatch.setattr(pool, "_seconds", SECONDS)  # on a busy machine any job may take longer than the limit before
        assert await pool.run(double, 21) == 42
    finally:
        await pool.close()


async def test_an_interrupted_process_goes_on_with_the_next_job(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dicecup.hosting.job_process.GRACE", SECONDS)  # a busy machine may be late to interrupt it
    process, started = await pool.run(os.getpid), tmp_path / "started"
    running = asyncio.create_task(pool.run(compute_for_ever, str(started)))
    await created(started)
    running.cancel()
    assert await pool.run(os.getpid) == process
    assert running.cancelled()
    assert pool.room == 3


async def test_a_caller_that_is_cancelled_after_its_job_does_not_interrupt_the_next_one(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dicecup.hosting.job_process.GRACE", 0)
    started, go = tmp_path / "started", tmp_path / "go"
    first = asyncio.create_task(pool.run(start_and_wait, str(started), str(go)))
    second = asyncio.create_task(pool.run(double, 21))
    await created(started)
    release = pool._release

    def release_and_cancel(process: JobProcess) -> None:
        """Cancel the first caller when the second job runs and the first caller does not know of
        its result yet."""
        monkeypatch.setattr(pool, "_release", release)
        release(process)
        asyncio.get_running_loop().call_soon(first.cancel)

    monkeypatch.setattr(pool, "_release", release_and_cancel)
    go.touch()
    assert await second == 42
    assert first.cancelled()


async def test_a_cancelled_job_leaves_the_queue_at_once(pool: Pool, tmp_path: Path) -> None:
    started, go, noted = tmp_path / "started", tmp_path / "go", tmp_path / "noted"
    running = asyncio.create_task(pool.run(start_and_wait, str(started), str(go)))
    waiting = [asyncio.create_task(pool.run(note, str(noted), name)) for name in "ab"]
    await created(started)
    assert pool.room == 0
    waiting[0].cancel()
    await asyncio.wait([waiting[0]])
    assert pool.room == 1
    go.touch()
    await asyncio.gather(running, waiting[1])
    assert noted.read_text() == "b"


async def test_a_prepared_process_is_replaced_by_a_prepared_one(pool: Pool, tmp_path: Path) -> None:
    await pool.warm(make_ready)
    assert await pool.run(die_once, str(tmp_path / "died"))
    assert await pool.run(is_ready) == "yes"


async def test_addresses_and_their_identities_take_turns(tmp_path: Path) -> None:
    pool = Pool(processes=1, waiting=8)
    started, go, noted = tmp_path / "started", tmp_path / "go", tmp_path / "noted"
    try:
        running = asyncio.create_task(pool.run_for(Client("many", "m"), start_and_wait, str(started), str(go)))
        await created(started)
        jobs: list[asyncio.Task[Any]] = [running]
        for name, client in (
            ("1", Client("many", "m")),
            ("2", Client("many", "m")),
            ("3", Client("many", "n")),
            ("4", Client("few", "f")),
            ("5", Client("few", "f")),
        ):
            jobs.append(asyncio.create_task(pool.run_for(client, note, str(noted), name)))
            await asyncio.sleep(0)
        go.touch()
        await asyncio.gather(*jobs)
    finally:
        await pool.close()
    assert noted.read_text() == "43512"


async def test_the_jobs_of_the_server_itself_are_no_address(tmp_path: Path) -> None:
    pool = Pool(processes=1, waiting=4, waiting_of_address=1)
    started, go = tmp_path / "started", tmp_path / "go"
    try:
        running = asyncio.create_task(pool.run(start_and_wait, str(started), str(go)))
        await created(started)
        own = [asyncio.create_task(pool.run(double, number)) for number in range(3)]
        await asyncio.sleep(0)
        assert pool.waiting == 3
        go.touch()
        assert await asyncio.gather(*own) == [0, 2, 4]
        await running
    finally:
        await pool.close()


async def test_an_address_cannot_fill_the_queue(tmp_path: Path) -> None:
    pool = Pool(processes=1, waiting=4, waiting_of_address=3)
    started, go = tmp_path / "started", tmp_path / "go"
    try:
        running = asyncio.create_task(pool.run_for(Client("a"), start_and_wait, str(started), str(go)))
        await created(started)
        many = [asyncio.create_task(pool.run_for(Client("a"), double, number)) for number in range(4)]
        await asyncio.wait(many[3:])
        assert isinstance(error := many[3].exception(), HostingError)
        assert error.code is HostingCode.BUSY
        other = [asyncio.create_task(pool.run_for(Client(address), double, 1)) for address in "bc"]
        await asyncio.wait(many[2:3])  # refused for the second of the others, because the queue is full
        assert isinstance(many[2].exception(), HostingError)
        go.touch()
        assert await asyncio.gather(*many[:2], *other) == [0, 2, 2, 2]
        assert pool.room == 5
        await running
    finally:
        await pool.close()
