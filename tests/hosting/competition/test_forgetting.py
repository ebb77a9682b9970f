"""Deleting an account takes the person out of tournaments, and the name from their logs."""

import pytest
from sqlalchemy import Connection, inspect, text

from dicecup.hosting.competition.tournament_store import TournamentStore
from dicecup.hosting.people.accounts import Account, account_of, create_account
from dicecup.hosting.people.deletion import delete_account
from dicecup.hosting.store.bans import Ban, save_ban
from dicecup.hosting.table_host import TableHost
from dicecup.tournament.commands import AddEntrant, Correct, Enter, EnterResult, NameOrganiser, StartRound
from dicecup.tournament.events import Cause, How, Result
from dicecup.tournament.setup import DiceKind, Format
from dicecup.tournament.standings import crosstable, standings
from tests.hosting.competition.clubs import ORGANISER, Club
from tests.hosting.competition.test_tournaments import club, code_of, time
from tests.hosting.guests import entry
from tests.tournament.playing import setup

__all__ = ["club", "time"]
NAME = "Zenobia"


@pytest.fixture
async def zoe(club: Club) -> str:
    """Return the identity of a person with an account."""
    await with_account(club, "zoe", NAME)
    return "zoe"


async def with_account(club: Club, identity: str, handle: str) -> None:
    account = Account(identity, handle, club.host.clock(), public=True)
    await create_account(club.host.store, account, lambda _: None)


async def delete(club: Club, identity: str) -> None:
    await delete_account(club.host, club.tournaments, identity)


async def names(club: Club) -> list[str]:
    return [entrant.name for entrant in (await club.state()).entrants]


async def whole_database(host: TableHost) -> str:
    """Return every value of every table as one text."""

    def everything(connection: Connection) -> str:
        listed = inspect(connection).get_table_names()
        return repr([connection.execute(text(f'SELECT * FROM "{name}"')).all() for name in listed])  # noqa: S608

    return await host.store.writer.work(everything)


async def enter_and_organise(club: Club, zoe: str) -> None:
    """Create a tournament that Zoe has entered and organises, beside another person."""
    await club.create(setup(Format.ROUND_ROBIN, dice=DiceKind.RESULTS), 1)
    await club.do(Enter("another name"), zoe)  # the handle counts
    await club.do(Enter("deleted"), "ben")
    await club.do(NameOrganiser(NAME))


async def test_nothing_has_the_name_any_more_and_pairings_and_standings_stay(club: Club, zoe: str) -> None:
    await enter_and_organise(club, zoe)
    for _ in range(3):
        await club.do(StartRound())
        (pairing,) = (await club.state()).running_pairings()
        await club.do(EnterResult(pairing.number, 1, Result.WON))
    await club.do(Correct(1, Result.DRAWN, f"{NAME.lower()} mistyped; all {NAME}s do"), zoe)
    before = await club.state()
    assert (await names(club), before.handles) == (["Player 1", NAME, "deleted"], (NAME,))
    await delete(club, zoe)
    state = await club.state()
    assert (await names(club), state.handles, state.organisers) == (["Player 1", "deleted 2", "deleted"], (), (ORGANISER,))
    events = await club.tournaments.events(club.tournament, 0)
    assert [each.event.remark for each in events if each.event.type == "corrected"] == [f"deleted 2 mistyped; all {NAME}s do"]
    assert NAME not in (await whole_database(club.host)).replace(f"{NAME}s", "")
    assert await club.replayed() == state
    assert state.pairings == before.pairings
    assert (standings(state), crosstable(state)) == (standings(before), crosstable(before))
    assert await club.tournaments.store.ids_of(zoe) == []
    assert await club.tournaments.store.ids_of("ben") == [club.tournament]
    assert await account_of(club.host.store, zoe) is None


async def test_a_person_is_withdrawn_before_the_start_and_loses_the_running_pairing(club: Club, zoe: str) -> None:
    await club.create(Format.ROUND_ROBIN, 1)
    await club.do(Enter(""), zoe)
    waiting = club.tournament
    await club.create(Format.ROUND_ROBIN, 1)
    await club.do(Enter(""), zoe)
    await club.do(StartRound())
    (pairing,) = await club.running()
    await delete(club, zoe)
    await club.organising.advance()
    played = (await club.state()).pairings[0]
    assert (played.points_of(1), played.points_of(2), played.cause) == (2, 0, Cause.WITHDRAWN)
    assert pairing.game is not None
    table = await club.host.cache.state_of(pairing.game.table)
    assert table.end is not None
    assert sorted(seat.name for seat in table.seats) == ["Player 1", "deleted"]
    club.tournament = waiting
    assert [entrant.is_active for entrant in (await club.state()).entrants] == [True, False]
    assert [each["entrants"] for each in await club.tournaments.store.of_person("p1") if each["tournament"] == waiting] == [1]


