"""What changes of tables put into the outbox, in the transaction of the change."""

from typing import Any

import pytest
from sqlalchemy import Connection, select

from dicecup.hosting.people import channels, outbox
from dicecup.hosting.people.notices import AWAY, clock_marks
from dicecup.hosting.people.outbox import details_of
from dicecup.hosting.store import Notice
from dicecup.hosting.store.devices import Credential
from dicecup.hosting.store.models import NOTICES
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Rematch, Resign, Sit
from dicecup.table.setup import Clock, ClockKind, Occupant, SeatSetup, Setup
from tests.hosting.guests import alone, go_on, play, settings, two
from tests.hosting.test_timers import Time

DAYS = Clock(ClockKind.DAYS, 86_400)


@pytest.fixture
def host(telling_host: TableHost) -> TableHost:
    return telling_host


async def subscribe(host: TableHost, identity: str) -> None:
    """Give an identity a push subscription."""
    await channels.add_push(host.store, Credential(identity), f"https://push.example/{identity}", "p.a", "en", host.clock())
    await host.recipients.changed(identity)


async def notices(host: TableHost) -> dict[str, Notice]:
    """Return the notices of the outbox by identity."""
    async with host.store.engines.readers.connect() as connection:
        rows = await connection.execute(select(*[NOTICES.c[name] for name in Notice._fields]))
        return {row.identity: Notice(*row) for row in rows}


async def started(host: TableHost, clock: Clock | None = None, game: str = "yam-master") -> str:
    made = await host.create("anna", two(game, clock=clock), name="Anna")
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    await play(host, made.table, ["anna", "ben"], 4)
    return made.table


async def waiting(host: TableHost, table: str) -> str:
    """Return the identity that a table waits for."""
    view = (await host.look(table, "anna")).view
    return ("anna", "ben")[view["demand"]["seats"][0]]


async def send(host: TableHost, table: str, identity: str, command: Any) -> None:
    number = (await host.look(table, identity)).number
    await host.send(table, identity, command, version=number, command_id=f"{command}-{number}")


async def test_a_turn_replaces_and_withdraws_what_was_to_be_told_about_the_table(host: TableHost) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host)
    mover = await waiting(host, table)
    other = {"anna": "ben", "ben": "anna"}[mover]
    found = await notices(host)
    assert (found[mover].kind, found[mover].topic, found[mover].due) == ("turn", table, found[mover].created + AWAY)
    assert details_of(found[mover]) == {
        "path": f"/tables/{table}", "game": "yam-master", "names": [other.title()], "marks": []
    }  # fmt: skip
    while await waiting(host, table) == mover:
        await go_on(host, table, mover)
    found = await notices(host)
    assert {identity: each.kind for identity, each in found.items()} == {mover: "withdrawn", other: "turn"}


async def test_nothing_is_saved_for_people_without_a_channel(host: TableHost) -> None:
    table = await started(host)
    await send(host, table, "ben", Resign())
    await subscribe(host, "cleo")
    await send(host, table, "anna", Rematch())
    assert await notices(host) == {}
    assert not await host.store.writer.work(lambda connection: invited(connection, "anna"))


def invited(connection: Connection, to: str) -> int:
    outbox.invitation(connection, to=to, by="Dora", table="t", game="yamm", path="/tables/t", now=1.0)
    return len(connection.execute(select(NOTICES)).all())


async def test_nobody_is_told_of_a_turn_that_nobody_else_waits_for(host: TableHost) -> None:
    await subscribe(host, "anna")
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 8)
    setup = Setup("yam-master", (SeatSetup(), SeatSetup(Occupant.LEVEL, "random")))
    made = await host.create("anna", setup, name="Anna")
    await play(host, made.table, ["anna"], 8)
    assert await notices(host) == {}


async def test_the_end_and_a_rematch_are_told_to_the_others(host: TableHost) -> None:
    for identity in ("anna", "ben"):
        await subscribe(host, identity)
    table = await started(host)
    loser = await waiting(host, table)
    winner = {"anna": "ben", "ben": "anna"}[loser]
    await send(host, table, loser, Resign())
    found = await notices(host)
    assert {identity: each.kind for identity, each in found.items()} == {loser: "withdrawn", winner: "over"}
    assert details_of(found[winner])["outcome"] == "won"
    await send(host, table, winner, Rematch())
    found = await notices(host)
    assert (found[loser].kind, found[winner].kind) == ("rematch", "withdrawn")
    await send(host, table, loser, Rematch())
    assert (await notices(host))[loser].kind == "withdrawn"  # nobody is notified of the last one: the table is there


async def test_a_clock_warns_when_a_quarter_and_when_an_hour_is_left(host: TableHost, time: Time) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host, DAYS)
    mover = await waiting(host, table)
    row = (await notices(host))[mover]
    deadline = time.now + 86_400
    assert details_of(row)["marks"] == [[deadline - 21_600, "clock-quarter"], [deadline - 3600, "clock-hour"]]


@pytest.mark.slow
async def test_a_game_clock_warns_once_in_the_game(host: TableHost, time: Time) -> None:
    table = await started(host, Clock(ClockKind.GAME, 7200))
    mover = await waiting(host, table)
    deadline = time.now + 7200
    state = await host.cache.state_of(table)
    assert clock_marks(state, mover) == [(deadline - 3600, "clock-hour"), (deadline - 1800, "clock-quarter")]
    assert clock_marks(state, {"anna": "ben", "ben": "anna"}[mover]) == ()
    await time.passes(6000, host)
    first = mover
    while mover == first:
        await go_on(host, table, mover)
        mover = await waiting(host, table)
    while mover != first:
        await go_on(host, table, mover)
        mover = await waiting(host, table)
    assert clock_marks(await host.cache.state_of(table), first) == []


async def test_the_outbox_of_a_deleted_table_is_empty(host: TableHost) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host)
    await channels.set_muted(host.store, "anna", table, muted=True)
    await host.store.delete(table)
    assert await notices(host) == {}
    assert await channels.muted(host.store, [("anna", table)]) == set()


async def test_an_invitation_is_put_into_the_outbox_and_withdrawn(host: TableHost) -> None:
    await subscribe(host, "anna")
    assert await host.store.writer.work(lambda connection: invited(connection, "anna")) == 1
    row = (await notices(host))["anna"]
    assert (row.kind, row.topic, row.due) == ("invitation", "t", 1.0)
    assert details_of(row) == {"path": "/tables/t", "game": "yamm", "names": ["Dora"]}
    await host.store.writer.work(lambda connection: outbox.withdraw(connection, to="anna", topic="t", now=2.0))
    assert (await notices(host))["anna"].kind == "withdrawn"


async def test_another_worker_learns_of_a_new_channel(database: str, time: Time) -> None:
    first = await TableHost.open(settings(database), time)
    second = await TableHost.open(settings(database), time)
    await first.recipients.begin()
    await second.recipients.begin()
    try:
        await subscribe(first, "anna")
        if first.store.shared:
            while not second.recipients.among(["anna"]):
                await second.sweep()
        await second.recipients.read(None)
        assert second.recipients.among(["anna", "ben"]) == ["anna"]
    finally:
        await first.close()
        await second.close()
