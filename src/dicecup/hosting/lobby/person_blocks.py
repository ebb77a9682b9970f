"""People who have blocked each other: neither sees the other in the lobby, and they are never
paired."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dicecup.hosting.people import outbox
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import PERSON_BLOCKS
from dicecup.hosting.store.statements import upsert
from dicecup.hosting.store.steps import Steps, statement

MOST: Final = 1000
"""People that one person may block."""


class BlockedPerson(NamedTuple):
    """A person whom another has blocked, with the name at that time. `since` is in seconds since
    1970."""

    identity: str
    other: str
    name: str
    since: float


async def block_person(store: Store, blocked: BlockedPerson) -> bool:
    """Block a person for another, and return whether there was room in the list. What was told of
    invitations by the blocked person is withdrawn. Raises `StoreError`."""

    def work(connection: Connection) -> bool:
        own = select(PERSON_BLOCKS.c.other).where(PERSON_BLOCKS.c.identity == blocked.identity)
        others = connection.execute(own).scalars().all()
        if len(others) >= MOST and blocked.other not in others:
            return False
        connection.execute(upsert(PERSON_BLOCKS, connection.dialect.name), blocked._asdict())
        outbox.withdraw_invitations(connection, by=blocked.other, to=blocked.identity, now=blocked.since)
        return True

    return await store.writer.work(work)


async def unblock_person(store: Store, identity: str, other: str) -> None:
    """End the block of a person by another. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        pair = [PERSON_BLOCKS.c.identity == identity, PERSON_BLOCKS.c.other == other]
        connection.execute(delete(PERSON_BLOCKS).where(*pair))

    await store.writer.work(work)


async def blocked_by(store: Store, identity: str) -> list[BlockedPerson]:
    """Return the people whom a person has blocked, the last one first. Raises `StoreError`."""
    query = select(PERSON_BLOCKS).where(PERSON_BLOCKS.c.identity == identity).order_by(PERSON_BLOCKS.c.since.desc())
    with translated():
        async with store.engines.readers.connect() as connection:
            return [BlockedPerson(*row) for row in await connection.execute(query)]


def blocks_among(connection: Connection, identities: Collection[str]) -> set[frozenset[str]]:
    """Return the pairs of these identities of which one has blocked the other."""
    rows = connection.exec_driver_sql(*statement(connection.dialect.name, _AMONG, list(identities)))
    return {frozenset(row) for row in rows}


def read_blocks_among(identities: Collection[str], dialect: str) -> Steps[set[frozenset[str]]]:
    """Return the same in a transaction in steps."""
    return {frozenset(row) for row in (yield statement(dialect, _AMONG, list(identities)))}


async def hidden_from(connection: AsyncConnection, identities: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Return the people whom each of these identities must not see: those on either side of a
    block."""
    rows = await connection.exec_driver_sql(*statement(connection.dialect.name, _EITHER, list(identities)))
    hidden: dict[str, set[str]] = {identity: set() for identity in identities}
    for pair in rows:
        for one, other in (tuple(pair), tuple(reversed(pair))):
            if one in hidden:
                hidden[one].add(other)
    return {identity: frozenset(others) for identity, others in hidden.items()}


_AMONG: Final = "SELECT identity, other FROM person_blocks WHERE identity = ANY($1::text[]) AND other = ANY($1::text[])"
_EITHER: Final = "SELECT identity, other FROM person_blocks WHERE identity = ANY($1::text[]) OR other = ANY($1::text[])"
