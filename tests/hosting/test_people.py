"""Programs' tokens go along with tables, and whoever sits somewhere can be let back."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from time import time

import pytest

from dicecup.hosting import transfer as moving
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.hub import Hub
from dicecup.hosting.people import are_tokens, exported_tokens, imported_tokens, transfer_for
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.identities import identity_of, issue_token, issue_transfer, redeem, revoke
from dicecup.table.errors import TableCode, TableError
from tests.hosting.guests import KEY, against, seated, settings, two


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    opened = await Hub.open(settings(f"sqlite:///{tmp_path / 'here.sqlite'}"))
    yield opened
    await opened.close()


@pytest.fixture
async def elsewhere(database: str) -> AsyncIterator[Store]:
    """SQLite, and PostgreSQL."""
    store = await Store.open(database_url(database))
    yield store
    await store.close()


async def moved(hub: Hub, elsewhere: Store, *tables: str) -> int:
    """The tables, and then how many tokens are new."""
    async for line in moving.exported(hub.store, tables):
        assert not are_tokens(line.encode())
        await moving.imported(elsewhere, KEY, line.encode(), time())
    lines = [line.encode() for line in await exported_tokens(hub.store, tables)]
    assert all(are_tokens(line) for line in lines)
    return sum([await imported_tokens(elsewhere, line) for line in lines])


async def test_tokens_of_those_who_sit_at_a_table_go_along(hub: Hub, elsewhere: Store) -> None:
    made = await seated(hub)
    other = await hub.create("carla", two(), name="Carla")
    tokens = {who: [await issue_token(hub.store, who) for _ in range(2)] for who in ("anna", "ben", "carla", "nobody")}
    transfer = await issue_transfer(hub.store, "anna", time())
    assert await moved(hub, elsewhere, made.table) == 4
    assert [await identity_of(elsewhere, each) for each in tokens["anna"] + tokens["ben"]] == ["anna", "anna", "ben", "ben"]
    assert [await identity_of(elsewhere, each) for each in tokens["carla"] + tokens["nobody"]] == [None] * 4
    assert await redeem(elsewhere, transfer, time()) is None
    assert await moved(hub, elsewhere) == 2
    assert await identity_of(elsewhere, tokens["carla"][0]) == "carla"
    assert await moved(hub, elsewhere, made.table, other.table) == 0


async def test_an_export_names_no_token(hub: Hub) -> None:
    await seated(hub)
    token = await issue_token(hub.store, "anna")
    (line,) = await exported_tokens(hub.store)
    assert token not in line
    assert json.loads(line)["identity"] == "anna"


async def test_a_token_that_is_here_stands_for_whom_it_stood_for(hub: Hub, elsewhere: Store) -> None:
    await seated(hub)
    await moved(hub, elsewhere)
    token = await issue_token(elsewhere, "ben")
    (line,) = await exported_tokens(elsewhere)
    stolen = json.dumps(json.loads(line) | {"identity": "anna"}).encode()
    assert await imported_tokens(elsewhere, stolen) == 0
    assert await identity_of(elsewhere, token) == "ben"


async def test_tokens_of_somebody_who_sits_nowhere_are_left_out(hub: Hub, elsewhere: Store) -> None:
    await seated(hub)
    await issue_token(hub.store, "anna")
    (line,) = await exported_tokens(hub.store)
    assert await imported_tokens(elsewhere, line.encode()) == 0
    assert await revoke(elsewhere, "anna") == 0


@pytest.mark.parametrize(
    "line",
    [
        b'"tokens"',
        b'{"tokens":[]}',
        b"\xff",
        b"[" * 100_000,
        b'{"identity":"anna","tokens":{}}',
        b'{"identity":"anna","tokens":[1]}',
        b'{"identity":"anna","tokens":["%s"]}' % (b"A" * 64),
        b'{"identity":"anna","tokens":["%s"]}' % (b"0" * 65),
        b'{"identity":"","tokens":[]}',
        b'{"identity":"%s","tokens":[]}' % (b"x" * 101),
        b'{"identity":1,"tokens":[]}',
        b'{"identity":"anna","tokens":[],"kind":"transfer"}',
    ],
)
async def test_what_is_no_line_of_tokens(hub: Hub, line: bytes) -> None:
    with pytest.raises(HostingError) as refused:
        await imported_tokens(hub.store, line)
    assert refused.value.code is HostingCode.NOT_AN_EXPORT


async def test_a_link_for_whoever_sits_there(hub: Hub) -> None:
    made = await seated(hub)
    secret = await transfer_for(hub.store, made.table, 1, time())
    assert await redeem(hub.store, secret, time()) == "ben"
    assert await redeem(hub.store, secret, time()) is None
    late = await transfer_for(hub.store, made.table, 0, time() - 601)
    assert await redeem(hub.store, late, time()) is None


async def test_a_link_for_nobody(hub: Hub) -> None:
    free, computer = await hub.create("anna", two(), name="Anna"), await hub.create("anna", against("random"), name="Anna")
    for table, seat, code in (
        ("nowhere", 0, HostingCode.NO_SUCH_TABLE),
        (free.table, 2, TableCode.NO_SUCH_SEAT),
        (free.table, -1, TableCode.NO_SUCH_SEAT),
        (free.table, 1, HostingCode.NOBODY_SITS_THERE),
        (computer.table, 1, HostingCode.NOBODY_SITS_THERE),
    ):
        with pytest.raises((HostingError, TableError)) as refused:
            await transfer_for(hub.store, table, seat, time())
        assert refused.value.code is code
