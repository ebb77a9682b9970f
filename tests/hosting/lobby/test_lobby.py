"""The lobby of workers: people are paired once, find out at any worker, and nobody waits for a
person who has left."""

import asyncio
import gc
from collections.abc import Collection, Iterable
from contextlib import AsyncExitStack
from functools import partial

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from dicecup.core.errors import GameError
from dicecup.hosting.lobby import lobby as lobby_module
from dicecup.hosting.lobby.acquaintances import shown_among
from dicecup.hosting.lobby.lobby import BEAT, Lobby
from dicecup.hosting.lobby.pairing import PATIENCE
from dicecup.hosting.lobby.person_blocks import BlockedPerson, block_person, unblock_person
from dicecup.hosting.lobby.seeks import ARRIVE_WITHIN, LEASE, Beat
from dicecup.hosting.lobby.visitor import OFFER_AFTER
from dicecup.hosting.people.accounts import Account, insert_account
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Sit
from dicecup.table.errors import TableError
from dicecup.table.setup import Clock, ClockKind, Listing
from tests.hosting.guests import against, two
from tests.hosting.lobby.waiting import Time, eventually, until

YAMM = "yamm"
CLOCK = Clock(ClockKind.TURN, 60)


async def test_two_people_at_two_workers_sit_at_one_table(hosts: list[TableHost]) -> None:
    one, other = (host.lobby for host in hosts)
    async with one.visit("anna") as anna, other.visit("ben") as ben:
        assert (await one.seek("anna", "a1", YAMM, None, "Anna")).state == "waiting"
        paired = await other.seek("ben", "b1", YAMM, None, "anna")
        assert paired.state == "paired"
        assert (await until(anna, "paired")).table == paired.table
        assert paired.table is not None
        view = (await hosts[0].look(paired.table, "anna")).view
        assert [seat["name"] for seat in view["seats"]] == ["Anna", "anna 2"]
        assert view["you"] == [0]
        assert (await hosts[1].look(paired.table, "ben")).view["you"] == [1]
        for lobby, identity in ((one, "anna"), (other, "ben")):
            await lobby.arrive(identity, paired.table)
        await until(anna, "ended")
        await until(ben, "ended")
        # a request that comes again later makes nothing new
        assert (await other.seek("anna", "a1", YAMM, None, "Anna")).state == "ended"
        assert len(await hosts[0].tables_of("anna")) == 1


async def test_entering_leaves_no_reference_cycles(hosts: list[TableHost]) -> None:
    async def enter(count: int) -> None:
        for number in range(count):
            async with hosts[0].lobby.visit(f"visitor-{number}"):
                pass

    await enter(10)
    gc.collect()
    gc.disable()  # else some of the cycles are collected, and not counted
    try:
        await enter(200)
        assert gc.collect() < 200  # some come from elsewhere
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "game, clock", [("yam-master", None), (YAMM, CLOCK), (YAMM, Clock(ClockKind.TURN, 30))], ids=["game", "clock", "time"]
)
async def test_another_game_or_clock_is_another_queue(hosts: list[TableHost], time: Time, game: str, clock: Clock) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna"), lobby.visit("ben"):
        await lobby.seek("anna", "a1", YAMM, None, "Anna")
        assert (await lobby.seek("ben", "b1", game, clock, "Ben")).state == "waiting"
        time.now += 60
        await lobby.tick()
        assert (await lobby._seeks.of(["anna"]))["anna"].state == "waiting"


async def test_other_options_are_met_after_some_seconds_with_those_of_the_first(hosts: list[TableHost], time: Time) -> None:
    lobby = hosts[0].lobby
    wanted = "yam-master(captured=out)"
    async with lobby.visit("anna") as anna, lobby.visit("ben"):
        await lobby.seek("anna", "a1", wanted, CLOCK, "Anna")
        assert (await lobby.seek("ben", "b1", "yam-master", CLOCK, "Ben")).state == "waiting"
        time.now += 5
        await lobby.tick()
        table = (await until(anna, "paired")).table
        assert table is not None
        setup = (await hosts[0].cache.state_of(table)).setup
        assert (setup.game, setup.clock) == (wanted, CLOCK)


async def test_a_rated_game_needs_the_wish_of_both(hosts: list[TableHost], time: Time) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna") as anna, lobby.visit("ben"):
        await lobby.seek("anna", "a1", YAMM, CLOCK, "Anna", rated=True)
        assert (await lobby.seek("ben", "b1", YAMM, CLOCK, "Ben")).state == "waiting"
        time.now += PATIENCE
        await lobby.tick()
        table = (await until(anna, "paired")).table
        assert table is not None
        assert not (await hosts[0].cache.state_of(table)).setup.rated


