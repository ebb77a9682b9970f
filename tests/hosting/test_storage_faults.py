"""Faults of the storage: each is typed, reported once, and ends by itself with its cause."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import mkdtemp

import pytest
from sqlalchemy import Connection, text

from dicecup.core.errors import DicecupError
from dicecup.hosting.store import engines
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, play, settings
from tests.hosting.test_faults import set_pages

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder of a user for whom file modes count. They do not count for root."""
    made = Path(mkdtemp(prefix="dicecup-"))
    root = os.geteuid() == 0
    if root:
        os.chown(made, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield made
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(made)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[TableHost, list[StoreError | None]]]:
    """Open the tables of a folder, and collect the faults that are reported."""
    host = await TableHost.open(settings(f"sqlite:///{folder / 'tables.sqlite'}"))
    reported: list[StoreError | None] = []
    host.store.faults.report = reported.append
    try:
        yield host, reported
    finally:
        await host.close()


async def until_none(host: TableHost) -> None:
    """Wait until the heartbeats notice that no fault is left."""
    while await host.outages.fault() is not None:
        await host.outages.heartbeat()


async def test_an_unwritable_file_keeps_the_server_from_starting(folder: Path) -> None:
    async with opened(folder):
        pass
    file = folder / "tables.sqlite"
    file.chmod(0o400)
    with pytest.raises(StoreError) as refused:
        async with opened(folder):
            pass
    assert (refused.value.code, refused.value.details["file"]) == (StoreCode.UNWRITABLE, file)
    file.chmod(0o600)
    async with opened(folder) as (host, _):
        assert await host.outages.fault() is None


async def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").mkdir()
    with pytest.raises(StoreError) as refused:
        async with opened(tmp_path):
            pass
    assert refused.value.code is StoreCode.UNWRITABLE


async def test_a_file_that_becomes_writable_again_is_written(folder: Path) -> None:
    async with opened(folder) as (host, reported):
        made = await host.create("anna", alone(), name="Anna")
        change_modes(folder, 0o400)
        await host.store.writer.work(query_only)  # the connection that is open may write on
        for _ in range(3):
            with pytest.raises(StoreError) as refused:
                await play(host, made.table, ["anna"], 1)
            assert refused.value.code is StoreCode.UNWRITABLE
        assert await host.outages.fault() is StoreCode.UNWRITABLE
        change_modes(folder, 0o600)
        await until_none(host)
        assert await play(host, made.table, ["anna"], 1) == 1
        assert [error and error.code for error in reported] == [StoreCode.UNWRITABLE, None]


def change_modes(folder: Path, mode: int) -> None:
    for path in folder.glob("tables.sqlite*"):
        path.chmod(mode)


def query_only(connection: Connection) -> None:
    connection.execute(text("PRAGMA query_only = 1"))


async def test_a_full_disk_is_reported_once_and_its_end_noticed(tmp_path: Path) -> None:
    async with opened(tmp_path) as (host, reported):
        await set_pages(host, 0)
        for _ in range(40):
            try:
                await host.create("anna", alone(), name="Anna")
            except StoreError as error:
                assert error.code is StoreCode.FULL
        assert await host.outages.fault() is StoreCode.FULL
        await set_pages(host, 10_000)
        await until_none(host)
        assert [error and error.code for error in reported] == [StoreCode.FULL, None]
        assert (await host.create("anna", alone(), name="Anna")).table


async def test_a_lock_of_another_program_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "LOCK_TIMEOUT", 0.05)
    async with opened(tmp_path) as (host, reported):
        with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError) as refused:
                await host.create("anna", alone(), name="Anna")
            assert refused.value.code is StoreCode.LOCKED
            assert await host.outages.fault() is StoreCode.LOCKED
        await until_none(host)
        assert [error and error.code for error in reported] == [StoreCode.LOCKED, None]


# --- Damaged files --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the content of a database with games in play."""
    import asyncio

    made = tmp_path_factory.mktemp("sound")

    async def fill() -> None:
        async with opened(made) as (host, _):
            for _ in range(6):
                await play(host, (await host.create("anna", alone(), name="Anna")).table, ["anna"], 20)

    asyncio.run(fill())
    return (made / "tables.sqlite").read_bytes()


def damages(content: bytes) -> Iterator[bytes]:
    """Yield damaged copies of a file."""
    for at, wrong in (
        (0, b"x"),
        (16, b"\x00\x00"),
        (18, b"\x09\x09"),
        (28, b"\xff" * 4),
        (44, b"\x09"),
        (56, b"\x00\x00\x00\x02"),
    ):
        yield content[:at] + wrong + content[at + len(wrong) :]
    for at in (100, 108, 150, 3000):
        yield content[:at] + os.urandom(8) + content[at + 8 :]
    for length in (100, 4096, len(content) // 2, len(content) - 10):
        yield content[:length]
    yield b"nonsense" * 1000
    yield b"\x00" * len(content)
    yield content.replace(b'{"table"', b'{"tab\xff\xfe"')
    yield content.replace(b"CREATE TABLE", b"CREATE TXBLE")
    chance = random.Random(8)
    for _ in range(4):
        page = bytearray(content)
        for _ in range(20):
            page[chance.randrange(4096, len(page))] = chance.randrange(256)
        yield bytes(page)


@pytest.mark.slow
async def test_a_damaged_file_gives_typed_errors(sound: bytes, tmp_path: Path) -> None:
    found = set()
    for number, content in enumerate(damages(sound)):
        made = tmp_path / str(number)
        made.mkdir()
        (made / "tables.sqlite").write_bytes(content)
        try:
            async with opened(made) as (host, _):
                await host.store.tables()
                async for table in host.store.all_tables():
                    await host.look(table, "anna")
                await host.create("anna", alone(), name="Anna")
        except DicecupError as error:
            found.add(str(error.code))
    assert "storage-damaged" in found


@pytest.mark.slow
@pytest.mark.parametrize("command", [["serve", "--host", "127.0.0.1", "--port", "0"], ["admin", "list"]])
def test_a_damaged_file_at_the_start_is_one_sentence(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_bytes(b"nonsense" * 1000)
    ended = subprocess.run(
        [sys.executable, "-c", "import sys; from dicecup.cli import main; sys.exit(main())", *command, "--lang", "en"],
        env=os.environ | {"DICECUP_DATA": str(tmp_path), "DICECUP_HOST_KEY": "00" * 32},
        check=False,
        capture_output=True,
        text=True,
    )
    *logged, line = ended.stderr.splitlines()
    assert (ended.returncode, ended.stdout) == (1, "")
    assert line.startswith(f"dicecup: storage-damaged: {tmp_path / 'tables.sqlite'} is damaged")
    assert all(each.startswith("{") for each in logged)


LIMITED = """
import asyncio, resource, sys
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, settings

async def run(url):
    host = await TableHost.open(settings(url))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, hard))
    try:
        while True:
            await host.create("anna", alone(), name="Anna")
    except StoreError as error:
        print(error.code, await host.outages.fault())
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    while await host.outages.fault() is not None:
        await host.outages.heartbeat()
    await host.create("anna", alone(), name="Anna")
    print("again")
    await host.close()

asyncio.run(run(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_file_that_may_not_grow_is_a_fault_until_it_may(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED, f"sqlite:///{tmp_path / 'tables.sqlite'}"]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert ended.stdout.splitlines() == ["storage-failing storage-failing", "again"]
