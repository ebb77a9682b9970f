"""The daily challenges on a server: entries, midnight, the secret, what follows."""

import asyncio
import json

import pytest

from dicecup import record
from dicecup.core.errors import DicecupError
from dicecup.hosting.competition import events, lines, results
from dicecup.hosting.competition.calendar import calendar_of, streaks
from dicecup.hosting.competition.duplicates import GRACE, Duplicates
from dicecup.hosting.competition.events import Entry
from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.outages import last_served
from dicecup.hosting.people.accounts import Account, create_account
from dicecup.hosting.people.deletion import delete_account
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import begin_timeline
from dicecup.table import daily
from dicecup.table.duplicate import event_secret
from dicecup.table.event_file import check_event
from dicecup.table.setup import DAY
from dicecup.table.verify import check
from tests.hosting.competition.duplicates.days import TODAY, code_of, play_out, settle, until_midnight
from tests.hosting.guests import KEY, first, go_on, last, play
from tests.hosting.test_outages import opened
from tests.hosting.test_timers import Time

SHEET, SHORT, DUEL = (daily.daily_event(kind, TODAY) for kind in ("yamm", "short", "duel"))
HOUR = 3600.0


# --- The challenges of a day ----------------------------------------------------------------------


async def test_a_day_has_its_challenges_once_whichever_worker_makes_them(host: TableHost, time: Time) -> None:
    workers = [Duplicates(host) for _ in range(4)]
    await asyncio.gather(*(worker.tick() for worker in workers))
    found = await events.events_of_days(host.store, TODAY, TODAY)
    assert sorted(event.event for event in found) == sorted([SHEET, SHORT, DUEL])
    assert {event.state for event in found} == {events.OPEN}
    await until_midnight(host, time)
    await asyncio.gather(*(worker.tick() for worker in workers))
    assert len(await events.events_of_days(host.store, TODAY + 1, TODAY + 1)) == 3


async def test_the_commitment_is_known_before_the_first_entry(host: TableHost, duplicates: Duplicates) -> None:
    event = await events.event_of(host.store, SHEET)
    entry = await duplicates.entering.enter(SHEET, "anna", "Anna")
    assert entry.table_id is not None
    state = await host.cache.state_of(entry.table_id)
    assert state.commitment.hash == event.commitment
    assert event.created <= entry.entered


