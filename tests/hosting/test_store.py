"""The store on both databases: events, digests, presence, migrations and conflicts."""

import asyncio
import json

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from dicecup.hosting.store import (
    Append,
    AppendConflict,
    Digest,
    EventRow,
    SeatedIdentity,
    Store,
    competition_models,
    driver,
    learning_models,
    migrate,
    rating_models,
    tournament_models,
)
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.models import METADATA
from dicecup.hosting.store.store import PRESENCE_BATCH
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from tests.postgres import Postgres


def rows(table: str, first: int, count: int, **known: str) -> tuple[EventRow, ...]:
    """Return consecutive events; the last one has the identity and the id of a command."""
    last = first + count - 1
    return tuple(
        EventRow(table, number, 1e9 + number, f'{{"é":{number}}}', **(known if number == last else {}))
        for number in range(first, last + 1)
    )


def digest(table: str, **changed: object) -> Digest:
    fields: dict[str, object] = {
        "game": "yamm",
        "state": "running",
        "created": 1.5,
        "creator": "ben",
        "wake": None,
        "summary": "{}",
        "seats": (SeatedIdentity("anna", (0, 2), None), SeatedIdentity("ben", (1,), None)),
    }
    return Digest(table, **(fields | changed))  # type: ignore[arg-type]


async def test_events_come_back_as_they_were_appended(store: Store) -> None:
    state = rows("t", 1, 3, identity="anna", command_id="c1")
    await store.append(Append(state, digest("t")))
    assert await store.events("t") == list(state)
    assert await store.events("t", 2) == [state[2]]
    assert await store.events("u") == []
    assert await store.number_of("t", "anna", "c1") == 3
    assert await store.number_of("t", "ben", "c1") is None
    assert await store.newest(["t", "u"]) == {"t": 3}


async def test_a_number_that_is_taken_conflicts(store: Store) -> None:
    await store.append(Append(rows("t", 1, 2)))
    with pytest.raises(AppendConflict):
        await store.append(Append(rows("t", 2, 2), digest("t")))
    assert [row.number for row in await store.events("t")] == [1, 2]
    assert await store.tables() == []


@pytest.mark.slow
async def test_workers_store_a_command_once(postgres: Postgres) -> None:
    """On SQLite the one process sees to it (`test_repeated_phrases`, `test_stale_commands`)."""
    store = await Store.open(database_url(postgres.the_database()))
    await store.append(Append(rows("t", 1, 1, identity="anna", command_id="c")))
    with pytest.raises(AppendConflict):
        await store.append(Append(rows("t", 2, 1, identity="anna", command_id="c")))
    await store.append(Append(rows("t", 2, 1, identity="ben", command_id="c")))
    await store.append(Append(rows("u", 1, 1, identity="anna", command_id="c")))
    await store.close()


async def test_a_conflict_in_a_batch_refuses_that_append_alone(store: Store) -> None:
    await store.append(Append(rows("t7", 1, 1)))
    answers = await asyncio.gather(*(store.append(Append(rows(f"t{n}", 1, 2))) for n in range(20)), return_exceptions=True)
    assert [n for n, answer in enumerate(answers) if answer is not None] == [7]
    assert isinstance(answers[7], AppendConflict)
    assert await store.newest(f"t{n}" for n in range(20)) == {f"t{n}": 1 if n == 7 else 2 for n in range(20)}


async def test_two_tables_are_written_together_or_not_at_all(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1)))
    with pytest.raises(AppendConflict):
        await store.append(Append(rows("new", 1, 1)), Append(rows("t", 1, 1)))
    assert await store.events("new") == []


async def test_one_of_two_processes_gets_a_number(database: str, store: Store) -> None:
    other = await Store.open(database_url(database))
    try:
        answers = await asyncio.gather(*(one.append(Append(rows("t", 1, 1))) for one in (store, other)), return_exceptions=True)
        assert [type(answer) for answer in answers if answer is not None] == [AppendConflict]
        assert await other.newest(["t"]) == {"t": 1}
    finally:
        await other.close()


