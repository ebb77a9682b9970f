"""Deleting an account takes its name from all games, whose dice can still be checked."""

import asyncio

import pytest
from sqlalchemy import Connection, inspect, select, text

from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.errors import HostingError
from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.lobby import acquaintances
from dicecup.hosting.lobby.acquaintances import Invitation
from dicecup.hosting.lobby.seeks import PAIRING_LOCK
from dicecup.hosting.own_games import facts_of_table
from dicecup.hosting.people import channels
from dicecup.hosting.people.accounts import Account, account_of, create_account
from dicecup.hosting.people.challenges import save_challenge
from dicecup.hosting.people.deletion import delete_account
from dicecup.hosting.people.recovery import save_codes
from dicecup.hosting.reporting import Reason, report
from dicecup.hosting.store.admins import grant, is_admin
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.devices import Credential, SeenDevice, insert_device
from dicecup.hosting.store.identities import identity_of, issue_token
from dicecup.hosting.store.models import CHALLENGES, NOTICES
from dicecup.hosting.store.reports import Report, reports_of, save_report
from dicecup.hosting.store.reviews import reviews_of, save_review
from dicecup.hosting.table_host import TableHost
from dicecup.record import read
from dicecup.table.commands import AllowTexts, Command, Resign, Say, Sit, StandUp, Write
from dicecup.table.replay import replay
from dicecup.table.setup import Setup
from dicecup.table.talk import Phrase
from dicecup.table.verify import check
from tests.hosting.guests import OPEN, go_on, play, settings, two
from tests.postgres import Postgres

NAME = "Zenobia"


@pytest.fixture
async def zoe(host: TableHost) -> str:
    """Return the identity of a person with an account, who is signed in on one device."""
    await create_account(host.store, Account("zoe", NAME, host.clock(), public=True), lambda _: None)
    device = SeenDevice("zoe", "phone", "", 1.0, 1.0)
    await host.store.writer.work(lambda connection: insert_device(connection, device))
    return "zoe"


@pytest.fixture
def tournaments(host: TableHost) -> Tournaments:
    return Tournaments(host)


async def against_ben(host: TableHost, commands: int) -> str:
    """Return a table at which Zoe and Ben have sent this many commands."""
    made = await host.create("zoe", two(), name=NAME)
    await host.send(made.table, "ben", Sit("deleted"), version=2, command_id="sit", key=made.join)
    await play(host, made.table, ["zoe", "ben"], commands)
    return made.table


async def names_of(host: TableHost, table: str) -> list[str]:
    return [seat["name"] for seat in (await host.look(table, "ben")).view["seats"]]


async def whole_database(host: TableHost) -> str:
    """Return every value of every table as one text."""

    def everything(connection: Connection) -> str:
        names = inspect(connection).get_table_names()
        return repr([connection.execute(text(f'SELECT * FROM "{name}"')).all() for name in names])  # noqa: S608

    return await host.store.writer.work(everything)


async def test_others_see_deleted_and_go_on(host: TableHost, tournaments: Tournaments, zoe: str) -> None:
    table = await against_ben(host, 8)
    async with host.subscribe(table, "ben") as updates:
        await anext(updates)
        await delete_account(host, tournaments, zoe)
        update = await anext(updates)
        assert [(event["type"], event["name"]) for event in update.events] == [("renamed", "deleted 2")]
    assert await names_of(host, table) == ["deleted 2", "deleted"]
    number = (await host.look(table, "ben")).number
    await host.send(table, "ben", Resign(), version=number, command_id="resign")
    assert check(read(await host.record(table, "ben"))).fault is None


async def test_nothing_has_the_name_any_more_and_the_dice_of_a_finished_game_are_still_proved(
    host: TableHost, tournaments: Tournaments, zoe: str
) -> None:
    over, running = await against_ben(host, 8), await against_ben(host, 6)
    left = (await host.create(zoe, two(), name=NAME)).table
    await host.send(left, zoe, StandUp(seat=0), version=2, command_id="leave")
    number = (await host.look(over, zoe)).number
    await host.send(over, zoe, Resign(), version=number, command_id="resign")
    await save_review(host.store, over, facts_of_table(await host.store.events(over), losses=False))
    await delete_account(host, tournaments, zoe)
    assert NAME not in await whole_database(host)
    record = await host.record(over, "ben")
    assert '"deleted 2"' in record
    assert check(read(record)).fault is None
    assert "deleted 2" in (await reviews_of(host.store, [over]))[over]
    for table in (over, running, left):
        replay([event_of_row(row) for row in await host.store.events(table)])


