"""What is written again and again, in the drivers' own words: SQLAlchemy says them once, and then they are texts with values by
position."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Delete, Insert, Table, bindparam, delete, insert, make_url
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.hosting.store.models import FINISHED, SEATS, TABLES
from dicecup.hosting.store.rows import Append, Digest

Statement: TypeAlias = tuple[str, Sequence[tuple[Any, ...]]]
"""A text, and the values of each time that it is said."""

MOST_ROWS: Final = 256
"""That one statement inserts."""
_by_key: Final = itemgetter(0, 1)
_DRIVERS: Final = {"sqlite": make_url("sqlite://"), "postgresql": make_url("postgresql+asyncpg://")}
_FIELDS: Final = ("table_id", "number", "time", "body", "identity", "command_id")
"""As a `Row` has them."""


def of_appends(appends: Sequence[Append], dialect: str) -> list[Statement]:
    """The new rows, then the last digest of each table; all in the order of their keys, so that no two workers wait for each other."""
    digests = {append.digest.table: append.digest for append in appends if append.digest is not None}
    return [*_inserts(appends, dialect), *of_digests([digests[table] for table in sorted(digests)], dialect)]


def _inserts(appends: Sequence[Append], dialect: str) -> Iterator[Statement]:
    """Many rows in one statement, since each one gives the interpreter to other threads and has to wait for it again."""
    rows = sorted(chain.from_iterable(append.rows for append in appends), key=_by_key)
    for at in range(0, len(rows), MOST_ROWS):
        part = rows[at : at + MOST_ROWS]
        yield _insert_text(len(part), dialect), [tuple(chain.from_iterable(part))]


def of_digests(digests: Sequence[Digest], dialect: str) -> Iterator[Statement]:
    """Puts these in the place of what stood there."""
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
        }
        for digest in digests
    ]
    yield _said("table", dialect, tables)
    changed = [(digest.table, digest.seats) for digest in digests if digest.seats is not None]
    if changed:
        yield _said("no seats", dialect, [{"table_id": table} for table, _ in changed])
    seats = [
        {"identity": identity, "table_id": table, "outcome": outcome} for table, taken in changed for identity, outcome in taken
    ]
    if seats:
        yield _said("seat", dialect, seats)
    finished = [
        {"table_id": digest.table, "game": digest.game, "ended": digest.ended}
        | {f"face_{face}": count for face, count in enumerate(digest.faces, 1)}
        for digest in digests
        if digest.faces is not None
    ]
    if finished:
        yield _said("finished", dialect, finished)


def upsert(table: Table, dialect: str, stays: Collection[str] = ()) -> Insert:
    """An insert that takes the place of the row with the same key, but for what `stays` as it was: SQLite writes the index of every column
    that it is told to write."""
    new = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    values = {
        column.name: new.excluded[column.name] for column in table.columns if not (column.primary_key or column.name in stays)
    }
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)


def _said(what: str, dialect: str, rows: Sequence[Mapping[str, object]]) -> Statement:
    text, names = _text(what, dialect)
    return text, [tuple(row[name] for name in names) for row in rows]


@cache
def _text(what: str, dialect: str) -> tuple[str, tuple[str, ...]]:
    """A statement, and by name whose values it wants."""
    statements: dict[str, Insert | Delete] = {
        "table": upsert(TABLES, dialect, stays=("game", "created", "creator")),
        "no seats": delete(SEATS).where(SEATS.c.table_id == bindparam("table_id")),
        "seat": insert(SEATS),
        "finished": upsert(FINISHED, dialect),
    }
    compiled = statements[what].compile(dialect=_DRIVERS[dialect].get_dialect()())
    return str(compiled), tuple(compiled.positiontup or ())


@cache
def _insert_text(rows: int, dialect: str) -> str:
    if dialect == "postgresql":
        numbers = iter(range(1, rows * len(_FIELDS) + 1))
        values = (f"({', '.join(f'${next(numbers)}' for _ in _FIELDS)})" for _ in range(rows))
    else:
        values = (f"({', '.join('?' * len(_FIELDS))})" for _ in range(rows))
    return f"INSERT INTO events ({', '.join(_FIELDS)}) VALUES {', '.join(values)}"  # noqa: S608 nothing of it comes from outside
