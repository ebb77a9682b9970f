"""Bearer tokens of an identity. An id names a token: the beginning of its hash, which does not
reveal the token."""

import hashlib
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.identities import MOST_TOKENS
from dicecup.hosting.store.models import TOKENS
from dicecup.hosting.store.store import Store

ID_LENGTH: Final = 16
"""Hexadecimal digits of a token's id: 64 bits."""


def token_id(token: str) -> str:
    """Return the id of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


async def tokens_of(store: Store, identity: str) -> list[str]:
    """Return the ids of the bearer tokens of an identity, at most `MOST_TOKENS`. Raises
    `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(_TOKENS_OF, {"identity": identity})
            return sorted(row.hash[:ID_LENGTH] for row in found)


async def revoke_one(store: Store, identity: str, token: str) -> bool:
    """Delete the token with this id if it belongs to the identity, and return whether it did.
    Raises `StoreError`."""
    wanted = [TOKENS.c.identity == identity, TOKENS.c.kind == "bearer", TOKENS.c.hash.startswith(token, autoescape=True)]

    def work(connection: Connection) -> bool:
        return connection.execute(delete(TOKENS).where(*wanted)).rowcount > 0

    return len(token) == ID_LENGTH and token.isascii() and token.isalnum() and await store.writer.work(work)


_TOKENS_OF: Final = (
    select(TOKENS.c.hash).where(TOKENS.c.identity == bindparam("identity"), TOKENS.c.kind == "bearer").limit(MOST_TOKENS)
)
