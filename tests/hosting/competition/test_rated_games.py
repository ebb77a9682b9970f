"""Rated games at a host: which ones count, how, once, and in which order."""

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import select, update

from dicecup.hosting.competition import rater, standings
from dicecup.hosting.competition.accuracy import accuracy, accuracy_of
from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.pools import Pool
from dicecup.hosting.competition.rated_game import FIRST_TURNS
from dicecup.hosting.competition.rater import Rater
from dicecup.hosting.competition.rating import WHOLE_GAMES
from dicecup.hosting.competition.standings import TableRatings
from dicecup.hosting.competition.strength import NEW
from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.errors import HostingError
from dicecup.hosting.people.accounts import Account, create_account
from dicecup.hosting.people.deletion import delete_account
from dicecup.hosting.store.audit import entries_of
from dicecup.hosting.store.bans import Ban, save_ban
from dicecup.hosting.store.rating_models import RATED_GAMES, RATING_CHANGES, RATINGS
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Resign, Sit
from dicecup.table.setup import Setup
from tests.hosting.guests import against, entry, first, ids, play, settings, two

DUEL = "yam-master:open:duel:slow"


async def account(host: TableHost, identity: str, *, public: bool = True) -> None:
    await create_account(host.store, Account(identity, identity.title(), 1.0, public), lambda _: None)


async def rate(host: TableHost) -> None:
    await Rater(host.store, lambda _: None).run()


async def rows(host: TableHost, table: Any) -> list[Any]:
    async with host.store.engines.readers.connect() as connection:
        return list((await connection.execute(select(table))).all())


async def send(host: TableHost, table: str, identity: str, command: Any, key: str | None = None) -> None:
    number = (await host.cache.state_of(table)).number
    await host.send(table, identity, command, version=number, command_id=f"r{next(ids)}", key=key)


async def duel(host: TableHost, one: str = "anna", other: str = "ben", turns: int = 3, **changed: Any) -> str:
    """Return a rated game of two people in which some turns were played, first by the one who
    begins."""
    made = await host.create(one, two(rated=True, first=0, **changed), name=one.title())
    await send(host, made.table, other, Sit(other.title()), made.join)
    while not (state := await host.cache.state_of(made.table)).order or state.position.number <= turns:
        assert await play(host, made.table, [one, other], 1, first)
    return made.table


async def of_table(host: TableHost, table: str) -> TableRatings:
    await rate(host)
    found = await standings.ratings_at(host.store, await host.cache.state_of(table), host.clock())
    assert found is not None
    return found


@pytest.fixture
async def people(host: TableHost) -> TableHost:
    """A host at which Anna, Ben and Carla have accounts."""
    for identity in ("anna", "ben", "carla"):
        await account(host, identity)
    return host


async def test_a_game_is_rated_once_by_any_worker(people: TableHost) -> None:
    table = await duel(people)
    before = await of_table(people, table)
    assert (before.state, [seat.strength for seat in before.seats]) == ("playing", [NEW, NEW])
    await send(people, table, "anna", Resign())
    await of_table(people, table)
    after = await of_table(people, table)
    assert (after.state, after.pool) == ("counted", DUEL)
    lost, won = after.seats
    assert lost.change == pytest.approx(-162.31, abs=0.01)
    assert won.change == pytest.approx(162.31, abs=0.01)
    assert [row.games for row in await rows(people, RATINGS)] == [1, 1]
    assert len(await rows(people, RATING_CHANGES)) == 2


async def test_a_table_without_a_rating_has_none(people: TableHost) -> None:
    made = await people.create("anna", two(), name="Anna")
    assert await standings.ratings_at(people.store, await people.cache.state_of(made.table), 0.0) is None


@pytest.mark.slow
async def test_a_game_against_a_level_moves_the_person_alone(people: TableHost) -> None:
    table = (await people.create("anna", Setup("yam-master", against("club").seats, rated=True, first=0), name="Anna")).table
    async with people.subscribe(table, "anna") as updates:
        async for update in updates:
            if update.view["turn"] is not None and update.view["turn"]["number"] >= 3:
                break
            await play(people, table, ["anna"], 9, first)
    await send(people, table, "anna", Resign())
    found = await of_table(people, table)
    person, computer = found.seats
    assert person.change is not None
    assert -162 < person.change < 0
    assert (computer.strength, computer.change) == (level_strengths("yam-master")["club"], None)


