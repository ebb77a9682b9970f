"""Duplicate events of two and four people: a pair plays two games with seats exchanged, a table of
four two at once."""

import asyncio

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition import events
from dicecup.hosting.competition.duplicates import Duplicates
from dicecup.hosting.competition.entering import two_people
from dicecup.hosting.table_host import TableHost
from dicecup.table.event_file import check_event
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.competition.duplicates.days import code_of, place, settle
from tests.hosting.guests import KEY, play


async def enter_all(duplicates: Duplicates, kind: str, people: list[str], clock: Clock | None = None) -> str:
    setup = two_people("yam-master", clock)
    event = await duplicates.entering.invite(kind, people[0], people[0].title(), setup)
    key = events.invitation_key(KEY, event.event)
    for identity in people[1:]:
        await duplicates.entering.enter(event.event, identity, identity.title(), key)
    return event.event


async def test_a_pair_plays_two_games_with_the_same_dice_and_seats_exchanged(host: TableHost, duplicates: Duplicates) -> None:
    event = await enter_all(duplicates, "pair", ["anna", "ben"], Clock(ClockKind.TURN, 600))
    (one,) = await events.boards_of(host.store, event)
    await play(host, one, ["anna", "ben"], 1000, place)
    assert (await host.cache.state_of(one)).secret is None
    await duplicates.tick()
    _, two = await events.boards_of(host.store, event)
    assert not (await events.event_of(host.store, event)).is_over
    await play(host, two, ["anna", "ben"], 1000, place)
    await settle(duplicates)
    found = await events.event_of(host.store, event)
    assert found.is_over
    states = [await host.cache.state_of(table) for table in (one, two)]
    assert [state.seats[0].name for state in states] == ["Anna", "Ben"]
    assert states[0].journal.lines == states[1].journal.lines, "the same dice and decisions"
    sums = await duplicates.sums(found)
    assert sums[0].wins == sums[1].wins == 1
    assert sums[0].points == sums[1].points
    assert check_event(await duplicates.file(event)).fault is None


async def test_a_table_of_four_plays_two_games_at_once(host: TableHost, duplicates: Duplicates) -> None:
    people = ["anna", "asha", "ben", "bo"]
    event = await enter_all(duplicates, "four", people)
    tables = await events.boards_of(host.store, event)
    seats = [[seat.name for seat in (await host.cache.state_of(table)).seats] for table in tables]
    assert seats == [["Anna", "Ben"], ["Bo", "Asha"]]
    assert await code_of(host.look(tables[1], "anna")) in ("no-such-table", "table-closed")
    for table, sitting in zip(tables, (["anna", "ben"], ["bo", "asha"]), strict=True):
        await play(host, table, sitting, 1000, place)
    await settle(duplicates)
    sums = await duplicates.sums(await events.event_of(host.store, event))
    assert [each.names for each in sums] == [("Anna", "Asha"), ("Ben", "Bo")]
    assert sums[0].wins == sums[1].wins == 1, "x won or lost twice with the same decisions"


async def test_only_people_with_the_link_enter_a_pair_and_nobody_twice(host: TableHost, duplicates: Duplicates) -> None:
    event = (await duplicates.entering.invite("pair", "anna", "Anna", two_people("yamm", None))).event
    key = events.invitation_key(KEY, event)
    assert await code_of(duplicates.entering.enter(event, "ben", "Ben")) == "no-such-event"
    assert await code_of(duplicates.entering.enter(event, "ben", "Ben", "0" * 22)) == "no-such-event"
    assert await code_of(duplicates.entering.enter(event, "anna", "Anna", key)) == "already-entered"
    tries = [duplicates.entering.enter(event, name, name, key) for name in ("ben", "carl", "dora")]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(str(each.code) for each in found if isinstance(each, DicecupError)) == ["event-full"] * 2
    assert len(await events.boards_of(host.store, event)) == 1
    assert await code_of(duplicates.entering.invite("five", "anna", "Anna", two_people("yamm", None))) == "no-such-event"