async def test_a_server_that_was_down_at_midnight_catches_up(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        await Duplicates(host).tick()
        await Duplicates(host).entering.enter(SHEET, "anna", "Anna")
    time.now += 3 * DAY
    async with opened(database, time) as host:
        after = Duplicates(host)
        await after.tick()
        found = await events.events_of_days(host.store, TODAY, TODAY + 3)
        assert {event.day for event in found} == {TODAY, TODAY + 1, TODAY + 2, TODAY + 3}
        open_days = {event.day for event in found if event.state == events.OPEN}
        assert open_days == {TODAY, TODAY + 3}, "nobody could enter on the days between"
        missed = daily.daily_event("yamm", TODAY + 1)
        assert await code_of(after.entering.enter(missed, "ben", "Ben")) == "event-over"
        assert await after.entering.practise(missed, "ben", "Ben")
        await time.ran(GRACE, host)
        await settle(after)
        assert (await events.event_of(host.store, SHEET)).is_over


async def test_a_person_enters_once_on_two_devices_at_the_same_time(host: TableHost, duplicates: Duplicates) -> None:
    tries = [duplicates.entering.enter(SHEET, "anna", "Anna") for _ in range(6)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    (entry,) = [each for each in found if isinstance(each, Entry)]
    refused = [each for each in found if isinstance(each, DicecupError)]
    assert {str(each.code) for each in refused} == {"already-entered"}
    assert {each.details["table"] for each in refused} == {entry.table_id}
    assert len(await events.entries_of(host.store, SHEET)) == 1
    assert len(await host.store.tables_of("anna")) == 1


async def test_nothing_is_thrown_before_it_is_asked_for(host: TableHost, duplicates: Duplicates) -> None:
    """Reloading shows the same table, without dice to come."""
    table = (await duplicates.entering.enter(SHEET, "anna", "Anna")).table_id or ""
    views = [(await host.look(table, "anna")).view for _ in range(3)]
    assert [view["fairness"]["throws"] for view in views] == [0, 0, 0]
    await go_on(host, table, "anna")
    thrown = [(await host.look(table, "anna")).view["turn"]["dice"] for _ in range(3)]
    assert len(set(map(str, thrown))) == 1
    secret = event_secret(KEY, SHEET).hex()
    assert secret not in json.dumps(views) + await host.record(table, "anna")


async def test_other_people_see_nothing_of_a_running_event(host: TableHost, duplicates: Duplicates) -> None:
    table = (await duplicates.entering.enter(SHEET, "anna", "Anna")).table_id or ""
    keys = await host.keys_for(table, "anna")
    assert await code_of(host.look(table, "ben", keys.watch)) == "table-closed"
    event = await events.event_of(host.store, SHEET)
    assert await code_of(_called(duplicates.secret_of, event)) == "event-running"
    assert await code_of(duplicates.file(SHEET)) == "event-running"
    assert await code_of(duplicates.game(SHEET, 1)) == "event-running"
    assert await code_of(duplicates.entering.practise(SHEET, "ben", "Ben")) == "event-running"


async def _called(function: object, *arguments: object) -> object:
    return function(*arguments)  # type: ignore[operator]


async def test_a_day_cannot_be_entered_before_or_after_it(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    tomorrow = daily.daily_event("yamm", TODAY + 1)
    assert await code_of(duplicates.entering.enter(tomorrow, "anna", "Anna")) == "no-such-event"
    await events.add_events(host.store, events.daily_events(KEY, TODAY + 1, time()))
    assert await code_of(duplicates.entering.enter(tomorrow, "anna", "Anna")) == "event-not-open"
    await until_midnight(host, time)
    assert await code_of(duplicates.entering.enter(SHEET, "anna", "Anna")) == "event-over"
    assert (await duplicates.entering.enter(tomorrow, "anna", "Anna")).event == tomorrow


async def test_a_clock_that_jumps_settles_nothing_and_opens_nothing(host: TableHost, time: Time) -> None:
    found = Duplicates(host)
    await found.tick()
    for jumped in (2 * DAY, -2 * DAY, 0.0):
        time.jumped = jumped
        await found.tick()
        assert (await events.event_of(host.store, SHEET)).state == events.OPEN
        assert await events.newest_day(host.store) == TODAY
    assert await found.entering.enter(SHEET, "anna", "Anna")


async def test_the_secret_waits_for_the_last_game(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    await until_midnight(host, time, late=-1800)
    early = (await duplicates.entering.enter(SHORT, "anna", "Anna")).table_id or ""
    late = (await duplicates.entering.enter(SHORT, "ben", "Ben")).table_id or ""
    await play_out(host, early, "anna")
    assert await play(host, late, ["ben"], 20, first) == 20
    await time.ran(1900, host)
    await settle(duplicates)
    assert (await events.event_of(host.store, SHORT)).state == events.OPEN, "Ben still plays"
    assert (await host.cache.state_of(early)).secret is None
    await play_out(host, late, "ben")
    await settle(duplicates)
    event = await events.event_of(host.store, SHORT)
    assert event.is_over
    secret = event_secret(KEY, SHORT).hex()
    assert duplicates.secret_of(event) == secret
    for table in (early, late):
        state = await host.cache.state_of(table)
        assert state.secret == secret
        assert check(record.read(await host.record(table, "anna" if table == early else "ben"))).fault is None
    report = check_event(await duplicates.file(SHORT))
    assert (report.games, report.fault) == (2, None)
    entries = await events.entries_of(host.store, SHORT)
    assert [entry.score for entry in entries] == sorted((entry.score for entry in entries), reverse=True)  # type: ignore[type-var]
    assert results.ranks(entries) in ([1, 2], [1, 1])


async def test_the_time_of_a_turn_runs_out(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    table = (await duplicates.entering.enter(SHEET, "anna", "Anna")).table_id or ""
    await go_on(host, table, "anna")
    await time.ran(daily.TURN_SECONDS + 1, host)
    await host.scheduler.run_due(table)
    assert (await host.cache.state_of(table)).end.end == "time"  # type: ignore[union-attr]


async def test_games_that_are_late_are_ended(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    """A person who goes on turn by turn does not delay the secret without end."""
    await until_midnight(host, time, late=-600)
    table = (await duplicates.entering.enter(SHEET, "anna", "Anna")).table_id or ""
    duel = (await duplicates.entering.enter(DUEL, "anna", "Anna")).table_id or ""
    turns = 0
    for _ in range(4):
        await time.ran(0.9 * HOUR, host)
        await settle(duplicates)
        turns += await play(host, table, ["anna"], 2) == 2
    assert turns == 2, "a throw and an entry, each time before the event is settled"
    assert (await host.cache.state_of(table)).end.end == "time"  # type: ignore[union-attr]
    assert (await host.cache.state_of(duel)).end is not None
    for event in (SHEET, DUEL):
        assert (await events.event_of(host.store, event)).is_over
    (entry,) = await events.entries_of(host.store, SHEET)
    assert entry.finished is False


async def test_a_worker_that_stops_anywhere_is_followed_by_another(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    table = (await duplicates.entering.enter(SHORT, "anna", "Anna")).table_id or ""
    await play_out(host, table, "anna")
    await until_midnight(host, time)
    event = await events.event_of(host.store, SHORT)
    await asyncio.gather(*(Duplicates(host)._settle(event) for _ in range(3)))
    assert (await events.event_of(host.store, SHORT)).state == events.SETTLED
    settled = await events.event_of(host.store, SHORT)
    await asyncio.gather(*(Duplicates(host)._publish(settled) for _ in range(3)))
    published = [row for row in await host.store.events(table) if "secret-published" in row.body]
    assert len(published) == 1
    found = await events.event_of(host.store, SHORT)
    leases = await asyncio.gather(*(events.lease(host.store, found, time(), 600) for _ in range(4)))
    assert sorted(leases) == [False, False, False, True]


async def test_the_computer_answers_equal_positions_equally(host: TableHost, duplicates: Duplicates) -> None:
    """Its level chooses by chance, and the chance is the same for all."""
    records = []
    for identity in ("anna", "ben"):
        table = (await duplicates.entering.enter(DUEL, identity, "Somebody")).table_id or ""
        async with host.subscribe(table, identity) as updates:
            async for _ in updates:
                if (await host.cache.state_of(table)).position.number > 6:
                    break
                await go_on(host, table, identity, last)
        records.append((await host.cache.state_of(table)).journal.lines[:6])
    assert records[0] == records[1]
    assert len(records[0]) == 6


async def test_after_a_restore_open_entries_do_not_count(host: TableHost, duplicates: Duplicates) -> None:
    table = (await duplicates.entering.enter(SHEET, "anna", "Anna")).table_id or ""
    await go_on(host, table, "anna")
    before = await host.store.events(table)
    await begin_timeline(host.store, KEY, await last_served(host.store, host.clock()))
    (entry,) = await events.entries_of(host.store, SHEET)
    assert not entry.counts
    assert results.ranks([entry._replace(finished=True, score=1.0)]) == [None]
    assert await host.store.events(table) == before, "the dice of an event are no others"


async def test_a_client_that_claims_newer_events_gets_no_other_dice(host: TableHost, duplicates: Duplicates) -> None:
    table = (await duplicates.entering.enter(SHEET, "anna", "Anna")).table_id or ""
    assert not await host.changes.note_seen(host.cache.get(table), "anna", 99)


# --- Afterwards -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_master_plays_the_same_dice_and_the_costliest_decision_is_found(
    host: TableHost, duplicates: Duplicates, time: Time
) -> None:
    for identity in ("anna", "ben"):
        table = (await duplicates.entering.enter(SHORT, identity, identity.title())).table_id or ""
        await play_out(host, table, identity)
    await until_midnight(host, time)
    await settle(duplicates)
    await asyncio.gather(*duplicates.analyses)
    event = await events.event_of(host.store, SHORT)
    assert event.state == events.ANALYSED
    name, text = await duplicates.game(SHORT, 0)
    assert name == "master"
    line = record.read(text)
    assert check(line).fault is None
    entrant = record.read((await duplicates.game(SHORT, 1))[1])
    firsts = [[words.split(" ")[1] for words in played.journal.lines] for played in (line, entrant)]
    assert firsts[0] == firsts[1], "the same first throws"
    assert line.journal.position.scores[0] > entrant.journal.position.scores[0]
    costly = json.loads(event.analysis or "")["costly"]
    assert (costly["people"], costly["entrants"]) == (2, 2)
    assert costly["loss"] > 0
    assert await code_of(duplicates.game(SHORT, 3)) == "no-such-game"


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_hardly_played_game_does_not_hold_up_the_analysis(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    """One entrant never throws, another stops in the middle of a turn."""
    await duplicates.entering.enter(SHEET, "anna", "Anna")
    table = (await duplicates.entering.enter(SHEET, "ben", "Ben")).table_id or ""
    await play(host, table, ["ben"], 3, first)
    await until_midnight(host, time, late=daily.LATE_SECONDS + GRACE)
    await settle(duplicates)
    await asyncio.gather(*duplicates.analyses)
    event = await events.event_of(host.store, SHEET)
    assert event.state == events.ANALYSED
    entries = await events.entries_of(host.store, SHEET)
    assert [entry.finished for entry in entries] == [False, False]
    assert all(entry.facts is not None for entry in entries)


def test_many_people_weigh_as_much_as_large_losses() -> None:
    one = lines.Lost(5, 1, "11234", 9.0, "k11", "k1234")
    often = lines.Lost(7, 2, "33356", 4.0, "k3", "k333")
    found = lines.costliest([[one], [often], [often], [often], []])
    assert found == lines.Costly(7, 2, "33356", 3, 5, 12.0, "k3", "k333")
    assert lines.costliest([[], []]) is None
    assert lines.lost_from_text(lines.lost_to_text([one, often])) == [one, often]


async def test_the_archive_is_played_out_of_competition(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    await until_midnight(host, time)
    await settle(duplicates)
    table = await duplicates.entering.practise(SHORT, "anna", "Anna")
    await play_out(host, table, "anna")
    assert await events.entries_of(host.store, SHORT) == []
    state = await host.cache.state_of(table)
    assert state.secret == event_secret(KEY, SHORT).hex()


async def test_a_calendar_counts_days_in_a_row(host: TableHost, duplicates: Duplicates, time: Time) -> None:
    for _ in range(3):
        day = daily.day_of(time())
        await duplicates.tick()
        table = (await duplicates.entering.enter(daily.daily_event("short", day), "anna", "Anna")).table_id or ""
        await play_out(host, table, "anna")
        await time.ran(DAY, host)
    await settle(duplicates)
    found = await calendar_of(host.store, "anna", TODAY, TODAY + 3, time())
    assert (found.streak, found.longest) == (3, 3), "today is not over"
    assert [day.day for day in found.days if day.entries] == [TODAY, TODAY + 1, TODAY + 2]
    await time.ran(2 * DAY, host)
    await duplicates.tick()
    assert (await calendar_of(host.store, "anna", TODAY, TODAY + 5, time())).streak == 0


async def test_a_deleted_account_loses_its_name_in_rankings(host: TableHost, duplicates: Duplicates) -> None:
    await create_account(host.store, Account("zoe", "Zenobia", host.clock(), public=True), lambda _: None)
    entry = await duplicates.entering.enter(SHEET, "zoe", "another name")
    assert entry.name == "Zenobia", "an account enters under its handle"
    await delete_account(host, Tournaments(host), "zoe")
    assert [entry.name for entry in await events.entries_of(host.store, SHEET)] == ["deleted"]


def test_days_without_a_server_interrupt_no_row() -> None:
    assert streaks({1, 2, 4}, {3}, 4) == (3, 3)
    assert streaks({1, 2, 4}, (), 4) == (1, 2)
    assert streaks({1, 2}, (), 3) == (2, 2), "today is not over"
    assert streaks({1, 2}, (), 4) == (0, 2)
    assert streaks((), (), 4) == (0, 0)


def test_another_server_key_knows_no_dice_of_an_event() -> None:
    assert events.daily_events(KEY, TODAY, 0.0)[0].commitment != events.daily_events(bytes(32), TODAY, 0.0)[0].commitment
