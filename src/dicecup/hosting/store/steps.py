"""Transactions in steps: a generator yields its statements and is sent the rows of each.

What such a transaction does is written once for both databases, and its statements go to the driver
directly. SQLAlchemy takes longer for a statement than the database does, and a worker with many
people in its lobby has no time for that (docs/decisions/0055).
"""

import asyncio
import json
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar, cast

from sqlalchemy import Connection

from dicecup.hosting.store import driver
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.store import Store
from dicecup.hosting.store.tasks import Statement

Result = TypeVar("Result")
Rows: TypeAlias = Sequence[Any]
"""The rows that all executions of a statement return."""
Steps: TypeAlias = Generator[Statement, Rows, Result]

_BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
_BEGIN_LOCKED: Final = (
    f"{_BEGIN}; SELECT set_config('idle_in_transaction_session_timeout', '5s', true), "
    "set_config('random_page_cost', '1', true), pg_advisory_xact_lock({})"
)
"""A worker that is frozen while it holds the lock loses it after five seconds. The page cost lets
PostgreSQL read the few rows by their indexes: its statistics of rows that change so fast are old,
and with them it would read the whole table each time."""
PAUSE: Final = 0.005
"""Seconds before each statement on PostgreSQL, in which the tables have the processors: they would
wait for a transaction without pauses, though its statements need little time
(docs/decisions/0061)."""
_ANY: Final = re.compile(r"= ANY\((\$\d+)::text\[\]\)")
_EACH: Final = re.compile(r"unnest\((\$\d+)::text\[\]\)")


def statement(dialect: str, text: str, *values: object) -> Statement:
    """Return a statement that is executed once.

    `text` is PostgreSQL's, with placeholders `$1`, `$2`, … A list of texts is compared with
    `= ANY($1::text[])`, or read with `unnest($1::text[]) AS value`.
    """
    if dialect != "postgresql":
        values = tuple(json.dumps(value) if isinstance(value, list) else value for value in values)
    return driver_text(text, dialect), [values]


@cache
def driver_text(text: str, dialect: str) -> str:
    """Return the text of a statement for the driver of a database."""
    if dialect == "postgresql":
        return text
    return _EACH.sub(r"json_each(\1)", _ANY.sub(r"IN (SELECT value FROM json_each(\1))", text)).replace("$", "?")


async def run_steps(store: Store, make: Callable[[], Steps[Result]], lock: int | None = None) -> Result:
    """Return the result of steps in one transaction. PostgreSQL runs it beside the transactions of
    the tables, which do not wait for it. `lock`: key of an advisory lock that it takes first there,
    the same in every worker; SQLite's transactions lock the file. Raises `AppendConflict` and
    `StoreError`."""
    if not store.shared:
        return await store.writer.work(lambda connection: _run_sqlite(connection, make()))
    with translated():
        async with store.engines.readers.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            try:
                began = monotonic()
                await raw.execute(_BEGIN if lock is None else _BEGIN_LOCKED.format(lock))
                # where transactions wait for each other, pauses would make all of them late
                result = await _run_postgresql(raw, make(), PAUSE if monotonic() < began + PAUSE else 0.0)
                await raw.execute("COMMIT")
            except BaseException:
                with suppress(*driver.ERRORS):  # it may be broken, and nothing else would notice
                    await connection.invalidate()
                raise
    return result


async def _run_postgresql(connection: Any, steps: Steps[Result], pause: float) -> Result:
    rows: Any = None  # what a generator is sent first
    try:
        while True:
            text, values = steps.send(rows)
            await asyncio.sleep(pause)
            rows = await (connection.fetch(text, *values[0]) if len(values) == 1 else connection.fetchmany(text, values))
    except StopIteration as end:
        return cast(Result, end.value)


def _run_sqlite(connection: Connection, steps: Steps[Result]) -> Result:
    raw: Any = connection.connection.dbapi_connection
    rows: Any = None
    try:
        while True:
            text, values = steps.send(rows)
            rows = [row for each in values for row in raw.execute(text, each)]
    except StopIteration as end:
        return cast(Result, end.value)
