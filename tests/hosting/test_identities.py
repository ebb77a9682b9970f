"""Bearer tokens and transfer links: found by their hashes, valid until they are used, revoked or
expired."""

from sqlalchemy import select

from dicecup.hosting.store import Store
from dicecup.hosting.store.identities import (
    TRANSFER_LIFETIME,
    identity_of,
    issue_token,
    issue_transfer,
    new_identity,
    redeem,
    revoke,
)
from dicecup.hosting.store.models import TOKENS


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