async def test_a_game_given_up_in_the_first_turn_does_not_count(people: TableHost) -> None:
    table = await duel(people, turns=FIRST_TURNS - 2)
    await send(people, table, "anna", Resign())
    found = await of_table(people, table)
    assert (found.state, found.refusal) == ("not-counted", "too-short")
    assert await rows(people, RATINGS) == []


async def test_further_games_of_two_people_on_one_day_count_less(people: TableHost) -> None:
    shares = []
    for _ in range(WHOLE_GAMES + 2):
        table = await duel(people)
        await send(people, table, "anna", Resign())
        shares.append((await of_table(people, table)).seats[0].share)
    assert shares == [1.0] * WHOLE_GAMES + [0.5, 0.25]
    table = await duel(people, "anna", "carla")
    await send(people, table, "anna", Resign())
    assert (await of_table(people, table)).seats[0].share == 1.0


async def finished(host: TableHost, *pairs: tuple[str, str]) -> list[str]:
    """Play a game for each pair, which the first person loses."""
    tables = []
    for one, other in pairs:
        tables.append(await duel(host, one, other))
        await send(host, tables[-1], one, Resign())
    return tables


async def test_games_are_rated_in_the_order_in_which_they_ended(people: TableHost) -> None:
    tables = await finished(people, ("anna", "ben"), ("ben", "carla"), ("carla", "anna"))
    await rate(people)
    numbered = {row.table_id: row.number for row in await rows(people, RATED_GAMES)}
    assert [numbered[table] for table in tables] == [1, 2, 3]


async def test_replaying_the_log_gives_the_same_ratings(people: TableHost) -> None:
    pairs = [("anna", "ben"), ("ben", "carla"), ("carla", "anna"), ("anna", "ben"), ("ben", "anna")]
    await finished(people, *pairs)
    await rate(people)
    before = sorted(await rows(people, RATINGS)), sorted(await rows(people, RATING_CHANGES))
    assert await rater.recompute(people.store) == (len(pairs), 3, 0)
    assert (sorted(await rows(people, RATINGS)), sorted(await rows(people, RATING_CHANGES))) == before


async def test_replaying_mends_what_was_changed_by_hand(people: TableHost) -> None:
    await finished(people, ("anna", "ben"))
    await rate(people)
    before = sorted(await rows(people, RATINGS))
    await people.store.writer.work(lambda connection: connection.execute(update(RATINGS).values(rating=9999.0)))
    assert (await rater.recompute(people.store)).changed == 2
    assert sorted(await rows(people, RATINGS)) == before


async def test_a_cancelled_game_counts_no_more(people: TableHost) -> None:
    tables = await finished(people, ("anna", "ben"), ("anna", "carla"))
    await rate(people)
    found = await rater.cancel(people.store, tables[0], entry(5.0, "unrate"))
    assert found.games == 1
    assert {row.identity for row in await rows(people, RATINGS)} == {"anna", "carla"}
    state = await of_table(people, tables[0])
    assert (state.state, state.refusal) == ("not-counted", "cancelled")
    with pytest.raises(HostingError, match="not-rated"):
        await rater.cancel(people.store, tables[0], entry(6.0, "unrate"))
    assert [entry.command for entry in await entries_of(people.store)] == ["unrate"]


@pytest.mark.slow
async def test_several_workers_rate_each_game_once(database: str) -> None:
    hosts = [await TableHost.open(settings(database, rated="everyone")) for _ in range(2)]
    try:
        await finished(hosts[0], *[("anna", "ben"), ("ben", "carla"), ("carla", "anna")] * 3)
        await asyncio.gather(*(rate(host) for host in hosts for _ in range(3)))
        found = await rows(hosts[0], RATED_GAMES)
        assert sorted(row.number for row in found) == list(range(1, 10))
        assert sum(row.games for row in await rows(hosts[0], RATINGS)) == 18
        assert (await rater.recompute(hosts[1].store)).changed == 0
    finally:
        for host in hosts:
            await host.close()


