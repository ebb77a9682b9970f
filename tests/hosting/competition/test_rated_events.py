"""Rated pairs of duels and tables of four: their games are rated together, once."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition import events, standings
from dicecup.hosting.competition.accuracy import accuracy_of
from dicecup.hosting.competition.duplicates import Duplicates
from dicecup.hosting.competition.entering import two_people
from dicecup.hosting.competition.events import Entry, Event
from dicecup.hosting.competition.rated_event import rated_event
from dicecup.hosting.competition.rated_game import Member, RatedGame, Refusal
from dicecup.hosting.competition.rater import Rater, recompute
from dicecup.hosting.outages import last_served
from dicecup.hosting.people.accounts import Account, create_account
from dicecup.hosting.store.rating_models import RATED_GAMES, RATINGS
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import begin_timeline
from dicecup.table.commands import Resign
from tests.hosting.competition.duplicates.days import place
from tests.hosting.guests import KEY, first, ids, play
from tests.hosting.test_outages import opened
from tests.hosting.test_timers import Time

PEOPLE = ("anna", "asha", "ben", "bo")


@pytest.fixture
async def host(database: str) -> AsyncIterator[TableHost]:
    async with opened(database, Time()) as host:
        for identity in PEOPLE:
            await create_account(host.store, Account(identity, identity.title(), 1.0, public=True), lambda _: None)
        yield host


@pytest.fixture
async def duplicates(host: TableHost) -> Duplicates:
    return Duplicates(host)


async def entered(duplicates: Duplicates, kind: str, *people: str) -> str:
    setup = two_people("yam-master", None, rated=True)
    event = (await duplicates.entering.invite(kind, people[0], people[0].title(), setup)).event
    for identity in people[1:]:
        await duplicates.entering.enter(event, identity, identity.title(), events.invitation_key(KEY, event))
    return event


async def resign(host: TableHost, table: str, identity: str, turns: int) -> None:
    """Play so many turns at a table, then let a person resign."""
    state = await host.cache.state_of(table)
    while state.position.number <= turns:
        assert await play(host, table, [seat.identity or "" for seat in state.seats], 1, first)
        state = await host.cache.state_of(table)
    await host.send(table, identity, Resign(), version=state.number, command_id=f"r{next(ids)}")


async def rated(host: TableHost, duplicates: Duplicates) -> dict[str, float]:
    """Settle what is due, rate it, and return the ratings."""
    for _ in range(3):
        await duplicates.tick()
    await asyncio.gather(*(Rater(host.store, lambda _: None).run() for _ in range(2)))
    async with host.store.engines.readers.connect() as connection:
        return {row.identity: row.rating for row in await connection.execute(select(RATINGS))}


async def states_at(host: TableHost, tables: list[str]) -> list[Any]:
    found = [await standings.ratings_at(host.store, await host.cache.state_of(table), host.clock()) for table in tables]
    return [each and (each.pool, each.state, each.refusal) for each in found]


async def test_a_pair_is_rated_once_by_the_sums_of_both_games(host: TableHost, duplicates: Duplicates) -> None:
    event = await entered(duplicates, "pair", "anna", "ben")
    (one,) = await events.boards_of(host.store, event)
    await play(host, one, ["anna", "ben"], 1000, place)
    pool = "yam-master:duplicate:duel:slow"
    assert await states_at(host, [one]) == [(pool, "in-event", None)]
    assert await rated(host, duplicates) == {}, "the second game is missing"
    _, two = await events.boards_of(host.store, event)
    await resign(host, two, "ben", 3)
    ratings = await rated(host, duplicates)
    lost = (await host.cache.state_of(one)).end.winners == (1,)  # type: ignore[union-attr]
    assert ratings == pytest.approx({"anna": 1500.0, "ben": 1500.0} if lost else {"anna": 1662.31, "ben": 1337.69}, abs=0.01)
    assert await states_at(host, [one, two]) == [(pool, "counted", None)] * 2
    assert (await recompute(host.store)).changed == 0
    asked: list[str] = []
    reviews = SimpleNamespace(review=asked.extend)
    assert (await accuracy_of(host.store, reviews, "anna", "yam-master")).waiting == 2  # type: ignore[arg-type]
    assert sorted(asked) == sorted([one, two]), "both games count for accuracy"


async def test_a_table_of_four_rates_pairs(host: TableHost, duplicates: Duplicates) -> None:
    event = await entered(duplicates, "four", *PEOPLE)
    tables = await events.boards_of(host.store, event)
    await resign(host, tables[0], "ben", 3)
    await resign(host, tables[1], "bo", 0)  # too early for a rated game, but not to lose an event
    ratings = await rated(host, duplicates)
    assert ratings["anna"] == ratings["asha"] > 1500 > ratings["ben"] == ratings["bo"]
    assert await states_at(host, tables) == [("yam-master:duplicate:pairs:slow", "counted", None)] * 2


async def test_an_event_given_up_at_once_does_not_count(host: TableHost, duplicates: Duplicates) -> None:
    event = await entered(duplicates, "pair", "anna", "ben")
    for _ in range(2):
        await resign(host, (await events.boards_of(host.store, event))[-1], "anna", 0)
        await duplicates.tick()
    assert await rated(host, duplicates) == {}
    found = await states_at(host, await events.boards_of(host.store, event))
    assert [refusal for _, _, refusal in found] == ["too-short"] * 2


async def test_an_event_does_not_count_after_a_restore(host: TableHost, duplicates: Duplicates) -> None:
    event = await entered(duplicates, "four", *PEOPLE)
    tables = await events.boards_of(host.store, event)
    await resign(host, tables[0], "ben", 3)
    await begin_timeline(host.store, KEY, await last_served(host.store, host.clock()))
    await resign(host, tables[1], "bo", 3)
    assert await rated(host, duplicates) == {}
    assert {refusal for _, _, refusal in await states_at(host, tables)} == {"restored"}


async def test_a_rated_event_needs_accounts_and_others_rate_nothing(host: TableHost, duplicates: Duplicates) -> None:
    event = await entered(duplicates, "pair", "anna")
    for refused in (
        duplicates.entering.enter(event, "guest", "Guest", events.invitation_key(KEY, event)),
        duplicates.entering.invite("pair", "guest", "Guest", two_people("yamm", None, rated=True)),
    ):
        with pytest.raises(DicecupError) as error:
            await refused
        assert error.value.code == "rated-needs-account"
    unrated = (await duplicates.entering.invite("pair", "anna", "Anna", two_people("yam-master", None))).event
    await duplicates.entering.enter(unrated, "guest", "Guest", events.invitation_key(KEY, unrated))
    (table,) = await events.boards_of(host.store, unrated)
    assert await states_at(host, [table]) == [None]
    async with host.store.engines.readers.connect() as connection:
        assert (await connection.execute(select(RATED_GAMES))).all() == []


# --- As values ------------------------------------------------------------------------------------

FOUR = [Entry("four-1", identity, identity, 0.0, place, None, counts=True) for place, identity in enumerate(PEOPLE)]


def game(one: Member, other: Member, ranks: tuple[int, int], refusal: str = Refusal.IN_EVENT) -> RatedGame:
    return RatedGame("table", 0.0, "yamm:duplicate:pairs:slow", ((one,), (other,)), ranks, refusal)


@pytest.mark.parametrize(
    "left, points, ranks",
    [(False, (900, 1000), (1, 0)), (False, (1000, 900), (0, 1)), (False, (950, 950), (0, 0)), (True, (900, 1000), (0, 0))],
)
def test_points_decide_between_equal_wins_unless_a_game_was_given_up(
    left: bool, points: tuple[int, int], ranks: tuple[int, int]
) -> None:
    event = Event("four-1", "four", None, "", "", None, 0.0, 0.0, 0.0, 0.0, "open")
    boards = [
        game(Member("anna"), Member("ben"), (0, 1)),
        game(Member("bo"), Member("asha", left=left), (0, 1)),
    ]
    found = rated_event(event, FOUR, boards, points, 5.0)
    assert (found.ranks, found.refusal, found.ended) == (ranks, None, 5.0)
    assert found.sides == ((Member("anna"), Member("asha", left=left)), (Member("ben"), Member("bo")))
