"""Export of bearer tokens with their tables, so that programs keep their identities on another
server.

A line of an export is `{"identity": ID, "tokens": [HASH, …]}` for each identity with bearer tokens
that sits at an exported table. Hashes are SHA-256 in lower-case hex, as in the database. No token
can be found from them.
"""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import SEATS, TOKENS

LONGEST_NAME: Final = 100
"""Characters of an identity."""
MOST_TOKENS: Final = 10_000
"""Tokens of one identity in an import."""
TABLE_LINE: Final = b'"events"'
"""Text in every line of a table and in no line of tokens: an identity has no quotation marks."""
_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


async def export_tokens(store: Store, tables: Sequence[str] = ()) -> list[str]:
    """Return a line without its newline for each identity at these tables, or at any, that has
    bearer tokens.

    Raises `StoreError`.
    """
    query = _TOKENS_AT_TABLES.where(SEATS.c.table_id.in_(list(tables))) if tables else _TOKENS_AT_TABLES
    with translated():
        async with store.engines.readers.connect() as connection:
            found = (await connection.execute(query)).all()
    return [
        json.dumps({"identity": identity, "tokens": [row.hash for row in rows]}, ensure_ascii=False, separators=(",", ":"))
        for identity, rows in groupby(found, lambda row: row.identity)
    ]


def are_tokens(line: bytes) -> bool:
    """Return whether a line of an export holds tokens rather than a table."""
    return TABLE_LINE not in line and b'"tokens"' in line


async def import_tokens(store: Store, line: bytes) -> int:
    """Import the tokens of a line and return how many were new.

    A known token keeps its identity. Tokens of an identity without a seat here are ignored. Raises
    `HostingError` (`not-an-export`) and `StoreError`.
    """
    identity, hashes = _read(line)
    rows = [{"hash": each, "identity": identity, "kind": "bearer", "expires": None} for each in hashes]

    def work(connection: Connection) -> int:
        if connection.execute(_HAS_SEAT, {"identity": identity}).first() is None:
            return 0
        new = postgresql.insert(TOKENS) if connection.dialect.name == "postgresql" else sqlite.insert(TOKENS)
        return sum(connection.execute(new.values(row).on_conflict_do_nothing()).rowcount for row in rows)

    return await store.writer.work(work)


def _read(line: bytes) -> tuple[str, Iterable[str]]:
    """Return the identity of a line and the hashes of its tokens, each hash once.

    Raises `HostingError` (`not-an-export`).
    """
    try:
        data: Any = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _not_an_export("JSON") from None
    if not isinstance(data, dict) or set(data) != {"identity", "tokens"}:
        raise _not_an_export("tokens")
    identity, tokens = data["identity"], data["tokens"]
    if not isinstance(identity, str) or not identity.isprintable() or not 1 <= len(identity) <= LONGEST_NAME:
        raise _not_an_export("identity")
    if not isinstance(tokens, list) or len(tokens) > MOST_TOKENS:
        raise _not_an_export("tokens")
    if not all(isinstance(token, str) and _HASH.fullmatch(token) for token in tokens):
        raise _not_an_export("tokens")
    return identity, dict.fromkeys(tokens)


def _not_an_export(where: str) -> HostingError:
    return HostingError(HostingCode.NOT_AN_EXPORT, text=where)


_TOKENS_AT_TABLES: Final = (
    select(TOKENS.c.identity, TOKENS.c.hash)
    .join(SEATS, SEATS.c.identity == TOKENS.c.identity)
    .where(TOKENS.c.kind == "bearer")
    .distinct()
    .order_by(TOKENS.c.identity, TOKENS.c.hash)
)
_HAS_SEAT: Final = select(SEATS.c.identity).where(SEATS.c.identity == bindparam("identity")).limit(1)