async def test_who_came_waits_again_at_the_old_place_when_the_other_does_not(hosts: list[TableHost], time: Time) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna") as anna, lobby.visit("ben") as ben, lobby.visit("carla"):
        first = await lobby.seek("anna", "a1", YAMM, None, "Anna")
        table = (await lobby.seek("ben", "b1", YAMM, None, "Ben")).table
        assert table is not None
        await lobby.arrive("anna", table)
        time.now += ARRIVE_WITHIN + 1
        await lobby.tick()
        again = await until(anna, "returned")
        assert (again.number, again.since, again.table) == (first.number, first.since, None)
        assert (await until(ben, "missed")).table == table
        await hosts[0].tasks.finish()
        assert (await hosts[0].look(table, "anna")).view["result"] is not None
        assert (await lobby.seek("carla", "c1", YAMM, None, "Carla")).state == "paired"


async def test_a_person_who_goes_leaves_the_queue(hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "GONE_AFTER", 0.0)
    lobby = hosts[0].lobby
    async with lobby.visit("ben"):
        async with lobby.visit("anna"):
            await lobby.seek("anna", "a1", YAMM, None, "Anna")
        await asyncio.sleep(0.01)  # until the timer without a delay has run
        await hosts[0].tasks.finish()
        assert (await lobby._seeks.of(["anna"]))["anna"].state == "ended"
        assert (await lobby.seek("ben", "b1", YAMM, None, "Ben")).state == "waiting"


async def test_people_of_a_worker_that_is_gone_are_not_paired(hosts: list[TableHost], time: Time) -> None:
    one, other = (host.lobby for host in hosts)
    async with one.visit("anna"), other.visit("ben"):
        await one.seek("anna", "a1", YAMM, None, "Anna")
        time.now += LEASE
        assert (await other.seek("ben", "b1", YAMM, None, "Ben")).state == "waiting"
        time.now += BEAT
        await other.tick()
        assert (await other._seeks.of(["anna"]))["anna"].state == "ended"


async def test_a_person_who_comes_back_to_another_worker_keeps_the_place(hosts: list[TableHost]) -> None:
    one, other = (host.lobby for host in hosts)
    async with other.visit("anna"), one.visit("anna"), one.visit("ben"):
        first = await one.seek("anna", "a1", YAMM, None, "Anna")
        again = await other.seek("anna", "a1", YAMM, None, "Anna")
        assert (again.number, again.worker) == (first.number, other.worker)
        await one._end("anna")  # the first worker notes late that its connection is gone
        assert (await one.seek("ben", "b1", YAMM, None, "Ben")).state == "paired"


async def test_people_with_accounts_sit_at_the_table_with_their_handles(hosts: list[TableHost]) -> None:
    lobby, store = hosts[0].lobby, hosts[0].store
    for account in (Account("anna", "Zoë_1", 5.0, public=False), Account("ben", "Otto", 5.0, public=False)):
        await store.writer.work(partial(insert_account, account=account))
    async with lobby.visit("anna"), lobby.visit("ben"):
        await lobby.seek("anna", "a1", YAMM, None, "Anna")
        assert (await lobby.seek("anna", "a1", YAMM, None, "Annie")).state == "waiting"
        table = (await lobby.seek("ben", "b1", YAMM, None, "Ben")).table
        assert table is not None
        state = await hosts[0].cache.state_of(table)
        assert [seat.name for seat in state.seats] == ["Zoë_1", "Otto"]


async def test_blocked_people_are_neither_paired_nor_seen(hosts: list[TableHost], time: Time) -> None:
    lobby, store = hosts[0].lobby, hosts[0].store
    assert await block_person(store, BlockedPerson("ben", "anna", "Anna", time.now))
    made = await hosts[0].create("anna", two(listing=Listing()), name="Anna")
    async with lobby.visit("anna") as anna, lobby.visit("ben") as ben, lobby.visit("carla") as carla:
        await lobby.refresh()
        seen = {id(visitor): set(lobby.board.seen_with(visitor.hidden).tables) for visitor in (anna, ben, carla)}
        assert list(seen.values()) == [{made.table}, set(), {made.table}]
        await lobby.seek("anna", "a1", YAMM, None, "Anna")
        assert (await lobby.seek("ben", "b1", YAMM, None, "Ben")).state == "waiting"
        await unblock_person(store, "ben", "anna")
        time.now += PATIENCE
        await lobby.tick()
        await until(anna, "paired")