async def test_a_digest_overwrites_the_one_before(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t", wake=7.0)))
    assert await store.due(6.9) == []
    assert await store.due(7.0) == ["t"]
    assert await store.unfinished_of("ben") == 1
    over = digest(
        "t",
        state="over",
        seats=(SeatedIdentity("anna", (0, 2), "won"), SeatedIdentity("carla", (1,), "lost")),
        ended=9.0,
        faces=(1, 2, 3, 4, 5, 6),
    )
    await store.append(Append(rows("t", 2, 1), over))
    assert await store.due(1e12) == []
    assert await store.tables_of("ben") == []
    assert [found.seats for found in await store.tables_of("carla")] == [(SeatedIdentity("carla", (1,), "lost"),)]
    assert await store.unfinished_of("ben") == 0
    assert await store.outcomes_of("anna") == {("yamm", "won"): 1}
    assert await store.faces() == (1, (1, 2, 3, 4, 5, 6))
    assert await store.counts() == {"over": 1}


async def test_a_digest_without_seats_keeps_the_stored_ones(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t")))
    await store.append(Append(rows("t", 2, 1), digest("t", seats=None, summary='{"turn":2}')))
    assert [found.summary for found in await store.tables_of("ben")] == ['{"turn":2}']


async def test_tables_are_listed_by_state(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t")), Append(rows("u", 1, 1), digest("u", state="open", created=2.5)))
    assert [found.table for found in await store.tables()] == ["u", "t"]
    assert [found.table for found in await store.tables("running")] == ["t"]


async def test_deleting_a_table_deletes_what_derives_from_it(store: Store) -> None:
    await store.append(Append(rows("t", 1, 2), digest("t", faces=(0,) * 6, ended=1.0)))
    await store.save_presence([("t", "anna")], 5.0)
    await store.delete("t")
    assert await store.events("t") == []
    assert await store.tables_of("anna") == []
    assert await store.faces() == (0, (0,) * 6)
    assert await store.last_seen(["t"]) == {}


async def test_digests_can_be_rebuilt_from_events(store: Store) -> None:
    tables = [f"t{n}" for n in range(3)]
    for table in tables:
        await store.append(Append(rows(table, 1, 2), digest(table, seats=(SeatedIdentity(table, (0,), None),))))

    async def everything() -> list[object]:
        return [await store.tables(), [await store.tables_of(table) for table in tables], await store.faces()]

    before = await everything()
    assert await store.rebuild(lambda state: digest(state[0].table, seats=(SeatedIdentity(state[0].table, (0,), None),))) == 3
    assert await everything() == before


async def test_presence_keeps_the_last_time(store: Store) -> None:
    await store.save_presence([("t", "anna"), ("t", "ben"), ("u", "anna")], 5.0)
    await store.save_presence([("t", "ben")], 9.0)
    assert await store.last_seen(["t"]) == {("t", "anna"): 5.0, ("t", "ben"): 9.0}
    await store.delete_presence(before=9.0)
    assert await store.last_seen(["t", "u"]) == {("t", "ben"): 9.0}


async def test_an_event_does_not_wait_until_all_presence_is_saved(store: Store) -> None:
    people = [("t", f"{number}") for number in range(2 * PRESENCE_BATCH + 1)]
    saving = asyncio.create_task(store.save_presence(people, now=5.0))
    await asyncio.sleep(0)
    await store.append(Append((EventRow("t", 1, 1.0, "{}"),)))
    assert not saving.done()
    await saving
    assert len(await store.last_seen(["t"])) == len(people)


async def test_any_number_of_tables_can_be_asked_for(store: Store) -> None:
    await store.save_presence([("40000", "anna")], now=5.0)
    await store.append(Append((EventRow("39999", 1, 1.0, "{}"),)))
    tables = [f"{number}" for number in range(40_001)]
    assert await store.newest(tables) == {"39999": 1}
    assert await store.last_seen(tables) == {("40000", "anna"): 5.0}


async def test_workers_that_start_together_migrate_once(database: str) -> None:
    opened = await asyncio.gather(*(Store.open(database_url(database)) for _ in range(4)))
    for store in opened:
        await store.close()
    again = await Store.open(database_url(database))
    await again.close()


async def test_migrations_and_models_agree(store: Store) -> None:
    modules = (competition_models, learning_models, rating_models, tournament_models)
    assert all(module.METADATA is METADATA for module in modules)

    def belongs(_thing: object, name: str, *_more: object) -> bool:
        return store.shared or name != "events_by_command"  # Alembic does not read `ddl_if`

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"include_object": belongs})
        return list(compare_metadata(context, METADATA))

    async with store.engines.readers.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_database_of_a_later_version_is_refused(database: str, store: Store) -> None:
    def later(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    await store.writer.work(later)
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url(database))
    assert refused.value.code is StoreCode.NEWER


@pytest.mark.parametrize("url", ["", "tables.sqlite", "mysql://localhost/dicecup", "sqlite://", "sqlite:///:memory:"])
def test_a_url_of_no_database_is_refused(url: str) -> None:
    with pytest.raises(StoreError) as refused:
        database_url(url)
    assert refused.value.code is StoreCode.NOT_A_DATABASE


def test_postgresql_without_its_driver_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "asyncpg", None)
    with pytest.raises(StoreError) as refused:
        database_url("postgresql://localhost/dicecup")
    assert refused.value.code is StoreCode.NO_DRIVER
    assert database_url("sqlite:///tables.sqlite").database == "tables.sqlite"


