"""Whole games on a host: records, matches, computers, and values that derive from the events."""

from dicecup import record
from dicecup.hosting.table_host import TableHost
from dicecup.table import verify
from dicecup.table.commands import Resign
from tests.hosting.guests import against, alone, go_on, last, play, seated, two


async def test_a_game_ends_with_its_secret_and_a_record_that_verifies(host: TableHost) -> None:
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 20)
    assert "[Secret" not in await host.record(made.table, "anna")
    number = (await host.look(made.table, "anna")).number
    await host.send(made.table, "anna", Resign(), version=number, command_id="r")
    text = await host.record(made.table, None, made.watch)
    report = verify.check(record.read(text))
    assert (report.right, report.wrong, report.fault) == (report.throws, 0, None)
    assert report.throws > 0
    (summary,) = await host.tables_of("anna")
    assert (summary.state, summary.outcome) == ("over", "lost")
    assert await host.store.outcomes_of("ben") == {("yam-master", "won"): 1}
    games, statistics = await host.dice_statistics()
    assert games == 1
    thrown = sum(len(each.shown) - len(each.kept.faces) for each in verify.throws_of(record.read(text)))
    assert statistics.total == thrown


async def test_a_match_continues_at_the_next_table_at_once(host: TableHost) -> None:
    made = await host.create("anna", two(games=2), seats=[(0, "Anna"), (1, "Ben")])
    await play(host, made.table, ["anna"], 6)
    number = (await host.look(made.table, "anna")).number
    await host.send(made.table, "anna", Resign(seat=1), version=number, command_id="r")
    following = (await host.look(made.table, "anna")).view["next"]
    seen = await host.look(following, "anna")
    assert [seat["name"] for seat in seen.view["seats"]] == ["Anna", "Ben"]
    assert {table.state for table in await host.tables_of("anna")} == {"over", "open"}
    assert await play(host, following, ["anna"], 6) == 6


async def test_the_computer_plays_its_part(host: TableHost) -> None:
    made = await host.create("anna", against("greedy"), name="Anna")
    async with host.subscribe(made.table, "anna") as updates:
        turns = 0
        async for update in updates:
            turns = update.view["turn"]["number"] if update.view["turn"] else 0
            if turns > 6 or update.view["result"]:
                break
            if update.number == (await host.look(made.table, "anna")).number:
                await go_on(host, made.table, "anna", last)
    assert turns > 6


async def test_derived_values_can_be_rebuilt(host: TableHost) -> None:
    from dicecup.hosting.event_rows import digest_of_rows

    over = await seated(host)
    await play(host, over.table, ["anna", "ben"], 30)
    await host.send(over.table, "ben", Resign(), version=(await host.look(over.table, "ben")).number, command_id="r")
    running = await host.create("anna", alone(), name="Anna")
    await play(host, running.table, ["anna"], 30)
    await host.create("ben", two(), name="Ben")

    async def everything() -> list[object]:
        people = [await host.tables_of("anna"), await host.tables_of("ben"), await host.store.outcomes_of("anna")]
        return [*people, await host.store.tables(), await host.store.faces(), await host.store.unfinished_of("anna")]

    before = await everything()
    assert await host.store.rebuild(digest_of_rows) == 3
    assert await everything() == before
