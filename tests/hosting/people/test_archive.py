"""The archive of a person: searched, paged, exported; and what a profile says."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace

import pytest

from dicecup.hosting.people import archive
from dicecup.hosting.people.accounts import Account
from dicecup.hosting.people.archive import Game, Place, Search, export, search
from dicecup.hosting.people.profiles import public_games, summaries
from dicecup.hosting.store import Append, Digest, EventRow, SeatedIdentity, Store
from dicecup.hosting.store.device_games import save_game
from dicecup.hosting.store.reviews import save_review
from dicecup.hosting.table_host import TableHost
from dicecup.record import read
from dicecup.table.commands import Resign
from tests.hosting.guests import alone, play

EVERYTHING = Search()
NAMES = ("Ben", "Zoë", "ben_2")


async def add_games(store: Store, number: int) -> None:
    """Save finished games of Anna against others, alternately of both games, won and lost."""
    for each in range(number):
        name = NAMES[each % 3]
        summary = {"seats": [{"name": "Anna", "level": ""}, {"name": name, "level": ""}]}
        seats = (SeatedIdentity("anna", (0,), "won" if each % 2 else "lost"), SeatedIdentity("x", (1,), None))
        game = ("yam-master", "yamm(players=2)")[each % 2]
        digest = Digest(f"t{each:03}", game, "over", 100.0 + each, "anna", None, json.dumps(summary), seats)
        body = json.dumps({"type": "created", "setup": {"listing": {} if each % 2 else None}})
        await store.append(Append((EventRow(f"t{each:03}", 1, 100.0 + each, body),), digest))


async def found(store: Store, wanted: Search = EVERYTHING) -> list[str]:
    """Return the tables that a search finds, page after page."""
    tables: list[str] = []
    after: Place | None = None
    while True:
        games, after = await search(store, "anna", wanted, after)
        tables += [game.table for game in games]
        if after is None:
            return tables


def numbers(listed: Sequence[int]) -> list[str]:
    return [f"t{each:03}" for each in listed]


async def test_pages_hold_every_game_once_the_newest_first(store: Store) -> None:
    await add_games(store, 2 * archive.PAGE + 3)
    device = Digest("device", "yamm", "over", 150.5, None, None, '{"seats": [{"name": "", "level": ""}]}', ())
    await save_game(store, replace(device, seats=(SeatedIdentity("anna", (0,), "won"),)), 1.0, "record")
    everything = await found(store)
    assert [table for table in everything if table != "device"] == numbers(range(2 * archive.PAGE + 2, -1, -1))
    assert everything.index("device") + 1 == everything.index("t050")
    assert (await search(store, "nobody", Search())) == ([], None)


@pytest.mark.parametrize(
    "wanted, games",
    [
        (Search(game="yamm"), [11, 9, 7, 5, 3, 1]),
        (Search(outcome="won", since=105.0), [11, 9, 7, 5]),
        (Search(since=103.0, until=106.0), [5, 4, 3]),
        (Search(opponent="BEN"), [11, 9, 8, 6, 5, 3, 2, 0]),
        (Search(opponent="zoe\u0308"), [10, 7, 4, 1]),
        (Search(opponent="Anna"), []),
        (Search(game="yam"), []),
    ],
)
async def test_a_search_finds_by_game_opponent_result_and_date(store: Store, wanted: Search, games: list[int]) -> None:
    await add_games(store, 12)
    assert await found(store, wanted) == numbers(games)


async def test_a_search_that_reads_much_goes_on_where_it_stopped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "PAGE", 2)
    monkeypatch.setattr(archive, "MOST_READ", 4)
    await add_games(store, 9)
    games, after = await search(store, "anna", Search(until=102.0, opponent="nobody"))
    assert (games, after) == ([], None)
    games, after = await search(store, "anna", Search(opponent="nobody"))
    assert (games, after) == ([], Place(105.0, "t005"))
    assert await found(store, Search(opponent="zoë")) == numbers([7, 4, 1])


@pytest.mark.slow
async def test_an_export_holds_the_record_of_every_game(host: TableHost) -> None:
    tables = []
    for _ in range(2):
        table = (await host.create("anna", alone(), name="Anna")).table
        await play(host, table, ["anna"], 4)
        number = (await host.look(table, "anna")).number
        await host.send(table, "anna", Resign(), version=number, command_id="resign")
        tables.append(table)
    pieces = [piece async for piece in export(host, "anna")]
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archived:
        assert archived.testzip() is None
        listed = json.loads(archived.read("games.json"))["games"]
        assert sorted(game["table"] for game in listed) == sorted(tables)
        for game in listed:
            record = archived.read(game["record"]).decode()
            assert record == await host.record(game["table"], "anna")
            assert read(record).tags["P1"] == "Anna"


async def test_a_profile_sums_games_up_and_names_public_ones(host: TableHost) -> None:
    await add_games(host.store, 12)
    players = [
        {"faces": [0] * 6, "loss": 6.0, "decisions": 30, "luck": 0.0, "result": 1.0, "adjusted": 1.0},
        {"faces": [0] * 6},
    ]
    seats = [{"name": "Anna", "level": "", "identity": "anna"}, {"name": "Ben", "level": "", "identity": "x"}]
    facts = {"unit": "points", "refusal": None, "players": players, "dice": "server", "seats": seats}
    for each in range(12):
        await save_review(host.store, f"t{each:03}", json.dumps(facts if each == 1 else facts | {"unit": None}))
    account = Account("anna", "Anna", 1.0, public=True)
    yam_master, yamm = await summaries(host.store, host.own_games, account)
    assert (yam_master.game, yam_master.games, yam_master.lost, yam_master.loss) == ("yam-master", 6, 6, None)
    assert (yamm.game, yamm.games, yamm.won, yamm.loss, yamm.decisions, yamm.unit) == ("yamm", 6, 6, 0.2, 30, "points")
    public: list[Game] = await public_games(host.store, account)
    assert [game.table for game in public] == numbers([11, 9, 7, 5, 3, 1])


async def test_many_private_games_do_not_hide_public_ones(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await add_games(store, 12)
    monkeypatch.setattr(archive, "PAGE", 1)
    public = await public_games(store, Account("anna", "Anna", 1.0, public=True))
    assert [game.table for game in public] == numbers([11, 9, 7, 5, 3, 1])


async def test_who_plays_alone_has_finished_games_without_a_result(host: TableHost) -> None:
    await add_games(host.store, 2)
    summary = json.dumps({"seats": [{"name": "Anna", "level": ""}]})
    digest = Digest("alone", "yamm", "over", 200.0, "anna", None, summary, (SeatedIdentity("anna", (0,), None),))
    await host.store.append(Append((EventRow("alone", 1, 200.0, "{}"),), digest))
    _, yamm = await summaries(host.store, host.own_games, Account("anna", "Anna", 1.0, public=True))
    assert (yamm.games, yamm.won, yamm.drawn, yamm.lost) == (2, 1, 0, 0)
