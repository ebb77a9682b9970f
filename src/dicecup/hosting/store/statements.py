"""Statements for appends and digests as SQL texts of the driver, with values by position.

SQLAlchemy compiles each text once. Compiling it for every append would take longer than writing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Delete, Insert, Table, bindparam, delete, insert, make_url
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.store.models import FINISHED, NOTICES, SEATS, TABLES
from dicecup.hosting.store.rating_models import RATED_GAMES
from dicecup.hosting.store.rows import Append, Digest

Statement: TypeAlias = tuple[str, Sequence[tuple[Any, ...]]]
"""An SQL text and one tuple of values for each of its executions."""

ROWS_PER_INSERT: Final = 256
_key: Final = itemgetter(0, 1)
_DRIVERS: Final = {"sqlite": make_url("sqlite://"), "postgresql": make_url("postgresql+asyncpg://")}
_FIELDS: Final = ("table_id", "number", "time", "body", "identity", "command_id")
"""Columns of the table `events`, in the order of an `EventRow`."""


def append_statements(appends: Sequence[Append], dialect: str) -> list[Statement]:
    """Return the statements that insert all events, write the last digest of each table, and put
    notices into the outbox.

    Rows are in the order of their keys, so that two workers never deadlock.
    """
    digests = {append.digest.table: append.digest for append in appends if append.digest is not None}
    statements = [*_insert_events(appends, dialect), *digest_statements([digests[table] for table in sorted(digests)], dialect)]
    if notices := sorted(chain.from_iterable(append.notices for append in appends)):
        statements.append(_statement("upsert notice", dialect, [notice._asdict() | {"told": False} for notice in notices]))
    if rated := sorted(append.rated for append in appends if append.rated is not None):
        statements.append(_statement("insert rated game", dialect, [row._asdict() | {"number": None} for row in rated]))
    return statements


def digest_statements(digests: Sequence[Digest], dialect: str) -> Iterator[Statement]:
    """Yield the statements that write these digests over the stored ones."""
    if not digests:
        return
    tables = [
        {
            "table_id": digest.table,
            "game": digest.game,
            "state": digest.state,
            "created": digest.created,
            "creator": digest.creator,
            "wake": digest.wake,
            "summary": digest.summary,
            "listing": digest.listing,
        }
        for digest in digests
    ]
    yield _statement("upsert table", dialect, tables)
    changed = [(digest.table, digest.seats) for digest in digests if digest.seats is not None]
    if changed:
        yield _statement("delete seats", dialect, [{"table_id": table} for table, _ in changed])
    seats = [
        {"identity": held.identity, "table_id": table, "outcome": held.outcome, "seats": ",".join(map(str, held.seats))}
        for table, identities in changed
        for held in identities
    ]
    if seats:
        yield _statement("insert seat", dialect, seats)
    finished = [
        {"table_id": digest.table, "game": digest.game, "ended": digest.ended}
        | {f"face_{face}": count for face, count in enumerate(digest.faces, 1)}
        for digest in digests
        if digest.faces is not None
    ]
    if finished:
        yield _statement("upsert finished", dialect, finished)


def upsert(table: Table, dialect: str, unchanged: Collection[str] = ()) -> Insert:
    """Return an insert that overwrites the row with the same key, except for its `unchanged`
    columns.

    SQLite rewrites the index of every column that a statement sets, even to the same value.
    """
    new = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    values = {
        column.name: new.excluded[column.name]
        for column in table.columns
        if not (column.primary_key or column.name in unchanged)
    }
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)


def insert_if_missing(table: Table, dialect: str) -> Insert:
    """Return an insert that leaves a row with the same key as it is."""
    new = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    return new.on_conflict_do_nothing()


def padded(values: Iterable[str]) -> list[str]:
    """Return values for the list of an `IN`, the last one repeated up to a power of two: the
    database plans a statement anew for each length."""
    listed = list(values)
    return listed + listed[-1:] * ((1 << (len(listed) - 1).bit_length()) - len(listed)) if listed else listed


def _insert_events(appends: Sequence[Append], dialect: str) -> Iterator[Statement]:
    """Yield inserts of many rows each: every execution releases the interpreter lock and waits to
    get it back."""
    rows = sorted(chain.from_iterable(append.rows for append in appends), key=_key)
    for start in range(0, len(rows), ROWS_PER_INSERT):
        part = rows[start : start + ROWS_PER_INSERT]
        yield _insert_text(len(part), dialect), [tuple(chain.from_iterable(part))]


def _statement(name: str, dialect: str, rows: Sequence[Mapping[str, object]]) -> Statement:
    text, columns = _compiled(name, dialect)
    return text, [tuple(row[column] for column in columns) for row in rows]


@cache
def _compiled(name: str, dialect: str) -> tuple[str, tuple[str, ...]]:
    """Return the SQL text of a statement and the columns of its values, in order."""
    statements: dict[str, Insert | Delete] = {
        "upsert table": upsert(TABLES, dialect, unchanged=("game", "created", "creator")),
        "delete seats": delete(SEATS).where(SEATS.c.table_id == bindparam("table_id")),
        "insert seat": insert(SEATS),
        "upsert finished": upsert(FINISHED, dialect),
        "upsert notice": upsert(NOTICES, dialect, unchanged=("told",)),
        "insert rated game": insert_if_missing(RATED_GAMES, dialect),
    }
    compiled = statements[name].compile(dialect=_DRIVERS[dialect].get_dialect()())
    return str(compiled), tuple(compiled.positiontup or ())


@cache
def _insert_text(rows: int, dialect: str) -> str:
    """Return the SQL text that inserts this many events, with the placeholders of the driver."""
    if dialect == "postgresql":
        numbers = iter(range(1, rows * len(_FIELDS) + 1))
        values = (f"({', '.join(f'${next(numbers)}' for _ in _FIELDS)})" for _ in range(rows))
    else:
        values = (f"({', '.join('?' * len(_FIELDS))})" for _ in range(rows))
    return f"INSERT INTO events ({', '.join(_FIELDS)}) VALUES {', '.join(values)}"  # noqa: S608 the text has no foreign input