async def talk(host: TableHost, table: str, identity: str, command: Command) -> int:
    number = (await host.look(table, identity)).number
    return await host.send(table, identity, command, version=number, command_id=f"t{number}")


async def test_what_the_person_wrote_has_no_name_any_more_nor_has_a_report_about_others(
    host: TableHost, tournaments: Tournaments, zoe: str
) -> None:
    table = await against_ben(host, 4)
    for identity in (zoe, "ben"):
        await talk(host, table, identity, AllowTexts(allowed=True))
    await talk(host, table, zoe, Write(f"I am {NAME.lower()}! {NAME}s are many."))
    await talk(host, table, zoe, Say(Phrase.HELLO))
    await talk(host, table, "ben", Write("Go away"))
    said = (await host.look(table, "ben")).number
    await report(host, zoe, table, None, None, said, Reason.INSULT)
    (mine,) = await reports_of(host.store)
    await save_report(host.store, mine._replace(reporter="carla"))
    await delete_account(host, tournaments, zoe)
    view = (await host.look(table, "ben")).view
    lines = [(line["name"], line.get("text")) for line in view["talk"] if line["type"] != "texts-allowed"]
    assert lines == [("deleted 2", f"I am deleted 2! {NAME}s are many."), ("deleted 2", None), ("deleted", "Go away")]
    (theirs,) = await reports_of(host.store)
    assert (theirs.reporter, theirs.context["names"]) == ("carla", ["deleted 2", "deleted"])
    assert [line["name"] for line in theirs.context["talk"]] == ["deleted 2", "deleted", "deleted 2", "deleted 2", "deleted"]
    assert NAME not in (await whole_database(host)).replace(f"{NAME}s", "")
    stored = [event_of_row(row) for row in await host.store.events(table)]
    assert replay(stored).talk == (await host.cache.state_of(table)).talk  # as workers have it that did not read it again


async def left_after_a_word(host: TableHost, zoe: str) -> str:
    """Return a table at which Zoe has said something and stood up."""
    made = await host.create("ben", Setup("yamm(players=3)", (OPEN,) * 3), name="Ben")
    table = made.table
    await host.send(table, zoe, Sit(NAME), version=2, command_id="sit", key=made.join)
    await talk(host, table, zoe, Say(Phrase.HELLO))
    await talk(host, table, zoe, StandUp(seat=1))
    return table


async def test_what_a_person_said_who_left_the_table_has_no_name_any_more(
    host: TableHost, tournaments: Tournaments, zoe: str
) -> None:
    table = await left_after_a_word(host, zoe)
    (line,) = (await host.look(table, "ben")).view["talk"]
    assert line["name"] == NAME
    await delete_account(host, tournaments, zoe)
    (line,) = (await host.look(table, "ben")).view["talk"]
    assert line["name"] == "deleted"


@pytest.mark.parametrize("over", [False, True])
async def test_nobody_is_told_the_name_any_more(host: TableHost, tournaments: Tournaments, zoe: str, *, over: bool) -> None:
    await host.recipients.begin()
    await channels.add_push(host.store, Credential("ben"), "https://push.example/ben", "p.a", "en", host.clock())
    await host.recipients.changed("ben")
    await save_challenge(host.store, "x", "add-passkey", zoe, host.clock())
    table = await against_ben(host, 4)
    while (await host.look(table, "ben")).view["demand"]["seats"] != [1]:
        await go_on(host, table, zoe)
    if over:
        number = (await host.look(table, zoe)).number
        await host.send(table, zoe, Resign(), version=number, command_id="resign")
    invited = (await host.create(zoe, two(), name=NAME)).table
    invitation = Invitation(invited, "ben", zoe, NAME, "yam-master", 0, host.clock())
    await acquaintances.invite(host.store, host.settings.host_key, invitation)
    await delete_account(host, tournaments, zoe)
    assert NAME not in await whole_database(host)
    async with host.store.engines.readers.connect() as connection:
        kinds = {row.topic: row.kind for row in await connection.execute(select(NOTICES))}
        assert kinds == {table: "over" if over else "turn", invited: "withdrawn"}
        assert (await connection.execute(select(CHALLENGES))).all() == []


