"""SQLite's readers: one that is cancelled leaves no thread behind and nothing that waits."""

import asyncio
import threading
from pathlib import Path

import pytest

from dicecup.hosting.store.engines import open_engines, sqlite_url

LONG = "WITH RECURSIVE n(i) AS (SELECT started() UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) FROM n"


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("opened", [True, False], ids=["while it reads", "while it connects"])
def test_a_reader_can_be_cancelled_more_than_once(times: int, opened: bool, tmp_path: Path) -> None:
    started = threading.Event()

    def start() -> int:
        started.set()
        return 1

    async def cancel() -> None:
        engines = open_engines(sqlite_url(tmp_path / "x.sqlite"))

        async def read() -> None:
            async with engines.readers.connect() as connection:
                driver = await connection.get_raw_connection()
                await driver.driver_connection.create_function("started", 0, start)  # type: ignore[union-attr]
                await connection.exec_driver_sql(LONG)

        reader = asyncio.create_task(read())
        if opened:
            await asyncio.to_thread(started.wait)
        else:
            await asyncio.sleep(0)
        for _ in range(times):
            reader.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await reader
        await engines.dispose()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others)

    before = set(threading.enumerate())
    asyncio.run(cancel())
    assert set(threading.enumerate()) <= before
