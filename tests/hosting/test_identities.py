"""Bearer tokens and transfer links: found by their hashes, valid until they are used, revoked or
expired."""

import pytest
from sqlalchemy import Connection, insert, select

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.devices import MOST_LISTED, devices_of
from dicecup.hosting.store.identities import (
    MOST_TOKENS,
    TRANSFER_LIFETIME,
    identity_of,
    issue_token,
    issue_transfer,
    new_identity,
    redeem,
    revoke,
)
from dicecup.hosting.store.models import DEVICES, TOKENS
from dicecup.hosting.store.tokens import revoke_one, token_id, tokens_of


def test_identities_differ() -> None:
    assert len({new_identity() for _ in range(100)}) == 100


async def test_a_token_has_an_identity_until_it_is_revoked(store: Store) -> None:
    tokens = [await issue_token(store, "anna") for _ in range(2)]
    bens = await issue_token(store, "ben")
    assert [await identity_of(store, token) for token in tokens] == ["anna", "anna"]
    assert await identity_of(store, "é") is None
    assert await identity_of(store, "\ud800") is None
    assert await revoke(store, "anna") == 2
    assert [await identity_of(store, token) for token in (*tokens, bens)] == [None, None, "ben"]


async def test_a_transfer_link_works_once_and_expires(store: Store) -> None:
    transfer = await issue_transfer(store, "anna", 1000.0)
    assert await identity_of(store, transfer) is None
    assert await redeem(store, transfer, 1000.0 + TRANSFER_LIFETIME - 1) == "anna"
    assert await redeem(store, transfer, 1001.0) is None
    late = await issue_transfer(store, "anna", 1000.0)
    assert await redeem(store, late, 1000.0 + TRANSFER_LIFETIME) is None


async def test_an_identity_has_a_limited_number_of_tokens_and_of_links(store: Store) -> None:
    tokens = [await issue_token(store, "anna") for _ in range(MOST_TOKENS)]
    for issue in (issue_token(store, "anna"), issue_token(store, "anna")):
        with pytest.raises(HostingError) as refused:
            await issue
        assert (refused.value.code, refused.value.details["most"]) == (HostingCode.TOO_MANY_TOKENS, MOST_TOKENS)
    await issue_token(store, "ben")
    assert await revoke_one(store, "anna", token_id(tokens[0]))
    await issue_token(store, "anna")
    for _ in range(MOST_TOKENS):
        await issue_transfer(store, "anna", 1000.0)
    with pytest.raises(HostingError):
        await issue_transfer(store, "anna", 1000.0 + TRANSFER_LIFETIME - 1)
    await issue_transfer(store, "anna", 1000.0, most=None)
    await issue_transfer(store, "anna", 1000.0 + TRANSFER_LIFETIME)


async def test_lists_of_tokens_and_devices_are_short(store: Store) -> None:
    """An import, and a server of an earlier version, saved any number of them."""

    def fill(connection: Connection) -> None:
        hashes = [f"{number:064x}" for number in range(MOST_TOKENS + 9)]
        connection.execute(insert(TOKENS), [{"hash": each, "identity": "anna", "kind": "bearer"} for each in hashes])
        row = {"identity": "anna", "agent": "", "created": 1.0}
        seen = [{**row, "device": f"d{number}", "seen": float(number)} for number in range(MOST_LISTED + 9)]
        connection.execute(insert(DEVICES), seen)

    await store.writer.work(fill)
    assert len(await tokens_of(store, "anna")) == MOST_TOKENS
    listed = await devices_of(store, "anna")
    assert len(listed) == MOST_LISTED
    assert listed[0].seen == MOST_LISTED + 8


async def test_a_bearer_token_is_no_transfer_link(store: Store) -> None:
    assert await redeem(store, await issue_token(store, "anna"), 1.0) is None


async def test_the_database_holds_no_secret(store: Store) -> None:
    given = [await issue_token(store, "anna"), await issue_transfer(store, "anna", 1.0)]
    async with store.engines.readers.connect() as connection:
        kept = str((await connection.execute(select(TOKENS))).all())
    assert not any(secret in kept for secret in given)


async def test_expired_transfer_links_are_deleted(store: Store) -> None:
    await issue_transfer(store, "anna", 1.0)
    await issue_transfer(store, "ben", 1e9)
    async with store.engines.readers.connect() as connection:
        assert [row.identity for row in await connection.execute(select(TOKENS))] == ["ben"]
