"""Secrets that stand for an identity: bearer tokens for programs, and transfer links that bring a second device to it.

The database holds their SHA-256 only: they are random, so that nothing shorter than themselves finds them.
"""

import hashlib
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, or_, select

from dicecup.hosting.store.faults import translated
from dicecup.hosting.store.models import TOKENS
from dicecup.hosting.store.store import Store

TRANSFER_WITHIN: Final = 600.0
"""Seconds for which a transfer link can be used."""


def new_identity() -> str:
    """A random one: 128 bits."""
    return token_urlsafe(16)


async def issue_token(store: Store, identity: str) -> str:
    """A bearer token, told this once."""
    return await _issue(store, identity, "bearer", None)


async def issue_transfer(store: Store, identity: str, now: float) -> str:
    """The secret of a transfer link. Those that nobody used in time are forgotten."""

    def work(connection: Connection) -> None:
        connection.execute(delete(TOKENS).where(TOKENS.c.expires <= now))

    await store.writer.work(work)
    return await _issue(store, identity, "transfer", now + TRANSFER_WITHIN)


async def identity_of(store: Store, token: str) -> str | None:
    """Whom a bearer token stands for, if it is one."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(_BEARER, {"hash": _hash(token)})
            return found.scalar_one_or_none()


async def redeem(store: Store, transfer: str, now: float) -> str | None:
    """Whom a transfer link stands for, once: afterwards it is used up."""
    gone = (
        delete(TOKENS)
        .where(
            TOKENS.c.hash == _hash(transfer),
            TOKENS.c.kind == "transfer",
            or_(TOKENS.c.expires.is_(None), TOKENS.c.expires > now),
        )
        .returning(TOKENS.c.identity)
    )

    def work(connection: Connection) -> str | None:
        return connection.execute(gone).scalar_one_or_none()

    return await store.writer.work(work)


async def revoke(store: Store, identity: str) -> int:
    """No bearer token and no transfer link stands for this identity any more; how many did."""

    def work(connection: Connection) -> int:
        return connection.execute(delete(TOKENS).where(TOKENS.c.identity == identity)).rowcount

    return await store.writer.work(work)


async def _issue(store: Store, identity: str, kind: str, expires: float | None) -> str:
    token = token_urlsafe(32)
    row = {"hash": _hash(token), "identity": identity, "kind": kind, "expires": expires}

    def work(connection: Connection) -> None:
        connection.execute(insert(TOKENS), row)

    await store.writer.work(work)
    return token


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


_BEARER: Final = select(TOKENS.c.identity).where(TOKENS.c.hash == bindparam("hash"), TOKENS.c.kind == "bearer")
