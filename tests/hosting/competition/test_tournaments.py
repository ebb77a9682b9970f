"""Tournaments on a host: tables of a round, their results, and commands that are handled once."""

import json
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import update

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition import tournaments
from dicecup.hosting.competition.tournaments import MOST_UNFINISHED
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.bans import Ban, save_ban
from dicecup.hosting.store.tournament_models import TOURNAMENTS
from dicecup.locale import Messages
from dicecup.sentences import code_sentence
from dicecup.table.commands import Claim, Remedy, Resign
from dicecup.table.setup import Clock, ClockKind
from dicecup.table.state import TableState
from dicecup.tournament.commands import (
    AddEntrant,
    Cancel,
    DeleteRound,
    Enter,
    EnterResult,
    Finish,
    NameOrganiser,
    Return,
    ScheduleRound,
    StartRound,
    Withdraw,
)
from dicecup.tournament.events import Cause, How, Result, Why, Withdrawn
from dicecup.tournament.setup import DiceKind, Format
from dicecup.tournament.standings import standings
from dicecup.tournament.views import round_view
from tests.hosting.competition.clubs import ORGANISER, Club
from tests.hosting.test_timers import Time
from tests.tournament.playing import setup


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def club(database: str, time: Time) -> AsyncIterator[Club]:
    async with Club.opened(database, time) as opened:
        yield opened


async def code_of(awaitable: object) -> str:
    with pytest.raises(DicecupError) as refused:
        await awaitable  # type: ignore[misc]
    return str(refused.value.code)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Format.SWISS, Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.LEAGUE])
async def test_a_tournament_is_played_at_tables_of_the_server(club: Club, kind: Format) -> None:
    await club.create(setup(kind, **({"rounds": 3} if kind is Format.SWISS else {})), 4)
    while not (await club.state()).is_over:
        await club.do(StartRound())
        await club.play_round()
    state = await club.state()
    assert state.how is How.ROUNDS
    assert await club.replayed() == state
    assert all(pairing.result is Result.WON and pairing.cause is Cause.RESIGNED for pairing in state.kept())
    best = standings(state)[0]
    byes = sum(best.entrant in played.byes for played in state.rounds)
    assert best.points == 2 * (byes + sum(pairing.first == best.entrant for pairing in state.kept()))


async def test_entrants_sit_at_the_tables_of_their_games(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 2)
    await club.do(StartRound())
    (pairing,) = await club.running()
    assert pairing.game is not None
    table = await club.host.cache.state_of(pairing.game.table)
    state = await club.state()
    assert [held.identity for held in table.seats] == [state.entrant(each).identity for each in (pairing.first, pairing.second)]
    assert table.setup.first == 0


async def test_an_entrant_without_a_device_plays_on_that_of_the_organiser(club: Club) -> None:
    await club.create(setup(Format.ROUND_ROBIN, dice=DiceKind.TABLE), 0)
    await club.do(AddEntrant("Anna"))
    await club.do(AddEntrant("Ben"))
    await club.do(StartRound())
    (pairing,) = await club.running()
    assert pairing.game is not None
    table = await club.host.cache.state_of(pairing.game.table)
    assert [(held.name, held.identity) for held in table.seats] == [
        ((await club.state()).entrant(each).name, ORGANISER) for each in (pairing.first, pairing.second)
    ]


async def test_who_leaves_has_lost_also_if_the_other_claims_a_draw(club: Club, time: Time) -> None:
    await club.create(Format.ROUND_ROBIN, 2)
    await club.do(StartRound())
    (pairing,) = await club.running()
    await club.start_games()
    assert pairing.game is not None
    table = await club.host.cache.state_of(pairing.game.table)
    pending = table.pending.seats[0]
    away = (pairing.first, pairing.second)[pending]
    there = pairing.other(away)
    identity = (await club.state()).entrant(there).identity
    assert identity is not None
    await time.passes(200, club.host)
    await club.host.send(table.table, identity, Claim(Remedy.DRAW), version=table.number, command_id="claim")
    await club.organising.advance()
    played = (await club.state()).pairings[0]
    assert (played.points_of(there), played.points_of(away), played.cause) == (2, 0, Cause.LEFT)


async def test_a_clock_that_runs_out_loses_the_game(club: Club, time: Time) -> None:
    await club.create(setup(Format.ROUND_ROBIN, clock=Clock(ClockKind.TURN, 60)), 2)
    await club.do(StartRound())
    await club.running()
    await club.start_games()
    await time.passes(100, club.host)
    await club.host.sweep()
    await club.organising.advance()
    played = (await club.state()).pairings[0]
    assert played.cause is Cause.TIME
    assert sorted([played.points_of(played.first), played.points_of(played.second)]) == [0, 2]


async def test_a_table_that_an_administrator_deletes_is_lost_by_both(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 2)
    await club.do(StartRound())
    (pairing,) = await club.running()
    assert pairing.game is not None
    await club.host.store.delete(pairing.game.table)
    club.host.cache.delete(pairing.game.table)
    await club.organising.advance()
    assert (await club.state()).pairings[0].result is Result.NEITHER