async def test_a_deleted_person_leaves_the_ratings_of_the_others(people: TableHost) -> None:
    await finished(people, ("anna", "ben"), ("ben", "carla"), ("carla", "anna"))
    await rate(people)
    before = {row.identity: tuple(row) for row in await rows(people, RATINGS)}
    await delete_account(people, Tournaments(people), "anna")
    for table in (RATED_GAMES, RATINGS, RATING_CHANGES):
        assert all('"anna"' not in json.dumps(list(row)) for row in await rows(people, table))
    assert (await rater.recompute(people.store)).changed == 0
    after = {row.identity: tuple(row) for row in await rows(people, RATINGS)}
    assert {name: after[name] for name in ("ben", "carla")} == {name: before[name] for name in ("ben", "carla")}


async def test_a_rated_game_needs_accounts(database: str) -> None:
    host = await TableHost.open(settings(database))
    try:
        with pytest.raises(HostingError, match="rated-needs-account"):
            await host.create("anna", two(rated=True), name="Anna")
        await account(host, "anna")
        made = await host.create("anna", two(rated=True), name="Anna")
        with pytest.raises(HostingError, match="rated-needs-account"):
            await send(host, made.table, "ben", Sit("Ben"), made.join)
        await account(host, "ben")
        await send(host, made.table, "ben", Sit("Ben"), made.join)
    finally:
        await host.close()


async def test_nothing_helps_in_a_rated_game_against_a_computer(people: TableHost) -> None:
    for rated, guarded in ((True, 1), (False, 0)):
        host_setup = Setup("yam-master", against("random").seats, rated=rated, first=0)
        made = await people.create("carla", host_setup, name="Carla")
        await play(people, made.table, ["carla"], 3, first)
        assert len(await people.guarded_positions("carla")) == guarded
        view = (await people.look(made.table, "carla")).view
        assert (view["rated"], view["portable"]) == (rated, not rated)
        await send(people, made.table, "carla", Resign())


@pytest.mark.slow
async def test_the_leaderboard_lists_public_people_whose_rating_is_known(people: TableHost) -> None:
    await account(people, "dora", public=False)
    for _ in range(12):
        await finished(people, ("anna", "ben"), ("dora", "carla"))
        await rate(people)
    pool = Pool.read(DUEL)
    assert pool is not None
    now = people.clock()
    await people.store.writer.work(lambda connection: connection.execute(update(RATINGS).values(deviation=90.0)))
    listed = [each.handle for each in await standings.leaderboard(people.store, pool, now)]
    assert (listed[2], set(listed)) == ("Anna", {"Anna", "Ben", "Carla"})
    ban = Ban("ben", now, now + 60, "cheating")
    await save_ban(people.store, ban, entry(now, "ban"))
    assert [each.handle for each in await standings.leaderboard(people.store, pool, now)] == ["Carla", "Anna"]
    assert await standings.leaderboard(people.store, pool, now + 1e9) == []  # nobody has played for a long time
    (own,) = await standings.ratings_of(people.store, "anna", now)
    assert (own.pool, own.games, len(own.history)) == (DUEL, 12, 12)
    assert [point.rating for point in own.history] == sorted((point.rating for point in own.history), reverse=True)


@pytest.mark.slow
async def test_accuracy_waits_for_no_table_that_was_deleted(people: TableHost) -> None:
    kept, deleted = await finished(people, ("anna", "ben"), ("anna", "ben"))
    await rate(people)
    await people.store.delete(deleted)
    people.own_games.review([deleted, kept])  # the queue goes on after a table that is not there
    while (found := await accuracy_of(people.store, people.own_games, "anna", "yam-master")).waiting:  # noqa: ASYNC110 as the page asks
        await asyncio.sleep(0.05)
    assert (found.games, found.unit, found.half) == (1, "chance", None)
    assert await accuracy_of(people.store, people.own_games, "carla", "yam-master") == (None, None, 0, 0, None, 0)


def test_accuracy_is_a_mean_over_decisions_with_the_spread_of_games() -> None:
    same, apart = accuracy([(2.0, 10), (4.0, 20), (1.0, 5)]), accuracy([(4.0, 10), (2.0, 20), (1.0, 5)])
    assert (same.loss, same.half, same.decisions) == (0.2, 0.0, 35)
    assert apart.loss == 0.2
    assert apart.half == pytest.approx(1.96 * (1.5 * 8) ** 0.5 / 35)
    assert accuracy([(2.0, 10)] * 2).half is None
    assert accuracy([]).loss is None
