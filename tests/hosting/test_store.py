"""Rows go in once, in order, and come back as they were; on both databases."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from dicecup.hosting.store import Append, Digest, Raced, Row, Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.hosting.store.models import METADATA


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    opened = await Store.open(database_url(database))
    yield opened
    await opened.close()


def rows(table: str, first: int, count: int, **known: str) -> tuple[Row, ...]:
    """Events; the last of them ends a command."""
    last = first + count - 1
    return tuple(
        Row(table, number, 1e9 + number, f'{{"é":{number}}}', **(known if number == last else {}))
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
        "seats": (("anna", None), ("ben", None)),
    }
    return Digest(table, **(fields | changed))  # type: ignore[arg-type]


async def test_what_goes_in_comes_out(store: Store) -> None:
    state = rows("t", 1, 3, identity="anna", command_id="c1")
    await store.append(Append(state, digest("t")))
    assert await store.events("t") == list(state)
    assert await store.events("t", 2) == [state[2]]
    assert await store.events("u") == []
    assert await store.number_of("t", "anna", "c1") == 3
    assert await store.number_of("t", "ben", "c1") is None
    assert await store.newest(["t", "u"]) == {"t": 3}


async def test_a_number_is_given_once(store: Store) -> None:
    await store.append(Append(rows("t", 1, 2)))
    with pytest.raises(Raced):
        await store.append(Append(rows("t", 2, 2), digest("t")))
    assert [row.number for row in await store.events("t")] == [1, 2]
    assert await store.tables() == []


async def test_a_command_is_done_once(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1, identity="anna", command_id="c")))
    with pytest.raises(Raced):
        await store.append(Append(rows("t", 2, 1, identity="anna", command_id="c")))
    await store.append(Append(rows("t", 2, 1, identity="ben", command_id="c")))
    await store.append(Append(rows("u", 1, 1, identity="anna", command_id="c")))


async def test_of_those_who_write_at_once_only_the_raced_are_refused(store: Store) -> None:
    await store.append(Append(rows("t7", 1, 1)))
    answers = await asyncio.gather(*(store.append(Append(rows(f"t{n}", 1, 2))) for n in range(20)), return_exceptions=True)
    assert [n for n, answer in enumerate(answers) if answer is not None] == [7]
    assert isinstance(answers[7], Raced)
    assert await store.newest(f"t{n}" for n in range(20)) == {f"t{n}": 1 if n == 7 else 2 for n in range(20)}


async def test_two_tables_are_written_both_or_neither(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1)))
    with pytest.raises(Raced):
        await store.append(Append(rows("new", 1, 1)), Append(rows("t", 1, 1)))
    assert await store.events("new") == []


async def test_two_processes_race_for_a_number(database: str, store: Store) -> None:
    other = await Store.open(database_url(database))
    try:
        answers = await asyncio.gather(*(one.append(Append(rows("t", 1, 1))) for one in (store, other)), return_exceptions=True)
        assert [type(answer) for answer in answers if answer is not None] == [Raced]
        assert await other.newest(["t"]) == {"t": 1}
    finally:
        await other.close()


async def test_a_digest_takes_the_place_of_the_one_before(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t", wake=7.0)))
    assert await store.due(6.9) == []
    assert await store.due(7.0) == ["t"]
    assert await store.unfinished_of("ben") == 1
    over = digest("t", state="over", seats=(("anna", "won"), ("carla", "lost")), ended=9.0, faces=(1, 2, 3, 4, 5, 6))
    await store.append(Append(rows("t", 2, 1), over))
    assert await store.due(1e12) == []
    assert await store.tables_of("ben") == []
    assert [found.seats for found in await store.tables_of("carla")] == [(("carla", "lost"),)]
    assert await store.unfinished_of("ben") == 0
    assert await store.outcomes_of("anna") == {("yamm", "won"): 1}
    assert await store.faces() == (1, (1, 2, 3, 4, 5, 6))
    assert await store.counts() == {"over": 1}


async def test_seats_that_are_as_they_were_stay(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t")))
    await store.append(Append(rows("t", 2, 1), digest("t", seats=None, summary='{"turn":2}')))
    assert [found.summary for found in await store.tables_of("ben")] == ['{"turn":2}']


async def test_tables_are_listed_by_state(store: Store) -> None:
    await store.append(Append(rows("t", 1, 1), digest("t")), Append(rows("u", 1, 1), digest("u", state="open", created=2.5)))
    assert [found.table for found in await store.tables()] == ["u", "t"]
    assert [found.table for found in await store.tables("running")] == ["t"]


async def test_nothing_is_left_of_a_deleted_table(store: Store) -> None:
    await store.append(Append(rows("t", 1, 2), digest("t", faces=(0,) * 6, ended=1.0)))
    await store.saw([("t", "anna")], 5.0)
    await store.delete("t")
    assert await store.events("t") == []
    assert await store.tables_of("anna") == []
    assert await store.faces() == (0, (0,) * 6)
    assert await store.seen(["t"]) == {}


async def test_all_that_derives_can_be_derived_again(store: Store) -> None:
    tables = [f"t{n}" for n in range(3)]
    for table in tables:
        await store.append(Append(rows(table, 1, 2), digest(table, seats=((table, None),))))

    async def everything() -> list[object]:
        return [await store.tables(), [await store.tables_of(table) for table in tables], await store.faces()]

    before = await everything()
    assert await store.rebuild(lambda state: digest(state[0].table, seats=((state[0].table, None),))) == 3
    assert await everything() == before


async def test_presence_is_what_was_seen_last(store: Store) -> None:
    await store.saw([("t", "anna"), ("t", "ben"), ("u", "anna")], 5.0)
    await store.saw([("t", "ben")], 9.0)
    assert await store.seen(["t"]) == {("t", "anna"): 5.0, ("t", "ben"): 9.0}
    await store.forget_presence(before=9.0)
    assert await store.seen(["t", "u"]) == {("t", "ben"): 9.0}


async def test_a_database_is_migrated_once_by_those_who_start_together(database: str) -> None:
    opened = await asyncio.gather(*(Store.open(database_url(database)) for _ in range(4)))
    for store in opened:
        await store.close()
    again = await Store.open(database_url(database))
    await again.close()


async def test_the_migrations_lead_to_the_models(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with store.engines.readers.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_database_of_a_later_version_is_left_alone(database: str, store: Store) -> None:
    def later(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    await store.writer.work(later)
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url(database))
    assert refused.value.code is StoreCode.NEWER


@pytest.mark.parametrize("url", ["", "tables.sqlite", "mysql://localhost/dicecup", "sqlite://", "sqlite:///:memory:"])
def test_what_is_no_database(url: str) -> None:
    with pytest.raises(StoreError) as refused:
        database_url(url)
    assert refused.value.code is StoreCode.NOT_A_DATABASE


def test_sslmode_is_said_as_the_driver_says_it() -> None:
    assert dict(database_url("postgresql://localhost/dicecup?sslmode=require").query) == {"ssl": "require"}


async def test_a_parameter_that_there_is_not() -> None:
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url("postgresql://anna:geheim@localhost:1/dicecup?colour=red"))
    assert refused.value.code is StoreCode.NOT_A_DATABASE
    assert "geheim" not in str(refused.value)


async def test_a_database_that_nobody_serves() -> None:
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url("postgresql://localhost:1/dicecup"))
    assert refused.value.code is StoreCode.DOWN


def test_a_password_is_not_told() -> None:
    with pytest.raises(StoreError) as refused:
        database_url("mysql://anna:geheim@localhost/dicecup")
    assert "geheim" not in str(refused.value)


async def test_a_closed_store_takes_no_more(database: str) -> None:
    store = await Store.open(database_url(database))
    waiting = store.append(Append(rows("t", 1, 1)))
    await store.close()
    await waiting
    with pytest.raises(StoreError):
        await store.append(Append(rows("t", 2, 1)))


async def test_what_cannot_be_written_holds_nobody_up(store: Store) -> None:
    with pytest.raises(AttributeError):
        await store.append(None)  # type: ignore[arg-type]
    await store.append(Append(rows("t", 1, 1)))
    assert await store.newest(["t"]) == {"t": 1}


async def test_a_writing_that_ends_before_it_began_is_told(store: Store) -> None:
    waiting = store.append(Append(rows("t", 1, 1)))
    writing = store.writer._writing
    if isinstance(writing, asyncio.Task):  # PostgreSQL's; SQLite's thread ends what it began
        writing.cancel()
        with pytest.raises(StoreError) as down:
            await asyncio.wait_for(waiting, 20)
        assert down.value.code is StoreCode.DOWN
    await store.append(Append(rows("u", 1, 1)))
