"""Tokens and transfer links: found by their hashes, used once or until they are taken back."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select

from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.identities import (
    TRANSFER_WITHIN,
    identity_of,
    issue_token,
    issue_transfer,
    new_identity,
    redeem,
    revoke,
)
from dicecup.hosting.store.models import TOKENS


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    opened = await Store.open(database_url(database))
    yield opened
    await opened.close()


def test_identities_differ() -> None:
    assert len({new_identity() for _ in range(100)}) == 100


async def test_a_token_stands_for_its_identity_until_it_is_taken_back(store: Store) -> None:
    tokens = [await issue_token(store, "anna") for _ in range(2)]
    bens = await issue_token(store, "ben")
    assert [await identity_of(store, token) for token in tokens] == ["anna", "anna"]
    assert await identity_of(store, "é") is None
    assert await identity_of(store, "\ud800") is None
    assert await revoke(store, "anna") == 2
    assert [await identity_of(store, token) for token in (*tokens, bens)] == [None, None, "ben"]


async def test_a_transfer_link_works_once_and_for_a_while(store: Store) -> None:
    transfer = await issue_transfer(store, "anna", 1000.0)
    assert await identity_of(store, transfer) is None
    assert await redeem(store, transfer, 1000.0 + TRANSFER_WITHIN - 1) == "anna"
    assert await redeem(store, transfer, 1001.0) is None
    late = await issue_transfer(store, "anna", 1000.0)
    assert await redeem(store, late, 1000.0 + TRANSFER_WITHIN) is None


async def test_a_token_is_no_transfer_link(store: Store) -> None:
    assert await redeem(store, await issue_token(store, "anna"), 1.0) is None


async def test_the_database_does_not_know_them(store: Store) -> None:
    given = [await issue_token(store, "anna"), await issue_transfer(store, "anna", 1.0)]
    async with store.engines.readers.connect() as connection:
        kept = str((await connection.execute(select(TOKENS))).all())
    assert not any(secret in kept for secret in given)


async def test_links_that_nobody_used_are_forgotten(store: Store) -> None:
    await issue_transfer(store, "anna", 1.0)
    await issue_transfer(store, "ben", 1e9)
    async with store.engines.readers.connect() as connection:
        assert [row.identity for row in await connection.execute(select(TOKENS))] == ["ben"]
