"""The one who writes: a task that puts everything that waits into one transaction, so that it shares one commit."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import Connection, Table, bindparam, delete, insert
from sqlalchemy.dialects import postgresql, sqlite

from dicecup.service.store.engines import Engines
from dicecup.service.store.errors import StoreCode, StoreError
from dicecup.service.store.faults import translated
from dicecup.service.store.models import FINISHED, SEATS, TABLES
from dicecup.service.store.rows import Append, Digest, Raced

Work: TypeAlias = Callable[[Connection], Any]
Result = TypeVar("Result")

WAITING: Final = 4096
"""How many may wait to be written before the others are told that the server is busy."""
_FIELDS: Final = ("table_id", "number", "time", "body", "identity", "command_id")
_fields: Final = attrgetter("table", "number", "time", "body", "identity", "command_id")
MOST_ROWS: Final = 256
"""That one statement inserts."""
TOGETHER: Final = 128
"""How many share a commit at most."""


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """Appends that are written all or none, or other work; whoever waits for it."""

    task: Sequence[Append] | Work
    done: asyncio.Future[Any]


class Writer:
    """Started with `open`, ended with `close`, which writes first what waits."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._jobs: asyncio.Queue[_Job | None] = asyncio.Queue(WAITING)
        self._task = asyncio.create_task(self._write_all(), name="writer")
        self._closed = False

    async def append(self, *appends: Append) -> None:
        """Returns when all of it is on disk. Raises `Raced` and `StoreError` (`storage-full`, `storage-down`, `busy`); then nothing
        was written, but for `storage-down`, where nobody knows."""
        await self._wait(appends)

    async def work(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers, in a transaction of its own. Raises as `append`."""
        result: Result = await self._wait(work)
        return result

    async def close(self) -> None:
        """No more is taken."""
        if not self._closed:
            self._closed = True
            await self._jobs.put(None)
            await self._task

    async def _wait(self, task: Sequence[Append] | Work) -> Any:
        if self._closed:
            raise StoreError(StoreCode.DOWN)
        job = _Job(task, asyncio.get_running_loop().create_future())
        try:
            self._jobs.put_nowait(job)
        except asyncio.QueueFull:
            raise StoreError(StoreCode.BUSY) from None
        return await job.done

    async def _write_all(self) -> None:
        while (job := await self._jobs.get()) is not None:
            batch = [job]
            ended = False
            with suppress(asyncio.QueueEmpty):
                while len(batch) < TOGETHER and not ended:
                    following = self._jobs.get_nowait()
                    if following is None:
                        ended = True
                    else:
                        batch.append(following)
            await self._append_together([job for job in batch if not callable(job.task)])
            for job in batch:
                if callable(job.task):
                    await self._settle([job], self._engines.write(job.task))
            if ended:
                return

    async def _append_together(self, jobs: list[_Job]) -> None:
        """In one transaction; where one of them was raced, each in its own."""
        if not jobs:
            return
        appends = [append for job in jobs for append in job.task]  # type: ignore[union-attr]
        if not await self._settle(jobs, self._write(appends), alone=len(jobs) == 1):
            for job in jobs:
                await self._append_together([job])

    async def _write(self, appends: Sequence[Append]) -> None:
        """Where one statement is all there is to do, it is the transaction."""
        inserts = list(_inserts(appends, self._engines.url.get_backend_name()))
        digests = {append.digest.table: append.digest for append in appends if append.digest is not None}
        if len(inserts) == 1 and not digests:
            await self._engines.insert(*inserts[0])
        else:
            await self._engines.write(partial(_insert, inserts=inserts, digests=[digests[table] for table in sorted(digests)]))

    async def _settle(self, jobs: list[_Job], work: Awaitable[Any], *, alone: bool = True) -> bool:
        """Does it and tells the jobs; `False`, and nothing told, where it was raced and not `alone`."""
        try:
            with translated():
                result = await work
        except Raced as raced:
            if not alone:
                return False
            _fail(jobs, raced)
        except Exception as error:  # noqa: BLE001 it is raised where the job is waited for
            _fail(jobs, error)
        else:
            for job in jobs:
                if not job.done.done():
                    job.done.set_result(result)
        return True


def _inserts(appends: Sequence[Append], dialect: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Statements with their values. Rows in the order of their keys, so that no two workers wait for each other; many in one statement,
    since each one gives the interpreter to other threads and has to wait for it again."""
    rows = sorted((row for append in appends for row in append.rows), key=attrgetter("table", "number"))
    for at in range(0, len(rows), MOST_ROWS):
        part = rows[at : at + MOST_ROWS]
        yield _insert_text(len(part), dialect), tuple(value for row in part for value in _fields(row))


def _insert(connection: Connection, inserts: Iterable[tuple[str, tuple[Any, ...]]], digests: Sequence[Digest]) -> None:
    for statement, values in inserts:
        connection.exec_driver_sql(statement, values)
    if digests:
        write_digests(connection, digests)


def write_digests(connection: Connection, digests: Sequence[Digest]) -> None:
    """Puts these in the place of what stood there."""
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
    connection.execute(upsert(TABLES, connection.dialect.name), tables)
    changed = [(digest.table, digest.seats) for digest in digests if digest.seats is not None]
    if changed:
        connection.execute(_DELETE_SEATS, [{"table": table} for table, _ in changed])
    seats = [
        {"identity": identity, "table_id": table, "outcome": outcome} for table, taken in changed for identity, outcome in taken
    ]
    if seats:
        connection.execute(insert(SEATS), seats)
    finished = [
        {"table_id": digest.table, "game": digest.game, "ended": digest.ended}
        | {f"face_{face}": count for face, count in enumerate(digest.faces, 1)}
        for digest in digests
        if digest.faces is not None
    ]
    if finished:
        connection.execute(upsert(FINISHED, connection.dialect.name), finished)


_DELETE_SEATS: Final = delete(SEATS).where(SEATS.c.table_id == bindparam("table"))


@cache
def _insert_text(rows: int, dialect: str) -> str:
    if dialect == "postgresql":
        numbers = iter(range(1, rows * len(_FIELDS) + 1))
        values = (f"({', '.join(f'${next(numbers)}' for _ in _FIELDS)})" for _ in range(rows))
    else:
        values = (f"({', '.join('?' * len(_FIELDS))})" for _ in range(rows))
    return f"INSERT INTO events ({', '.join(_FIELDS)}) VALUES {', '.join(values)}"  # noqa: S608 nothing of it comes from outside


@cache
def upsert(table: Table, dialect: str) -> Any:
    """An insert that takes the place of the row with the same key."""
    new = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    values = {column.name: new.excluded[column.name] for column in table.columns if not column.primary_key}
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)


def _fail(jobs: list[_Job], error: Exception) -> None:
    for job in jobs:
        if not job.done.done():
            job.done.set_exception(error)
