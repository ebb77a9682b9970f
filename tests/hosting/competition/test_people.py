"""What people of tournaments are told, and how long tournaments are kept."""

import json

import pytest
from sqlalchemy import select

from dicecup.hosting.competition.tournament_store import delete_finished
from dicecup.hosting.people import channels
from dicecup.hosting.store.models import NOTICES
from dicecup.tournament.commands import Cancel, StartRound
from dicecup.tournament.setup import Format, TieBreak
from dicecup.tournament.standings import games_to_measure, standings
from tests.hosting.competition.clubs import ORGANISER, Club
from tests.hosting.competition.test_tournaments import club, time
from tests.tournament.playing import setup

__all__ = ["club", "time"]


async def test_people_of_a_round_are_told_once_and_nothing_after_the_end(club: Club) -> None:
    mail = await channels.set_mail(club.host.store, "p1", "p1@example.org", "en", daily=False, now=1.0)
    await channels.confirm(club.host.store, mail.id, 2.0)
    await club.host.recipients.begin()
    await club.create(Format.ROUND_ROBIN, 2)
    await club.do(StartRound())

    async def told() -> list[tuple[str, str, object]]:
        async with club.host.store.engines.readers.connect() as connection:
            rows = await connection.execute(select(NOTICES.c.identity, NOTICES.c.kind, NOTICES.c.topic, NOTICES.c.details))
            return [(row.identity, row.kind, json.loads(row.details)) for row in rows if row.topic == club.tournament]

    path = f"/tournaments/{club.tournament}"
    assert await told() == [("p1", "round", {"path": path, "name": "Club evening", "round": 1})]
    await club.do(Cancel())
    assert await told() == [("p1", "withdrawn", {})]


async def test_tournaments_are_deleted_after_their_time(club: Club) -> None:
    await club.create(Format.SWISS, 2)
    kept = club.tournament
    await club.create(Format.SWISS, 2)
    await club.do(Cancel())
    assert await club.host.store.writer.work(lambda connection: delete_finished(connection, club.host.clock() + 1)) == 1
    found = [each["tournament"] for each in await club.tournaments.store.of_person(ORGANISER)]
    assert found == [kept]


@pytest.mark.slow
async def test_the_losses_of_games_are_measured_for_the_tie_break(club: Club) -> None:
    await club.create(setup(Format.ROUND_ROBIN, tie_breaks=(TieBreak.MEAN_LOSS,)), 2)
    await club.do(StartRound())
    await club.play_round()
    await club.host.tasks.finish()
    state = await club.state()
    assert games_to_measure(state) == []
    assert [line.tie_breaks for line in standings(state)] == [(None,), (None,)], "a game without decisions has no loss"
    assert state.pairings[0].games[0].decisions == (0, 0)
