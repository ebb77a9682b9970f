"""Identities and their secrets: bearer tokens of programs, and transfer links for another device of
the same identity.

The database holds only the SHA-256 of a secret. Secrets are random and long, so no search finds
them from the hash.
"""

import hashlib
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import TOKENS
from dicecup.hosting.store.store import Store

MOST_TOKENS: Final = 50
"""Bearer tokens that an identity may have, and open transfer links."""
TRANSFER_LIFETIME: Final = 600.0
"""Seconds for which a transfer link is valid."""


def new_identity() -> str:
    """Return a random identity of 128 bits."""
    return token_urlsafe(16)


async def issue_token(store: Store, identity: str) -> str:
    """Return a new bearer token of an identity. Raises `HostingError` (`too-many-tokens`) and
    `StoreError`."""
    return await _issue(store, identity, "bearer", None, MOST_TOKENS)


async def issue_transfer(
    store: Store,
    identity: str,
    now: float,
    also: Callable[[Connection], None] | None = None,
    most: int | None = MOST_TOKENS,
) -> str:
    """Return the secret of a new transfer link, and delete all expired ones. `also` runs in the
    same transaction.

    Raises `HostingError` (`too-many-tokens`) if the identity has `most` links, and `StoreError`.
    """

    def work(connection: Connection) -> None:
        connection.execute(delete(TOKENS).where(TOKENS.c.expires <= now))
        if also is not None:
            also(connection)

    return await _issue(store, identity, "transfer", now + TRANSFER_LIFETIME, most, work)


async def identity_of(store: Store, token: str) -> str | None:
    """Return the identity of a bearer token, `None` for an unknown token. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(_BEARER, {"hash": token_hash(token)})
            return found.scalar_one_or_none()


async def redeem(
    store: Store, secret: str, now: float, also: Callable[[Connection, str], None] | None = None, *, kind: str = "transfer"
) -> str | None:
    """Return the identity of a valid transfer link, or another `kind` of secret, and delete it, so
    that it works once. `also` runs in the same transaction with the identity. Raises
    `StoreError`."""
    used = (
        delete(TOKENS)
        .where(
            TOKENS.c.hash == token_hash(secret),
            TOKENS.c.kind == kind,
            or_(TOKENS.c.expires.is_(None), TOKENS.c.expires > now),
        )
        .returning(TOKENS.c.identity)
    )

    def work(connection: Connection) -> str | None:
        identity: str | None = connection.execute(used).scalar_one_or_none()
        if identity is not None and also is not None:
            also(connection, identity)
        return identity

    return await store.writer.work(work)


async def revoke(store: Store, identity: str) -> int:
    """Delete all bearer tokens and transfer links of an identity and return their number. Raises
    `StoreError`."""

    def work(connection: Connection) -> int:
        own = delete(TOKENS).where(TOKENS.c.identity == identity, TOKENS.c.kind.in_(("bearer", "transfer")))
        return connection.execute(own).rowcount

    return await store.writer.work(work)


async def _issue(
    store: Store,
    identity: str,
    kind: str,
    expires: float | None,
    most: int | None,
    also: Callable[[Connection], None] | None = None,
) -> str:
    """Save the hash of a new random token and return the token. `also` runs in the same
    transaction.

    `expires`: the time in seconds after which it is invalid, `None` for a token that stays valid.
    Raises `HostingError` (`too-many-tokens`) if the identity has `most` of this kind.
    """
    token = token_urlsafe(32)
    row = {"hash": token_hash(token), "identity": identity, "kind": kind, "expires": expires}

    def work(connection: Connection) -> None:
        if also is not None:
            also(connection)
        if most is not None and connection.execute(_COUNT, {"identity": identity, "kind": kind}).scalar_one() >= most:
            raise HostingError(HostingCode.TOO_MANY_TOKENS, most=most)
        connection.execute(insert(TOKENS), row)

    await store.writer.work(work)
    return token


def token_hash(token: str) -> str:
    """Return the SHA-256 of a secret in lower-case hex."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


_COUNT: Final = (
    select(func.count())
    .select_from(TOKENS)
    .where(TOKENS.c.identity == bindparam("identity"), TOKENS.c.kind == bindparam("kind"))
)
_BEARER: Final = select(TOKENS.c.identity).where(TOKENS.c.hash == bindparam("hash"), TOKENS.c.kind == "bearer")
