"""Challenges that the server gives out and takes back once, within five minutes."""

from typing import Final

from sqlalchemy import Connection, delete, insert

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.identities import token_hash
from dicecup.hosting.store.models import CHALLENGES

LIFETIME: Final = 300.0
"""Seconds for which a challenge is valid."""
INTERVAL: Final = 60.0
"""Seconds between two deletions of the expired ones."""


async def save_challenge(store: Store, challenge: str, kind: str, data: str, now: float) -> None:
    """Save a challenge with what is needed to check its answer. Raises `StoreError`."""
    row = {"hash": token_hash(challenge), "kind": kind, "data": data, "expires": now + LIFETIME}
    await store.writer.work(lambda connection: connection.execute(insert(CHALLENGES), row))


async def delete_expired(store: Store, now: float) -> None:
    """Delete all expired challenges. Raises `StoreError`."""
    await store.writer.work(lambda connection: connection.execute(delete(CHALLENGES).where(CHALLENGES.c.expires <= now)))


async def use_challenge(store: Store, challenge: str, kind: str, now: float) -> str:
    """Delete a challenge, so that it works once, and return its data.

    Raises `HostingError` (`challenge-over`) for one that is unknown, used or expired, and
    `StoreError`.
    """
    return await store.writer.work(lambda connection: take_challenge(connection, challenge, kind, now))


def take_challenge(connection: Connection, challenge: str, kind: str, now: float) -> str:
    """Delete a challenge in a transaction of the caller, and return its data. Raises `HostingError`
    as `use_challenge`; a transaction that fails later leaves the challenge valid."""
    used = (
        delete(CHALLENGES)
        .where(CHALLENGES.c.hash == token_hash(challenge), CHALLENGES.c.kind == kind, CHALLENGES.c.expires > now)
        .returning(CHALLENGES.c.data)
    )
    data: str | None = connection.execute(used).scalar_one_or_none()
    if data is None:
        raise HostingError(HostingCode.CHALLENGE_OVER)
    return data
