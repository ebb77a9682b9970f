"""Who sits at tables that move or that somebody looks after: their programs' tokens go along, and whoever lost a cookie comes back.

In an export, a line `{"identity": ID, "tokens": [HASH, …]}` for each identity that sits at a table in it and has bearer tokens: their SHA-256
in lower-case hex, as the database holds them, from which no token can be found.
"""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.digest import stored
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.faults import translated
from dicecup.hosting.store.identities import issue_transfer
from dicecup.hosting.store.models import SEATS, TOKENS
from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState

LONGEST_NAME: Final = 100
MOST: Final = 10_000
"""Tokens of one identity that are taken in."""
TABLE: Final = b'"events"'
"""Stands in every line of a table and in none of tokens: an identity has no quotation marks."""
_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


# --- Tokens -------------------------------------------------------------------------------------------------------------------


async def exported_tokens(store: Store, tables: Sequence[str] = ()) -> list[str]:
    """A line for each identity with tokens at these tables, or at all, without its newline. Raises `StoreError`."""
    query = _AT.where(SEATS.c.table_id.in_(list(tables))) if tables else _AT
    with translated():
        async with store.engines.readers.connect() as connection:
            found = (await connection.execute(query)).all()
    return [
        json.dumps({"identity": identity, "tokens": [row.hash for row in rows]}, ensure_ascii=False, separators=(",", ":"))
        for identity, rows in groupby(found, lambda row: row.identity)
    ]


def are_tokens(line: bytes) -> bool:
    """Whether this line of an export is of tokens rather than of a table."""
    return TABLE not in line and b'"tokens"' in line


async def imported_tokens(store: Store, line: bytes) -> int:
    """Takes the tokens of a line in, and says how many are new: never one that is here already, whomever it stands for, and none of an
    identity that sits at no table here. Raises `HostingError` (`not-an-export`) and `StoreError`."""
    identity, hashes = _read(line)
    rows = [{"hash": each, "identity": identity, "kind": "bearer", "expires": None} for each in hashes]

    def work(connection: Connection) -> int:
        if connection.execute(_SITS, {"identity": identity}).first() is None:
            return 0
        new = postgresql.insert(TOKENS) if connection.dialect.name == "postgresql" else sqlite.insert(TOKENS)
        return sum(connection.execute(new.values(row).on_conflict_do_nothing()).rowcount for row in rows)

    return await store.writer.work(work)


def _read(line: bytes) -> tuple[str, Iterable[str]]:
    try:
        data: Any = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _not_an_export("JSON") from None
    if not isinstance(data, dict) or set(data) != {"identity", "tokens"}:
        raise _not_an_export("tokens")
    identity, tokens = data["identity"], data["tokens"]
    if not isinstance(identity, str) or not identity.isprintable() or not 1 <= len(identity) <= LONGEST_NAME:
        raise _not_an_export("identity")
    if not isinstance(tokens, list) or len(tokens) > MOST:
        raise _not_an_export("tokens")
    if not all(isinstance(token, str) and _HASH.fullmatch(token) for token in tokens):
        raise _not_an_export("tokens")
    return identity, dict.fromkeys(tokens)


def _not_an_export(where: str) -> HostingError:
    return HostingError(HostingCode.NOT_AN_EXPORT, text=where)


# --- Seats --------------------------------------------------------------------------------------------------------------------


async def transfer_for(store: Store, table: str, seat: int, now: float) -> str:
    """The secret of a transfer link for whoever sits on this seat. Raises `HostingError` (`no-such-table`, `no-such-seat`,
    `nobody-sits-there` for a free seat or a computer's) and `StoreError`."""
    rows = await store.events(table)
    if not rows:
        raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
    seats = TableState.from_events(stored(row) for row in rows).seats
    if not 0 <= seat < len(seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=seat + 1)
    identity = seats[seat].identity
    if identity is None or not seats[seat].is_human:
        raise HostingError(HostingCode.NOBODY_SITS_THERE, text=seat + 1)
    return await issue_transfer(store, identity, now)


_AT: Final = (
    select(TOKENS.c.identity, TOKENS.c.hash)
    .join(SEATS, SEATS.c.identity == TOKENS.c.identity)
    .where(TOKENS.c.kind == "bearer")
    .distinct()
    .order_by(TOKENS.c.identity, TOKENS.c.hash)
)
_SITS: Final = select(SEATS.c.identity).where(SEATS.c.identity == bindparam("identity")).limit(1)