def test_sslmode_becomes_the_parameter_of_the_driver() -> None:
    assert dict(database_url("postgresql://localhost/dicecup?sslmode=require").query) == {"ssl": "require"}


async def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url("postgresql://anna:geheim@localhost:1/dicecup?colour=red"))
    assert refused.value.code is StoreCode.NOT_A_DATABASE
    assert "geheim" not in str(refused.value)


async def test_an_unreachable_database_is_down() -> None:
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url("postgresql://localhost:1/dicecup"))
    assert refused.value.code is StoreCode.DOWN


def test_an_error_does_not_show_the_password() -> None:
    with pytest.raises(StoreError) as refused:
        database_url("mysql://anna:geheim@localhost/dicecup")
    assert "geheim" not in str(refused.value)


async def test_a_closed_store_refuses_writes(database: str) -> None:
    store = await Store.open(database_url(database))
    waiting = store.append(Append(rows("t", 1, 1)))
    await store.close()
    await waiting
    with pytest.raises(StoreError):
        await store.append(Append(rows("t", 2, 1)))


async def test_an_invalid_append_does_not_block_the_next(store: Store) -> None:
    with pytest.raises(AttributeError):
        await store.append(None)  # type: ignore[arg-type]
    await store.append(Append(rows("t", 1, 1)))
    assert await store.newest(["t"]) == {"t": 1}


async def test_a_cancelled_write_is_reported(store: Store) -> None:
    waiting = store.append(Append(rows("t", 1, 1)))
    writing = store.writer._writing
    # PostgreSQL's write is a task; SQLite's runs in a thread and cannot be cancelled
    if isinstance(writing, asyncio.Task):
        writing.cancel()
        with pytest.raises(StoreError) as down:
            await asyncio.wait_for(waiting, 120)
        assert down.value.code is StoreCode.DOWN
    await store.append(Append(rows("u", 1, 1)))


# --- The limit of tables --------------------------------------------------------------------------


async def test_tables_are_created_up_to_the_limit(store: Store) -> None:
    created = [await store.create_table(Append(rows(f"t{n}", 1, 2), digest(f"t{n}")), "ben", 2) for n in range(3)]
    assert created == [True, True, False]
    assert await store.events("t2") == []
    assert await store.create_table(Append(rows("u", 1, 1), digest("u", creator="anna")), "anna", 2)
    await store.append(Append(rows("t0", 3, 1), digest("t0", state="over")))
    assert await store.create_table(Append(rows("v", 1, 1), digest("v")), "ben", 2)


async def test_the_limit_of_tables_holds_across_workers(database: str) -> None:
    workers = [await Store.open(database_url(database)) for _ in range(4)]
    try:
        created = await asyncio.gather(
            *(
                worker.create_table(Append(rows(f"t{n}{m}", 1, 1), digest(f"t{n}{m}")), "ben", 3)
                for n, worker in enumerate(workers)
                for m in range(3)
            )
        )
        assert sum(created) == 3
        assert await workers[0].unfinished_of("ben") == 3
    finally:
        for worker in workers:
            await worker.close()


# --- Migrations -----------------------------------------------------------------------------------


async def test_the_migration_derives_the_seats_from_the_events(database: str, store: Store) -> None:
    """A database of revision 0002 has no seats; its events have."""
    bodies = [
        {"type": "created"},
        {"type": "seated", "seat": 0, "name": "Anna", "identity": "anna"},
        {"type": "seated", "seat": 1, "name": "Ben", "identity": "ben"},
        {"type": "seated", "seat": 2, "name": "Anna", "identity": "anna"},
        {"type": "stood-up", "seat": 0},
        {"type": "seated", "seat": 0, "name": "Anna", "identity": "anna"},
        {"type": "seated", "seat": 3, "name": "Ben", "identity": "ben"},
        {"type": "level-seated", "seat": 3, "level": "random", "name": "random"},
    ]
    events = tuple(EventRow("t", number, 1e9, json.dumps(body)) for number, body in enumerate(bodies, 1))
    await store.append(Append(events, digest("t", seats=tuple(SeatedIdentity(who, (), None) for who in ("anna", "ben")))))

    def downgrade(connection: Connection) -> None:
        command.downgrade(migrate.alembic(connection), "0002")

    await store.writer.work(downgrade)
    migrated = await Store.open(database_url(database))
    try:
        found = {who: [digest.seats for digest in await migrated.tables_of(who)] for who in ("anna", "ben")}
    finally:
        await migrated.close()
    assert found == {
        "anna": [(SeatedIdentity("anna", (0, 2), None),)],
        "ben": [(SeatedIdentity("ben", (1,), None),)],
    }
