"""Statements for appends and digests as SQL texts of the driver, with values by position.

SQLAlchemy compiles each text once. Compiling it for every append would take longer than writing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Delete, Insert, Table, bindparam, delete, insert, make_url
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.store.models import EVENTS, FINISHED, NOTICES, PRESENCE, SEATS, TABLES
from dicecup.hosting.store.rating_models import RATED_GAMES
from dicecup.hosting.store.rows import Append, Digest, EventRow
from dicecup.hosting.store.tasks import Statement

ROWS_PER_INSERT: Final = 256
_key: Final = itemgetter(0, 1)
_DRIVERS: Final = {"sqlite": make_url("sqlite://"), "postgresql": make_url("postgresql+asyncpg://")}
_FIELDS: Final = ("table_id", "number", "time", "body", "identity", "command_id")
"""Columns of the table `events`, in the order of an `EventRow`."""
_UNCHANGED: Final = ("game", "created", "creator")
"""Columns of `tables` that never change."""


def append_statements(appends: Sequence[Append], dialect: str) -> list[Statement]:
    """Return the statements that insert all events, write the last digest of each table, and put
    notices into the outbox.

    Rows are in the order of their keys, so that two workers never deadlock.
    """
    by_table = {append.digest.table: append.digest for append in appends if append.digest is not None}
    digests = [by_table[table] for table in sorted(by_table)]
    new = {row.table for append in appends for row in append.rows if row.number == 1}
    seats = _seat_rows(digest for digest in digests if digest.table in new)
    if dialect == "postgresql":
        statements = [_append(appends, digests, seats)]
    else:
        statements = [*_insert_events(appends), *_table_statements(digests, dialect), *_seat_statements(seats, dialect)]
    statements += _detail_statements(digests, dialect, new)
    if notices := sorted(chain.from_iterable(append.notices for append in appends)):
        statements.append(_statement("upsert notice", dialect, [notice._asdict() | {"told": False} for notice in notices]))
    if rated := sorted(append.rated for append in appends if append.rated is not None):
        statements.append(_statement("insert rated game", dialect, [row._asdict() | {"number": None} for row in rated]))
    return statements


def digest_statements(digests: Sequence[Digest], dialect: str) -> Iterator[Statement]:
    """Yield the statements that write these digests over the stored ones."""
    yield from _table_statements(digests, dialect)
    yield from _detail_statements(digests, dialect)


def _table_statements(digests: Sequence[Digest], dialect: str) -> Iterator[Statement]:
    if digests:
        yield _statement("upsert table", dialect, [_table_row(digest) for digest in digests])


def _table_row(digest: Digest) -> dict[str, object]:
    return {
        "table_id": digest.table,
        "game": digest.game,
        "state": digest.state,
        "created": digest.created,
        "creator": digest.creator,
        "wake": digest.wake,
        "summary": digest.summary,
        "listing": digest.listing,
    }


def _detail_statements(digests: Sequence[Digest], dialect: str, new: Collection[str] = ()) -> Iterator[Statement]:
    """Yield the statements that write the seats and the endings of digests, but not the seats of
    `new` tables."""
    changed = [digest for digest in digests if digest.seats is not None and digest.table not in new]
    if changed:
        yield _statement("delete seats", dialect, [{"table_id": digest.table} for digest in changed])
    yield from _seat_statements(_seat_rows(changed), dialect)
    finished = [
        {"table_id": digest.table, "game": digest.game, "ended": digest.ended}
        | {f"face_{face}": count for face, count in enumerate(digest.faces, 1)}
        for digest in digests
        if digest.faces is not None
    ]
    if finished:
        yield _statement("upsert finished", dialect, finished)


def _seat_rows(digests: Iterable[Digest]) -> list[dict[str, object]]:
    return [
        {"identity": held.identity, "table_id": digest.table, "outcome": held.outcome, "seats": ",".join(map(str, held.seats))}
        for digest in digests
        for held in digest.seats or ()
    ]


def _seat_statements(seats: Sequence[Mapping[str, object]], dialect: str) -> Iterator[Statement]:
    if seats:
        yield _statement("insert seat", dialect, seats)


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


def _insert_events(appends: Sequence[Append]) -> Iterator[Statement]:
    """Yield inserts of many rows each for SQLite: every execution releases the interpreter lock and
    waits to get it back."""
    rows = _rows(appends)
    for start in range(0, len(rows), ROWS_PER_INSERT):
        part = rows[start : start + ROWS_PER_INSERT]
        yield _insert_text(len(part)), [tuple(chain.from_iterable(part))]


def _rows(appends: Iterable[Append]) -> list[EventRow]:
    return sorted(chain.from_iterable(append.rows for append in appends), key=_key)


def _append(appends: Sequence[Append], digests: Sequence[Digest], seats: Sequence[Mapping[str, object]]) -> Statement:
    """Return the statement that inserts all events and the seats of new tables, and writes digests,
    on PostgreSQL.

    One statement is a transaction by itself, without the round trips of others. Its values are an
    array for each column, so that the database plans it once for any number of rows.
    """
    text, values = _insert_arrays(EVENTS, _FIELDS, 1), _arrays(_rows(appends), len(_FIELDS))
    others = []
    if digests:
        others.append(f"changed AS ({_upsert_arrays(TABLES, 1 + len(values), _UNCHANGED)})")
        values += _columns(TABLES, map(_table_row, digests))
    if seats:
        others.append(f"seated AS ({_insert_arrays(SEATS, tuple(SEATS.columns.keys()), 1 + len(values))})")
        values += _columns(SEATS, seats)
    return (f"WITH {', '.join(others)} {text}" if others else text), [tuple(values)]


def _columns(table: Table, rows: Iterable[Mapping[str, object]]) -> list[list[object]]:
    """Return the values of rows as an array for each column of their table."""
    names = table.columns.keys()
    return _arrays([[row[name] for name in names] for row in rows], len(names))


def _arrays(rows: Sequence[Sequence[Any]], columns: int) -> list[list[Any]]:
    """Return the values of rows as an array for each column."""
    return [[row[column] for row in rows] for column in range(columns)]


def presence_statement(rows: Sequence[tuple[str, str, float]], dialect: str) -> Statement:
    """Return the statement that writes when identities were last seen, by table and identity."""
    if dialect == "postgresql":
        return _upsert_arrays(PRESENCE, 1), [tuple(_arrays(rows, len(PRESENCE.columns)))]
    columns = PRESENCE.columns.keys()
    return _statement("upsert presence", dialect, [dict(zip(columns, row, strict=True)) for row in rows])


@cache
def _upsert_arrays(table: Table, first: int, unchanged: tuple[str, ...] = ()) -> str:
    """Return the SQL text of `upsert` with an array for each column. `first`: as for
    `_insert_arrays`."""
    keys = table.primary_key.columns.keys()
    columns = tuple(table.columns.keys())
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in (*keys, *unchanged))
    return f"{_insert_arrays(table, columns, first)} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changes}"


@cache
def _insert_arrays(table: Table, columns: tuple[str, ...], first: int) -> str:
    """Return the SQL text that inserts rows from an array for each column. `first`: number of the
    first placeholder."""
    types = (table.columns[name].type.compile(_DRIVERS["postgresql"].get_dialect()()) for name in columns)
    arrays = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(types, first))
    return f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT * FROM unnest({arrays})"  # noqa: S608 the text has no foreign input


def _statement(name: str, dialect: str, rows: Sequence[Mapping[str, object]]) -> Statement:
    text, columns = _compiled(name, dialect)
    return text, [tuple(row[column] for column in columns) for row in rows]


@cache
def _compiled(name: str, dialect: str) -> tuple[str, tuple[str, ...]]:
    """Return the SQL text of a statement and the columns of its values, in order."""
    statements: dict[str, Insert | Delete] = {
        "upsert table": upsert(TABLES, dialect, unchanged=_UNCHANGED),
        "delete seats": delete(SEATS).where(SEATS.c.table_id == bindparam("table_id")),
        "insert seat": insert(SEATS),
        "upsert finished": upsert(FINISHED, dialect),
        "upsert presence": upsert(PRESENCE, dialect),
        "upsert notice": upsert(NOTICES, dialect, unchanged=("told",)),
        "insert rated game": insert_if_missing(RATED_GAMES, dialect),
    }
    compiled = statements[name].compile(dialect=_DRIVERS[dialect].get_dialect()())
    return str(compiled), tuple(compiled.positiontup or ())


@cache
def _insert_text(rows: int) -> str:
    """Return the SQL text that inserts this many events into SQLite."""
    values = ", ".join([f"({', '.join('?' * len(_FIELDS))})"] * rows)
    return f"INSERT INTO events ({', '.join(_FIELDS)}) VALUES {values}"  # noqa: S608 the text has no foreign input