class SlowRead:
    """A visit of Ben whose read at the beginning has found all, and goes on when it `may_end`."""

    def __init__(self, lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
        self.has_begun, self.may_end = asyncio.Event(), asyncio.Event()
        monkeypatch.setattr(lobby_module, "shown_among", self._last_step)
        self.visit = asyncio.create_task(self._enter(lobby))

    async def _last_step(self, connection: AsyncConnection, identities: Iterable[str]) -> Collection[str]:
        if not self.has_begun.is_set():
            self.has_begun.set()
            await self.may_end.wait()
        return await shown_among(connection, identities)

    async def _enter(self, lobby: Lobby) -> frozenset[str]:
        async with lobby.visit("ben") as ben:
            return ben.hidden


async def test_a_slow_read_at_the_beginning_of_a_visit_hides_no_newer_request(
    hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben asks for an opponent on one page while another one enters."""
    lobby = hosts[0].lobby
    async with lobby.visit("ben") as ben:
        slow = SlowRead(lobby, monkeypatch)
        await slow.has_begun.wait()
        seek = await lobby.seek("ben", "b1", YAMM, None, "Ben")
        assert ben.seek == seek
        slow.may_end.set()
        await slow.visit
        assert ben.seek == seek


async def test_a_slow_read_at_the_beginning_of_a_visit_hides_nothing_newer(
    hosts: list[TableHost], time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben is blocked while he enters, and the read of his entering ends last."""
    lobby, store = hosts[0].lobby, hosts[0].store
    slow = SlowRead(lobby, monkeypatch)
    await slow.has_begun.wait()
    assert await block_person(store, BlockedPerson("anna", "ben", "Ben", time.now))
    lobby.changed("ben")
    (ben,) = lobby.visitors["ben"]
    await eventually(lambda: ben.hidden)
    slow.may_end.set()
    assert await slow.visit == {"anna"}


async def test_the_computer_is_offered_without_losing_the_place(hosts: list[TableHost], time: Time) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna") as anna:
        messages = anna.messages(lambda: lobby.board)
        assert (await anext(messages))["type"] == "lobby"
        seek = await lobby.seek("anna", "a1", YAMM, None, "Anna")
        shown = await anext(messages)
        assert shown["seek"]["offers_computer"] is False
        time.now += OFFER_AFTER
        await lobby.tick()
        shown = await anext(messages)
        assert shown["seek"]["offers_computer"] is True
        assert (await lobby._seeks.of(["anna"]))["anna"].number == seek.number


async def test_the_board_lists_free_seats_of_public_tables_with_a_person_online(hosts: list[TableHost], time: Time) -> None:
    host, lobby = hosts[0], hosts[0].lobby
    slow = Clock(ClockKind.DAYS, 86_400)
    by_link = await host.create("anna", two(), name="Anna")
    public = await host.create("anna", two(clock=CLOCK, listing=Listing("casual")), name="Anna")
    of_days = await host.create("anna", two(clock=slow, listing=Listing()), name="Anna")
    async with lobby.visit("ben"):
        await lobby.refresh()
        assert by_link.table not in lobby.board.tables
        shown = lobby.board.tables[public.table].shown
        assert (shown["key"], shown["level"], shown["clock"]["seconds"]) == (public.join, "casual", 60)
        time.now += 60
        await lobby.refresh()
        assert set(lobby.board.tables) == {of_days.table}
        await host.send(of_days.table, "ben", Sit("Ben"), version=2, command_id="sit", key=of_days.join)
        await lobby.refresh()
        assert not lobby.board.tables


async def test_people_who_sit_down_together_are_not_paired_any_more(hosts: list[TableHost]) -> None:
    host, other = hosts
    async with host.lobby.visit("anna") as anna, other.lobby.visit("ben") as ben:
        await host.lobby.seek("anna", "a1", YAMM, CLOCK, "Anna")
        await other.lobby.seek("ben", "b1", YAMM, None, "Ben")
        await host.create("anna", against("random"), name="Anna")
        table = await host.create("anna", two(), name="Anna")
        await host.lobby.refresh()
        assert anna.seek is not None
        assert anna.seek.state == "waiting"  # alone at a table, or with a computer
        await host.send(table.table, "ben", Sit("Ben"), version=2, command_id="sit", key=table.join)
        for visitor in (anna, ben):
            await until(visitor, "ended")


@pytest.mark.parametrize(
    "counted, shown",
    [([1, 2, 1], [1, 2, 1]), ([1_000, 1_001, 1_020, 1_021, 1_001, 980], [1_000, 1_000, 1_000, 1_021, 1_021, 980])],
)
async def test_a_crowd_is_not_told_of_each_person_who_comes(
    hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch, counted: list[int], shown: list[int]
) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna"):
        coming = iter(counted)

        async def next_count() -> int:
            return next(coming)

        monkeypatch.setattr(lobby, "count_people", next_count)
        seen = []
        for _ in counted:
            await lobby.refresh()
            seen.append(lobby.board.people)
    assert seen == shown


async def test_the_first_person_sees_the_board_also_if_the_worker_gives_a_sign_of_life_meanwhile(
    hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, lobby = hosts[0], hosts[0].lobby
    public = await host.create("anna", two(listing=Listing()), name="Anna")
    read = lobby._read

    async def ticked(identities: Iterable[str]) -> None:
        await lobby.tick()
        await read(identities)

    monkeypatch.setattr(lobby, "_read", ticked)
    async with lobby.visit("ben"):
        assert set(lobby.board.tables) == {public.table}


async def test_a_cancelled_request_is_over_also_when_it_comes_again(hosts: list[TableHost]) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna"), lobby.visit("ben"):
        await lobby.seek("anna", "a1", YAMM, None, "Anna")
        await lobby.cancel("anna")
        assert (await lobby.seek("anna", "a1", YAMM, None, "Anna")).state == "ended"
        assert (await lobby.seek("ben", "b1", YAMM, None, "Ben")).state == "waiting"
        assert (await lobby.seek("anna", "a2", YAMM, None, "Anna")).state == "paired"


async def test_what_cannot_be_played_is_refused(hosts: list[TableHost]) -> None:
    lobby = hosts[0].lobby
    for game, name in (("yamm(players=3)", "Anna"), ("chess", "Anna"), (YAMM, ""), (YAMM, "A\u202en")):
        with pytest.raises((TableError, GameError)):
            await lobby.seek("anna", "a1", game, None, name)


async def test_a_worker_without_people_writes_nothing(hosts: list[TableHost]) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit(None):
        assert lobby.people == await lobby._seeks.people(lobby._clock()) == 1
    await lobby.tick()
    assert await lobby._seeks.people(lobby._clock()) == 0
    assert not lobby._beaten


async def test_all_people_get_one_message_about_a_board_except_for_those_who_hide_from_each_other(
    hosts: list[TableHost],
) -> None:
    lobby, before = hosts[0].lobby, hosts[0].lobby.board
    made = await hosts[0].create("anna", two(listing=Listing()), name="Anna")
    async with lobby.visit("anna"), lobby.visit("ben"):
        await lobby.refresh()
        message = lobby.board.message(before)
        assert message is not None
        assert lobby.board.message(before) is message
        assert [table["table"] for table in message["tables"]] == [made.table]
        assert lobby.board.message(lobby.board) is None
        hidden = lobby.board.seen_with(frozenset({"anna"})).message(before)
        assert hidden is not None
        assert hidden["tables"] == []


async def race(hosts: list[TableHost], people: int, rounds: int) -> None:
    """Let all people send each request to both workers at once, and check that nobody sits at two
    tables by one request."""
    names = [f"p{number}" for number in range(people)]
    async with AsyncExitStack() as stack:
        for host in hosts:
            await host.lobby._seeks.tick(Beat(host.lobby.worker, people), host.lobby._clock())
            for name in names:
                await stack.enter_async_context(host.lobby.visit(name))
        for number in range(rounds):
            found = await asyncio.gather(*(h.lobby.seek(name, f"r{number}", YAMM, None, name) for name in names for h in hosts))
            by_person = {name: {seek.table for seek in found if seek.identity == name} - {None} for name in names}
            assert all(len(tables) <= 1 for tables in by_person.values())
            rows = await hosts[0].lobby._seeks.of(names)
            assert all(row.table is not None for row in rows.values())
            await asyncio.gather(*(hosts[0].lobby.arrive(name, str(rows[name].table)) for name in names))
            for name in names:
                assert len(await hosts[0].tables_of(name)) == number + 1


async def test_nobody_sits_at_two_tables_by_one_request(hosts: list[TableHost]) -> None:
    await race(hosts, 6, 3)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_10_000_races_at_two_workers_seat_nobody_twice(hosts: list[TableHost]) -> None:
    await race(hosts, 100, 100)