async def test_a_pairing_is_played_over_several_tables_with_other_seats(club: Club) -> None:
    await club.create(setup(Format.KNOCK_OUT, best_of=3), 2)
    await club.do(StartRound())
    while not (await club.state()).is_over:
        await club.start_games()
        for pairing in await club.running():
            await club.resign(pairing, pairing.second)
        await club.organising.advance()
    (pairing,) = (await club.state()).pairings
    assert (len(pairing.games), pairing.result) == (2, Result.WON)
    assert [game.seats(1, 2) for game in pairing.games] == [(1, 2), (2, 1)]


async def test_the_same_dice_fall_at_all_tables_of_a_round_and_stay_secret_until_its_end(club: Club) -> None:
    await club.create(setup(Format.ROUND_ROBIN, duplicate=True), 4)
    await club.do(StartRound())
    one, other = await club.running()
    assert one.game is not None
    assert other.game is not None
    tables = (one.game.table, other.game.table)

    async def states() -> list[TableState]:
        return [await club.host.cache.state_of(table) for table in tables]

    async def keys() -> set[str | None]:
        shown = round_view(await club.state(), 1, lambda table: table)
        assert shown is not None
        return {game["watch_key"] for pairing in shown["pairings"] for game in pairing["games"]}

    assert len({state.commitment.hash for state in await states()}) == 1
    assert await keys() == {None}
    await club.resign(one, one.second)
    await club.organising.advance()
    assert [state.secret for state in await states()] == [None, None], "the other table still plays"
    await club.resign(other, other.second)
    await club.organising.advance()
    assert len({state.secret for state in await states()} - {None}) == 1
    assert await keys() == set(tables)
    first = one.game.table
    await club.do(StartRound())
    await club.running()
    played = [pairing.game.table for pairing in (await club.state()).running_pairings() if pairing.game]
    later = await club.host.cache.state_of(played[0])
    assert later.commitment.hash != (await club.host.cache.state_of(first)).commitment.hash


async def test_a_deleted_round_closes_its_tables(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 4)
    await club.do(StartRound())
    tables = [pairing.game.table for pairing in await club.running() if pairing.game]
    await club.do(DeleteRound(1, "wrong clock"))
    await club.organising.advance()
    assert [(await club.host.cache.state_of(table)).end is not None for table in tables] == [True, True]
    assert await club.tournaments.store.closing_tables() == []
    assert await code_of(club.do(EnterResult(1, 1, Result.WON))) == "round-deleted"
    await club.do(StartRound())
    assert len(await club.running()) == 2


async def test_withdrawing_loses_the_running_pairing_and_closes_its_table(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 2)
    await club.do(StartRound())
    (pairing,) = await club.running()
    await club.do(Withdraw(), "p1")
    await club.organising.advance()
    played = (await club.state()).pairings[0]
    assert (played.points_of(1), played.points_of(2), played.cause) == (0, 2, Cause.WITHDRAWN)
    assert pairing.game is not None
    assert (await club.host.cache.state_of(pairing.game.table)).end is not None


@pytest.mark.slow
async def test_a_round_begins_and_ends_by_time(club: Club, time: Time) -> None:
    await club.create(setup(Format.LEAGUE, starts=time.now + 60, seconds=3600), 3)
    await club.organising.advance()
    assert not (await club.state()).has_begun
    for number in (1, 2, 3):
        await time.passes(62 if number == 1 else 3602, club.host)
        await club.organising.advance()
        assert len((await club.state()).rounds) == number
    await time.passes(3602, club.host)
    await club.organising.advance()
    state = await club.state()
    assert state.is_over
    assert {pairing.result for pairing in state.kept()} == {Result.NEITHER}


async def test_a_clock_that_goes_back_changes_nothing(club: Club, time: Time) -> None:
    await club.create(setup(Format.LEAGUE, seconds=3600), 2)
    await club.do(StartRound())
    deadline = (await club.state()).rounds[0].deadline
    time.now -= 1800
    await club.do(Withdraw(), "p1")
    state = await club.state()
    assert state.rounds[0].deadline == deadline
    times = [stored.time for stored in await club.tournaments.store.events(club.tournament)]
    assert times == sorted(times)


async def test_an_outage_moves_the_deadline(club: Club, time: Time) -> None:
    await club.create(setup(Format.LEAGUE, seconds=3600), 2)
    await club.do(StartRound())
    deadline = (await club.state()).rounds[0].deadline
    assert deadline is not None
    time.now += 7200  # nobody could reach the server
    await club.organising.advance()
    state = await club.state()
    assert not state.is_over
    assert state.rounds[0].deadline == pytest.approx(deadline + 7200, abs=10)


async def test_a_repeated_command_is_answered_and_not_repeated(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 0)
    first = await club.do(Enter("Anna"), "anna", key="same")
    assert await club.do(Enter("Anna"), "anna", key="same") == first
    assert len((await club.state()).entrants) == 1
    assert await code_of(club.do(Enter("Anna"), "anna")) == "entered-twice"


async def test_a_stale_start_is_refused(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 4)
    seen = (await club.state()).number
    await club.do(StartRound())
    assert await code_of(club.do(StartRound(), version=seen)) == "stale-version"
    assert await code_of(club.do(Finish(), version=seen)) == "stale-version"


