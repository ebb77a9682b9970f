"""The host key of a database: every worker needs the key with which the database was begun."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, select

from dicecup.hosting.host_key import FILE, HostKeyCode, HostKeyError
from dicecup.hosting.key_of_database import adopt_host_key, fingerprint
from dicecup.hosting.store import Store
from dicecup.hosting.store.models import FACTS
from dicecup.hosting.table_host import TableHost
from dicecup.table.setup import DiceOf
from tests.hosting.guests import KEY, settings, two

OTHER_KEY = bytes(range(1, 33))


async def worker(database: str, key: bytes = KEY) -> TableHost:
    return await TableHost.open(settings(database, key=key))


async def refusal(database: str, key: bytes = OTHER_KEY) -> str:
    """Return the code with which a worker with this key does not start."""
    with pytest.raises(HostKeyError) as refused:
        await worker(database, key)
    return str(refused.value.code)


def forget(connection: Connection) -> None:
    connection.execute(delete(FACTS))


async def facts(store: Store) -> list[tuple[str, str]]:
    async with store.engines.readers.connect() as connection:
        return [(row.name, row.value) for row in await connection.execute(select(FACTS))]


async def test_a_worker_with_another_key_does_not_start(database: str) -> None:
    first = await worker(database)
    try:
        made = await first.create("anna", two(), name="Anna")
        assert await refusal(database) == "other-host-key"
        second = await worker(database)
        assert (await second.look(made.table, "anna")).number == 2
        await second.close()
        assert KEY.hex() not in str(await facts(first.store))
    finally:
        await first.close()


async def test_an_empty_database_remembers_its_first_key(database: str) -> None:
    host = await worker(database)
    assert dict(await facts(host.store))["host-key"] == fingerprint(KEY)
    await host.close()
    assert await refusal(database) == "other-host-key"


async def test_a_host_begins_with_another_key(database: str) -> None:
    host = await worker(database)
    assert await adopt_host_key(host.store, settings(database, key=OTHER_KEY))
    assert not await adopt_host_key(host.store, settings(database, key=OTHER_KEY))
    await host.close()
    await (await worker(database, OTHER_KEY)).close()
    assert await refusal(database, KEY) == "other-host-key"


async def test_the_key_of_an_older_database_is_found_by_its_commitments(database: str) -> None:
    """Open a database that an earlier version wrote, which has no fingerprint."""
    host = await worker(database)
    await host.create("anna", two(), name="Anna")
    await host.create("anna", two(dice=DiceOf.TABLE), name="Anna")
    await host.store.writer.work(forget)
    await host.close()
    assert await refusal(database) == "other-host-key"
    await (await worker(database)).close()


async def test_a_missing_key_is_created_for_an_empty_database_only(tmp_path: Path, database: str) -> None:
    missing = replace(settings(database, key=b""), key_file=tmp_path / "folder" / FILE)
    host = await TableHost.open(missing)
    try:
        assert host.settings.key_file is None
        assert host.settings.host_key.hex() == (tmp_path / "folder" / FILE).read_text("ascii").strip()
        await host.create("anna", two(), name="Anna")
    finally:
        await host.close()
    (tmp_path / "folder" / FILE).unlink()
    for fact in (True, False):
        with pytest.raises(HostKeyError) as refused:
            await TableHost.open(missing)
        assert (refused.value.code, refused.value.details) == (HostKeyCode.LOST, {"file": tmp_path / "folder" / FILE})
        assert not (tmp_path / "folder" / FILE).exists()
        if fact:
            store = await Store.open(missing.database)
            await store.writer.work(forget)
            await store.close()
