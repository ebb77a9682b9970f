"""Transactions in steps do the same on both databases: all of their statements or none."""

import asyncio

import pytest

from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.rows import AppendConflict
from dicecup.hosting.store.steps import Steps, driver_text, run_steps, statement
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from tests.postgres import Postgres

INSERT = "INSERT INTO lobby_workers (worker, seen, people) VALUES ($1, $2, $3)"
SELECT = "SELECT worker, seen FROM lobby_workers WHERE worker = ANY($1::text[]) ORDER BY worker"
NAMES = ["ann", 'b"en', "c'arl", "d\\ora", "é 🎲"]


def _insert(store: Store, *workers: str) -> Steps[None]:
    yield driver_text(INSERT, store.engines.dialect), [(worker, 0.1, 1) for worker in workers]


def _workers(store: Store, *asked: str) -> Steps[list[tuple[str, float]]]:
    rows = yield statement(store.engines.dialect, SELECT, list(asked))
    return [tuple(row) for row in rows]


async def test_a_statement_sees_those_before_and_lists_hold_any_texts(store: Store) -> None:
    def steps() -> Steps[list[tuple[str, float]]]:
        yield from _insert(store, *NAMES)
        return (yield from _workers(store, *NAMES, "nobody"))

    assert sorted(await run_steps(store, steps)) == sorted((name, 0.1) for name in NAMES)
    assert await run_steps(store, lambda: _workers(store)) == []
    assert await run_steps(store, lambda: _workers(store, "ann")) == [("ann", 0.1)]


async def test_rows_of_all_executions_of_a_statement_are_sent(store: Store) -> None:
    def steps() -> Steps[list[tuple[str, float]]]:
        rows = yield driver_text(f"{INSERT} RETURNING worker, seen", store.engines.dialect), [(name, 0.1, 1) for name in NAMES]
        return [tuple(row) for row in rows]

    assert await run_steps(store, steps) == [(name, 0.1) for name in NAMES]
    assert sorted(await run_steps(store, lambda: _workers(store, *NAMES))) == sorted((name, 0.1) for name in NAMES)


async def test_what_fails_leaves_nothing_and_the_next_one_works(store: Store) -> None:
    def fails() -> Steps[None]:
        yield from _insert(store, "ann")
        raise KeyError("ann")

    def conflicts() -> Steps[None]:
        yield from _insert(store, "ann")
        yield from _insert(store, "ben", "ann")

    with pytest.raises(KeyError):
        await run_steps(store, fails)
    with pytest.raises(AppendConflict):
        await run_steps(store, conflicts)
    assert await run_steps(store, lambda: _workers(store, "ann", "ben")) == []
    await run_steps(store, lambda: _insert(store, "ann"))
    assert await run_steps(store, lambda: _workers(store, "ann")) == [("ann", 0.1)]


@pytest.mark.slow
async def test_a_lost_or_cancelled_transaction_does_not_hold_the_next_one_up(postgres: Postgres) -> None:
    store = await Store.open(database_url(postgres.new_database()))
    try:

        def cut() -> Steps[None]:
            yield from _insert(store, "ann")
            yield statement("postgresql", "SELECT pg_terminate_backend(pg_backend_pid())")

        with pytest.raises(StoreError) as lost:
            await run_steps(store, cut)
        assert lost.value.code is StoreCode.DOWN
        assert await run_steps(store, lambda: _workers(store, "ann")) == []

        began = asyncio.Event()

        def waits() -> Steps[None]:
            yield from _insert(store, "ben")
            began.set()
            yield statement("postgresql", "SELECT pg_sleep(600)")

        waiting = asyncio.create_task(run_steps(store, waits))
        await began.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await run_steps(store, lambda: _insert(store, "ben"))  # would wait for a transaction that is still open
        assert await run_steps(store, lambda: _workers(store, "ben")) == [("ben", 0.1)]
    finally:
        await store.close()