async def test_only_organisers_organise(club: Club) -> None:
    await club.create(Format.ROUND_ROBIN, 2)
    for command in (StartRound(), ScheduleRound(None), Cancel(), AddEntrant("x"), DeleteRound(1, "x"), NameOrganiser("x")):
        expected = "no-such-person" if isinstance(command, NameOrganiser) else "not-the-organiser"
        assert await code_of(club.do(command, "p1")) == expected
    assert await code_of(club.do(Withdraw(2), "p1")) == "not-the-organiser"


async def test_one_person_organises_a_limited_number(club: Club) -> None:
    for _ in range(MOST_UNFINISHED):
        await club.tournaments.create(ORGANISER, setup(Format.ARENA))
    assert await code_of(club.tournaments.create(ORGANISER, setup(Format.ARENA))) == "too-many-tournaments"


async def test_a_swiss_tournament_needs_its_extra_and_others_do_not(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournaments, "is_installed", lambda: False)
    with pytest.raises(DicecupError) as refused:
        await club.create(Format.SWISS, 0)
    assert "dicecup[tournaments]" in code_sentence(refused.value.code, refused.value.details, Messages("en"))
    assert Format.SWISS not in tournaments.formats()
    await club.create(Format.KNOCK_OUT, 2)


async def test_a_banned_person_is_withdrawn_with_an_entry_in_the_log(club: Club, time: Time) -> None:
    await club.create(Format.ROUND_ROBIN, 3)
    await club.do(StartRound())
    await club.running()
    ban = Ban("p1", time(), time() + 3600, "insults")
    await save_ban(club.host.store, ban, AuditEntry(time(), "ban", "p1", "admin"))
    await club.host.credentials.bans.refresh()
    for _ in range(2):
        await club.organising.advance()
    state = await club.replayed()
    assert [entrant.is_active for entrant in state.entrants] == [False, True, True]
    logged = [event for _, _, event in await club.tournaments.store.events(club.tournament) if isinstance(event, Withdrawn)]
    assert logged == [Withdrawn(1, Why.BANNED)]
    assert all(pairing.result is not None for pairing in state.kept() if 1 in (pairing.first, pairing.second))
    await club.do(Return(1))
    time.now += 3600
    await club.organising.advance()
    assert (await club.state()).entrants[0].is_active, "the ban is over"


async def test_a_summary_that_was_saved_without_a_length_is_listed(club: Club) -> None:
    await club.create(setup(Format.ARENA, seconds=600), 2)
    (saved,) = await club.tournaments.store.of_person(ORGANISER)
    assert saved["seconds"] == 600
    old = json.dumps({name: value for name, value in saved.items() if name != "seconds"})
    await club.host.store.writer.work(lambda connection: connection.execute(update(TOURNAMENTS).values(summary=old)))
    assert await club.tournaments.store.of_person(ORGANISER) == [saved | {"seconds": 0}]


async def test_an_unknown_tournament_has_a_code(club: Club) -> None:
    assert await code_of(club.tournaments.state_of("0" * 20)) == "no-such-tournament"


async def test_an_arena_pairs_again_and_drops_who_does_not_come(club: Club, time: Time) -> None:
    await club.create(Format.ARENA, 4)
    await club.do(StartRound())
    assert len(await club.running()) == 2
    await club.start_games()
    for pairing in await club.running():
        await club.resign(pairing, pairing.second)
    await club.organising.advance()
    state = await club.state()
    assert len(state.pairings) == 4, "all four are paired again at once"
    await club.running()
    await club.start_games()
    await time.passes(100, club.host)  # nobody plays: the clocks of 60 seconds run out
    await club.host.sweep()
    await club.organising.advance()
    assert not all(entrant.is_active for entrant in (await club.state()).entrants)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_two_workers_carry_a_tournament_on_together(club: Club, database: str, time: Time) -> None:
    async with Club.opened(database, time) as other:
        await club.create(Format.ROUND_ROBIN, 4)
        other.tournament = club.tournament
        await club.do(StartRound())
        await club.running()
        other.tournaments.notified("")
        await other.host.tasks.finish()
        assert await other.state() == await club.state()
        await club.start_games()
        for pairing in await club.running():
            await club.resign(pairing, pairing.first)
        await other.organising.advance()
        await club.organising.advance()
        club.tournaments.notified("")
        await club.host.tasks.finish()
        assert await other.state() == await club.state() == await club.replayed()
        assert (await club.state()).rounds[0].ended is not None


async def test_a_resignation_before_the_lot_is_a_loss(club: Club) -> None:
    await club.create(setup(Format.ROUND_ROBIN, game="yamm"), 2)
    await club.do(StartRound())
    (pairing,) = await club.running()
    await club.start_games()
    assert pairing.game is not None
    table = await club.host.cache.state_of(pairing.game.table)
    await club.host.send(table.table, "p1", Resign(), version=table.number, command_id="r")
    await club.organising.advance()
    played = (await club.state()).pairings[0]
    assert (played.points_of(1), played.points_of(2)) == (0, 2)
