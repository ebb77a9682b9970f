"""The bearer tokens of somebody, told apart by the beginning of their hashes, which gives nothing away."""

import hashlib
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select

from dicecup.hosting.store.faults import translated
from dicecup.hosting.store.models import TOKENS
from dicecup.hosting.store.store import Store

ID: Final = 16
"""Hexadecimal digits: 64 bits."""


def token_id(token: str) -> str:
    """By which its owner can name it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:ID]


async def tokens_of(store: Store, identity: str) -> list[str]:
    """The ids of all bearer tokens that stand for this identity."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(_OF, {"identity": identity})
            return sorted(row.hash[:ID] for row in found)


async def revoke_one(store: Store, identity: str, token: str) -> bool:
    """The token of this id stands for this identity no longer; whether it did."""
    wanted = [TOKENS.c.identity == identity, TOKENS.c.kind == "bearer", TOKENS.c.hash.startswith(token, autoescape=True)]

    def work(connection: Connection) -> bool:
        return connection.execute(delete(TOKENS).where(*wanted)).rowcount > 0

    return len(token) == ID and token.isascii() and token.isalnum() and await store.writer.work(work)


_OF: Final = select(TOKENS.c.hash).where(TOKENS.c.identity == bindparam("identity"), TOKENS.c.kind == "bearer")