async def test_a_tournament_goes_to_its_other_organisers_with_its_people_without_devices(club: Club, zoe: str) -> None:
    club.tournament = await club.tournaments.create(zoe, setup(Format.ROUND_ROBIN))
    await with_account(club, "ben", "Ben")
    await club.do(NameOrganiser("Ben"), zoe)
    await club.do(AddEntrant("Carla"), zoe)
    await club.do(Enter(""), "ben")
    await club.do(StartRound(), zoe)
    (pairing,) = await club.running()
    await club.start_games()
    await club.resign(pairing, 2)
    await delete(club, zoe)  # before the result is taken
    await club.organising.advance()
    state = await club.state()
    assert (state.pairings[0].cause, state.pairings[0].points_of(1)) == (Cause.RESIGNED, 2)
    assert (state.organisers, state.player(1)) == (("ben",), "ben")
    assert await club.tournaments.store.unfinished_of(zoe) == 0


async def test_a_tournament_without_organisers_plays_the_round_and_ends(club: Club, zoe: str) -> None:
    club.tournament = await club.tournaments.create(zoe, setup(Format.ROUND_ROBIN))
    for number in (1, 2, 3):
        await club.do(Enter(f"Player {number}"), f"p{number}")
    await club.do(StartRound(), zoe)
    running = club.tournament
    club.tournament = await club.tournaments.create(zoe, setup(Format.ARENA, starts=club.host.clock() + 60))
    await delete(club, zoe)
    assert (await club.state()).how is How.CANCELLED
    club.tournament = running
    assert not (await club.state()).is_over
    await club.play_round()
    state = await club.state()
    assert (state.how, len(state.rounds), state.pairings[0].cause) == (How.ROUNDS, 1, Cause.RESIGNED)
    assert await club.replayed() == state


async def test_a_deletion_that_was_interrupted_can_be_repeated(club: Club, zoe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await enter_and_organise(club, zoe)
    forget, calls = TournamentStore.forget, iter([True])

    async def fail_once(store: TournamentStore, tournament: str, identity: str, bodies: dict[int, str]) -> None:
        if next(calls, False):
            raise ConnectionError
        await forget(store, tournament, identity, bodies)

    monkeypatch.setattr(TournamentStore, "forget", fail_once)
    with pytest.raises(ConnectionError):
        await delete(club, zoe)
    assert await account_of(club.host.store, zoe) is not None
    assert NAME in await whole_database(club.host)
    await delete(club, zoe)
    assert NAME not in await whole_database(club.host)
    assert await club.replayed() == await club.state()


async def test_a_tournament_that_the_person_entered_meanwhile_loses_the_name_too(
    club: Club, zoe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.create(Format.ROUND_ROBIN, 1)
    publish_end = club.host.credentials.publish_end

    async def enter_first(identity: str) -> None:
        await club.do(Enter(NAME), zoe)  # a request that the server had begun to handle
        await publish_end(identity)

    monkeypatch.setattr(club.host.credentials, "publish_end", enter_first)
    await delete(club, zoe)
    assert await names(club) == ["Player 1", "deleted"]
    assert NAME not in await whole_database(club.host)


async def test_nobody_names_a_banned_person_organiser(club: Club, zoe: str) -> None:
    await club.create(Format.SWISS, 0)
    now = club.host.clock()
    await save_ban(club.host.store, Ban(zoe, now, now + 60, "insults"), entry(now))
    await club.host.credentials.bans.refresh()
    assert await code_of(club.do(NameOrganiser(NAME))) == "no-such-person"


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_another_worker_with_the_tournament_in_memory_has_the_new_name(database: str, club: Club, zoe: str) -> None:
    await enter_and_organise(club, zoe)
    async with Club.opened(database, club.host.clock, club.tournament) as other:  # type: ignore[arg-type]
        async with other.tournaments.follow(club.tournament) as states:
            assert (await anext(states)).handles == (NAME,)
            await delete(club, zoe)
            async for state in states:
                if state == await club.state():
                    break
        assert await names(other) == ["Player 1", "deleted 2", "deleted"]
        await other.do(StartRound())
        assert await other.state() == await other.replayed() == await club.replayed()
    assert NAME not in await whole_database(club.host)
