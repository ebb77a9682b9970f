"""Export and import of bearer tokens, and transfer links for the person on a seat."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from time import time

import pytest

from dicecup.hosting import table_export
from dicecup.hosting.administration import transfer_for
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.identities import identity_of, issue_token, issue_transfer, redeem, revoke
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.token_export import are_tokens, export_tokens, import_tokens
from dicecup.table.errors import TableCode, TableError
from tests.hosting.guests import KEY, against, entry, seated, settings, two


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path / 'here.sqlite'}"))
    yield opened
    await opened.close()


@pytest.fixture
async def elsewhere(database: str) -> AsyncIterator[Store]:
    """SQLite, and PostgreSQL."""
    store = await Store.open(database_url(database))
    yield store
    await store.close()


async def moved(host: TableHost, elsewhere: Store, *tables: str) -> int:
    """Import all tables, then all tokens, and return the number of new tokens."""
    async for line in table_export.export_tables(host.store, tables):
        assert not are_tokens(line.encode())
        await table_export.import_table(elsewhere, KEY, line.encode(), time())
    lines = [line.encode() for line in await export_tokens(host.store, tables)]
    assert all(are_tokens(line) for line in lines)
    return sum([await import_tokens(elsewhere, line) for line in lines])


async def test_tokens_of_those_who_sit_at_a_table_go_along(host: TableHost, elsewhere: Store) -> None:
    made = await seated(host)
    other = await host.create("carla", two(), name="Carla")
    tokens = {who: [await issue_token(host.store, who) for _ in range(2)] for who in ("anna", "ben", "carla", "nobody")}
    transfer = await issue_transfer(host.store, "anna", time())
    assert await moved(host, elsewhere, made.table) == 4
    assert [await identity_of(elsewhere, each) for each in tokens["anna"] + tokens["ben"]] == ["anna", "anna", "ben", "ben"]
    assert [await identity_of(elsewhere, each) for each in tokens["carla"] + tokens["nobody"]] == [None] * 4
    assert await redeem(elsewhere, transfer, time()) is None
    assert await moved(host, elsewhere) == 2
    assert await identity_of(elsewhere, tokens["carla"][0]) == "carla"
    assert await moved(host, elsewhere, made.table, other.table) == 0


async def test_an_export_names_no_token(host: TableHost) -> None:
    await seated(host)
    token = await issue_token(host.store, "anna")
    (line,) = await export_tokens(host.store)
    assert token not in line
    assert json.loads(line)["identity"] == "anna"


async def test_a_known_token_keeps_its_identity(host: TableHost, elsewhere: Store) -> None:
    await seated(host)
    await moved(host, elsewhere)
    token = await issue_token(elsewhere, "ben")
    (line,) = await export_tokens(elsewhere)
    stolen = json.dumps(json.loads(line) | {"identity": "anna"}).encode()
    assert await import_tokens(elsewhere, stolen) == 0
    assert await identity_of(elsewhere, token) == "ben"


async def test_tokens_of_an_identity_without_a_seat_are_ignored(host: TableHost, elsewhere: Store) -> None:
    await seated(host)
    await issue_token(host.store, "anna")
    (line,) = await export_tokens(host.store)
    assert await import_tokens(elsewhere, line.encode()) == 0
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
async def test_an_invalid_line_of_tokens_is_refused(host: TableHost, line: bytes) -> None:
    with pytest.raises(HostingError) as refused:
        await import_tokens(host.store, line)
    assert refused.value.code is HostingCode.NOT_AN_EXPORT


async def test_a_transfer_link_works_once_for_the_person_on_a_seat(host: TableHost) -> None:
    made = await seated(host)
    secret = await transfer_for(host.store, made.table, 1, entry(time()))
    assert await redeem(host.store, secret, time()) == "ben"
    assert await redeem(host.store, secret, time()) is None
    late = await transfer_for(host.store, made.table, 0, entry(time() - 601))
    assert await redeem(host.store, late, time()) is None


async def test_a_seat_without_a_person_has_no_transfer_link(host: TableHost) -> None:
    free, computer = await host.create("anna", two(), name="Anna"), await host.create("anna", against("random"), name="Anna")
    for table, seat, code in (
        ("nowhere", 0, HostingCode.NO_SUCH_TABLE),
        (free.table, 2, TableCode.NO_SUCH_SEAT),
        (free.table, -1, TableCode.NO_SUCH_SEAT),
        (free.table, 1, HostingCode.NOBODY_SITS_THERE),
        (computer.table, 1, HostingCode.NOBODY_SITS_THERE),
    ):
        with pytest.raises((HostingError, TableError)) as refused:
            await transfer_for(host.store, table, seat, entry(time()))
        assert refused.value.code is code
