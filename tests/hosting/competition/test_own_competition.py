"""The export of a person holds tournaments and ratings, the person's own alone."""

import io
import json
import zipfile
from typing import Any

import pytest

from dicecup.hosting.people.archive import export
from dicecup.hosting.table_host import TableHost
from dicecup.tournament.commands import AddEntrant, EnterResult, StartRound
from dicecup.tournament.events import Result
from dicecup.tournament.setup import DiceKind, Format
from tests.hosting.competition.clubs import ORGANISER, Club
from tests.hosting.competition.test_rated_games import DUEL, account, finished, rate
from tests.tournament.playing import setup


async def exported(host: TableHost, identity: str, part: str) -> list[dict[str, Any]]:
    """Return a list of the archive."""
    pieces = [piece async for piece in export(host, identity)]
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archived:
        found: list[dict[str, Any]] = json.loads(archived.read(f"{part}.json"))[part]
    return found


@pytest.mark.slow
async def test_an_export_holds_the_tournaments_of_the_person(host: TableHost) -> None:
    club = Club(host)
    await club.create(setup(Format.ROUND_ROBIN, dice=DiceKind.RESULTS, rounds=0), 1)
    await club.do(AddEntrant("Zoë"))
    await club.do(StartRound())
    await club.do(EnterResult(1, 1, Result.WON))
    first = (await club.state()).pairings[0].first
    (own,) = await exported(host, "p1", "tournaments")
    assert (own["tournament"], own["name"], own["stage"], own["organiser"]) == (club.tournament, "Club evening", "over", False)
    entrant = own["entrant"]
    assert (entrant["name"], entrant["points"], entrant["rank"]) == ("Player 1", *((1, 1) if first == 1 else (0, 2)))
    (meeting,) = entrant["meetings"]
    assert (meeting["round"], meeting["opponent"], meeting["points"]) == (1, "Zoë", entrant["points"])
    (organised,) = await exported(host, ORGANISER, "tournaments")
    assert (organised["organiser"], organised["entrant"]) == (True, None)
    assert await exported(host, "nobody", "tournaments") == []


@pytest.mark.slow
async def test_an_export_holds_the_ratings_of_the_person_and_what_each_game_changed(host: TableHost) -> None:
    for identity in ("anna", "ben", "carla"):
        await account(host, identity)
    tables = await finished(host, ("anna", "ben"), ("ben", "carla"))
    await rate(host)
    (own,) = await exported(host, "anna", "ratings")
    (game,) = own["games"]
    assert (own["pool"], game["table_id"], game["before"], game["share"]) == (DUEL, tables[0], 1500.0, 1.0)
    assert own["rating"] == game["rating"] != 1500.0
    assert own["deviation"] == pytest.approx(game["deviation"], abs=1)
    (ben,) = await exported(host, "ben", "ratings")
    assert [each["table_id"] for each in ben["games"]] == tables
    assert await exported(host, "nobody", "ratings") == []
