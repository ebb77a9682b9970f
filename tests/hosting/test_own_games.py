"""Facts of finished games, checked by hand, and reviews that are made once and stored."""

import asyncio
import json

import pytest

from dicecup import record
from dicecup.analysis.review import review
from dicecup.hosting.own_games import facts
from dicecup.hosting.store.reviews import reviews_of, save_review
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Resign
from dicecup.table.setup import Occupant, SeatSetup, Setup
from tests.hosting.guests import OPEN, play, settings

DUEL = """[Game "yam-master"]
[X "Anna"]
[O "Ben"]
[Dice "table"]
[Result "x 0-0"]
[End "resign"]

1. 13456 k- ~ 22345 k22 12234 --
2. 11122 k111 11146 a1
"""
SHEET = """[Game "yamm(players=1)"]
[P1 "Anna"]
[Dice "table"]

1. 55555 d1.1
2. 66666 f1.6
"""


def test_each_player_has_only_the_dice_that_they_threw() -> None:
    anna, ben = facts(DUEL)["players"]
    # 13456, then 22345, then 134 beside the 22 that were kept
    assert anna["faces"] == [2, 2, 3, 3, 2, 1]
    assert ben["faces"] == [3, 2, 0, 1, 0, 1]


LOCKED = """[Game "yam-master(kept_dice=locked)"]
[X "Anna"]
[O "Ben"]
[Dice "table"]
[Result "x 0-0"]
[End "resign"]

1. 12356 k56 55|566 k555 11555 --
"""


def test_a_throw_with_a_bar_counts_the_dice_beside_the_locked_ones() -> None:
    """Count 5 6 6 as thrown: the kept 6 was knocked over to a 5."""
    anna, ben = facts(LOCKED)["players"]
    assert anna["faces"] == [3, 1, 1, 0, 2, 3]  # 12356, then 566, then 11
    assert ben["faces"] == [0] * 6


def test_losses_are_those_of_the_review() -> None:
    found, reviewed = facts(DUEL), review(record.read(DUEL))
    assert (found["unit"], found["refusal"]) == ("chance", None)
    for player, other in zip(found["players"], reviewed.players, strict=True):
        assert (player["loss"], player["luck"], player["decisions"]) == (other.loss, other.luck, other.decisions.decisions)
    assert [player["result"] for player in found["players"]] == [1.0, 0.0]


def test_a_sheet_has_its_columns() -> None:
    (anna,) = facts(SHEET)["players"]
    assert anna["first_throw_yamms"] == 2
    assert anna["columns"]["d1"] == {"total": None, "bonus": None}
    assert list(anna["columns"]) == ["d1", "d2", "d3", "u1", "u2", "u3", "f1", "f2", "f3"]
    assert anna["result"] is None


@pytest.fixture
async def host(database: str) -> TableHost:
    return await TableHost.open(settings(database))


@pytest.mark.slow
async def test_each_game_is_reviewed_once_and_kept(host: TableHost) -> None:
    setup = Setup("yam-master", (OPEN, SeatSetup(Occupant.LEVEL, "random")), first=0)
    try:
        table = (await host.create("anna", setup, name="Anna")).table
        await play(host, table, ["anna"], 2)
        assert await host.own_games.of("anna") == ([], 0)  # running games are not counted
        await host.send(table, "anna", Resign(), version=(await host.look(table, "anna")).number, command_id="1")
        while (await host.own_games.of("anna"))[1]:  # noqa: ASYNC110 as the page asks
            await asyncio.sleep(0.1)
        (game,), _ = await host.own_games.of("anna")
        assert (game["table"], game["outcome"], game["dice"]) == (table, "lost", "server")
        assert [(player["name"], player["mine"]) for player in game["players"]] == [("Anna", True), ("random", False)]
        assert "identity" not in json.dumps(game)
        assert await host.own_games.of("ben") == ([], 0)
        kept = json.loads((await reviews_of(host.store, [table]))[table])
        await save_review(host.store, table, json.dumps(kept | {"unit": None}))
        # a stored review is not made again
        assert (await host.own_games.of("anna"))[0][0]["unit"] is None
        await host.store.delete(table)
        assert await reviews_of(host.store, [table]) == {}
    finally:
        await host.close()
