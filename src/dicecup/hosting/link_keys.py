"""Keys of the links to a table and to its finished game. They follow from the host key, so no
database holds them."""

import hmac
from dataclasses import dataclass
from typing import Final

from dicecup.hosting.host_key import derived_key

KEY_LENGTH: Final = 22
"""Characters of a link's key: 88 bits of a hash in hex."""


@dataclass(frozen=True, slots=True)
class TableKeys:
    """Id of a table and the keys of its two links: `join` lets people sit down, `watch`
    only look."""

    table: str
    join: str
    watch: str


def keys_of(host_key: bytes, table: str, links: int) -> TableKeys:
    """Return the keys of a table whose links were replaced `links` times."""
    return TableKeys(table, _key(host_key, "join", table, links), _key(host_key, "watch", table, links))


def share_key(host_key: bytes, table: str, links: int) -> str:
    """Return the key of the link to the finished game of a table whose links were replaced `links`
    times."""
    return _key(host_key, "share", table, links)


def opens(keys: TableKeys, key: str | None, *, join: bool = False) -> bool:
    """Return whether a key lets people look, or with `join` sit down."""
    accepted = (keys.join,) if join else (keys.join, keys.watch)
    return any(is_key(key, right) for right in accepted)


def is_key(key: str | None, right: str) -> bool:
    """Return whether a key is the right one."""
    return key is not None and hmac.compare_digest(key.encode(), right.encode())


def _key(host_key: bytes, purpose: str, table: str, links: int) -> str:
    text = f"{table} {links}" if links else table
    return hmac.digest(derived_key(host_key, purpose), text.encode(), "sha256").hex()[:KEY_LENGTH]