async def test_an_account_that_is_deleted_gets_no_codes(host: TableHost, tournaments: Tournaments, zoe: str) -> None:
    await delete_account(host, tournaments, zoe)
    with pytest.raises(HostingError, match="no-account"):
        await save_codes(host.store, zoe, ["A"])


async def test_the_person_is_signed_out_everywhere_and_has_nothing_left(
    host: TableHost, tournaments: Tournaments, zoe: str
) -> None:
    token = await issue_token(host.store, zoe)
    assert await host.credentials.of_device(zoe, "phone", "") is not None
    await grant(host.store, zoe, AuditEntry(1.0, "grant", zoe, "cli", "done"))
    for number, (reporter, reported) in enumerate([(zoe, "ben"), ("ben", zoe)]):
        await save_report(host.store, Report(0, 1.0, reporter, reported, "rude", "", number, {"names": [NAME]}))
    await delete_account(host, tournaments, zoe)
    assert await account_of(host.store, zoe) is None
    assert not await is_admin(host.store, zoe)
    assert await reports_of(host.store) == []
    assert await identity_of(host.store, token) is None
    assert await host.credentials.of_device(zoe, "phone", "") is None
    await create_account(host.store, Account("ben", NAME, 5.0, public=False), lambda _: None)


async def test_a_deletion_that_was_interrupted_can_be_repeated(
    host: TableHost, tournaments: Tournaments, zoe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await against_ben(host, 4) for _ in range(2)]
    change, calls = host.changes.change, iter([False, True])

    async def fail_once(*given: object, **more: object) -> int:
        if next(calls, False):
            raise ConnectionError
        return await change(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(host.changes, "change", fail_once)
    with pytest.raises(ConnectionError):
        await delete_account(host, tournaments, zoe)
    assert await account_of(host.store, zoe) is not None
    await delete_account(host, tournaments, zoe)
    assert [await names_of(host, table) for table in tables] == [["deleted 2", "deleted"]] * 2
    assert NAME not in await whole_database(host)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_another_worker_forgets_the_name_of_a_person_who_left(
    database: str, host: TableHost, tournaments: Tournaments, zoe: str
) -> None:
    table = await left_after_a_word(host, zoe)
    other = await TableHost.open(settings(database))
    try:
        async with other.subscribe(table, "ben") as updates:
            assert [line["name"] for line in (await anext(updates)).view["talk"]] == [NAME]
            await delete_account(host, tournaments, zoe)
            with pytest.raises(StopAsyncIteration):  # clients connect again
                await anext(updates)
        assert [line["name"] for line in (await other.look(table, "ben")).view["talk"]] == ["deleted"]
    finally:
        await other.close()


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_another_worker_has_the_new_name(database: str, host: TableHost, tournaments: Tournaments, zoe: str) -> None:
    table = await against_ben(host, 4)
    other = await TableHost.open(settings(database))
    try:
        async with other.subscribe(table, "ben") as updates:
            await anext(updates)
            await delete_account(host, tournaments, zoe)
            update = await anext(updates)
            assert [seat["name"] for seat in update.view["seats"]] == ["deleted 2", "deleted"]
        number = update.number
        await other.send(table, "ben", Resign(), version=number, command_id="resign")
    finally:
        await other.close()
    assert NAME not in await whole_database(host)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_a_deletion_waits_for_a_transaction_that_pairs(
    postgres: Postgres, host: TableHost, tournaments: Tournaments, zoe: str
) -> None:
    """Otherwise the table of a pair could be saved with the name after the last search for it."""
    async with host.store.engines.readers.connect() as connection:
        await connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": PAIRING_LOCK})
        deletion = asyncio.create_task(delete_account(host, tournaments, zoe))
        waiting = "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while await asyncio.to_thread(postgres.value, waiting) != "t":
            assert not deletion.done()
        assert await account_of(host.store, zoe) is not None
        await connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": PAIRING_LOCK})
        await deletion
    assert await account_of(host.store, zoe) is None
