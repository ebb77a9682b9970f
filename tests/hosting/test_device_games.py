"""Games that people played on their devices: what their records must hold, and that they join
once."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from dicecup.core.errors import DicecupError
from dicecup.hosting.device_game_export import export_device_games, import_device_game, is_device_game
from dicecup.hosting.device_games import digest_of_record, read_game
from dicecup.hosting.retention import DAY, Retention
from dicecup.hosting.store import Store
from dicecup.hosting.store.device_games import games_of, record_of_game, save_game
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from tests.offline.rooms import Device, Json
from tests.offline.test_room import GREEDY, HOT_SEAT, begun, played

DUEL = """[Game "yam-master"]
[X "Anna"]
[O "greedy"]
[Dice "table"]
[Seats "human greedy"]
[Result "x 0-0"]
[End "resign"]

1. 13456 k- ~ 22345 k22 12234 --
2. 11122 k111 11146 a1
"""
TABLE = "0" * 20


async def device_game(setup: Json = GREEDY, seats: tuple[Json, ...] = (), commands: int = 4) -> dict[str, Any]:
    """Return what a device sends of a game that its first person gave up."""
    device = Device()
    page = await begun(device, setup, seats)
    await played(page, commands)
    assert (await page.do({"type": "resign", "seat": 0}))["type"] == "done"
    found: dict[str, Any] = json.loads(device.store.joining[page.table])
    return found


async def test_the_record_of_a_device_is_accepted() -> None:
    given = await device_game()
    digest = digest_of_record(read_game(given["record"]), given["table"], "anna", given["created"])
    assert digest.seats is not None
    (own,) = digest.seats
    assert (digest.game, digest.state, own.identity, own.outcome) == ("yam-master", "over", "anna", "lost")
    seats = json.loads(digest.summary)["seats"]
    assert [seats[seat]["name"] for seat in own.seats] == ["Anna"]
    assert {seat["level"] for seat in seats} == {"", "greedy"}


@pytest.mark.parametrize(
    "result, seats, outcome",
    [
        ("x 0-0", "human greedy", "won"),
        ("o 0-0", "human greedy", "lost"),
        ("x 0-0", "greedy human", "lost"),
        ("draw 0-0", "human greedy", "drawn"),
        ("x 0-0", "human human", None),
        ("x 0-0", "human unknown", None),  # a level that this version does not have: both seats are people's
    ],
)
def test_an_outcome_is_that_of_the_people(result: str, seats: str, outcome: str | None) -> None:
    end = "agreed" if result.startswith("draw") else "resign"
    text = DUEL.replace("x 0-0", result).replace("human greedy", seats).replace("resign", end)
    (own,) = digest_of_record(read_game(text), TABLE, "anna", 1.0).seats or ()
    assert own.outcome == outcome


async def test_a_record_that_cannot_be_true_is_refused() -> None:
    record = (await device_game(commands=1))["record"]
    secret = next(line for line in record.splitlines() if line.startswith("[Secret"))
    thrown = record.split()[-1]
    other = "11112" if thrown == "11111" else "11111"
    untrue = {
        "throw-mismatch": record.replace(thrown, other),
        "wrong-secret": record.replace(secret, f'[Secret "{"0" * 64}"]'),
        "secret-missing": record.replace(f"{secret}\n", ""),
        "nothing-to-check": DUEL.replace('"table"', '"seed:1"').replace("~ ", ""),
        "game-not-over": DUEL.replace('[End "resign"]\n', "").replace("x 0-0", "*"),
        "not-a-tag": "no record\n",
    }
    for code, text in untrue.items():
        with pytest.raises(DicecupError) as refused:
            read_game(text)
        assert code in {str(refused.value.code)} | {str(fault.code) for fault in getattr(refused.value, "faults", ())}


async def test_a_game_that_goes_on_from_a_record_is_accepted() -> None:
    """The throws before the record cannot be repeated: another place threw them."""
    start = DUEL.replace('[End "resign"]\n', "").replace("x 0-0", "*").replace("~ ", "")
    setup = HOT_SEAT | {"start": start}
    del setup["first"]
    given = await device_game(setup, ({"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Ben"}))
    assert "2. 11122" in given["record"]
    read_game(given["record"])


async def test_a_game_joins_once(store: Store) -> None:
    digest = digest_of_record(read_game(DUEL), TABLE, "anna", 5.0)
    assert await asyncio.gather(*(save_game(store, digest, 9.0, DUEL) for _ in range(3))) == [True, False, False]
    assert await games_of(store, "anna") == [digest]
    assert await record_of_game(store, "anna", TABLE) == DUEL
    assert await games_of(store, "ben") == []
    assert await record_of_game(store, "ben", TABLE) is None
    assert await save_game(store, digest_of_record(read_game(DUEL), TABLE, "ben", 5.0), 9.0, DUEL)


async def test_games_move_to_another_server(store: Store, tmp_path: Path) -> None:
    for identity, table, joined in (("anna", TABLE, 7.0), ("ben", TABLE, 8.0), ("anna", "1" * 20, 9.0)):
        await save_game(store, digest_of_record(read_game(DUEL), table, identity, 5.0), joined, DUEL)
    lines = [line.encode() async for line in export_device_games(store)]
    assert len(lines) == 3
    assert all(is_device_game(line) for line in lines)
    elsewhere = await Store.open(database_url(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"))
    try:
        assert [await import_device_game(elsewhere, line, 100.0) for line in lines * 2] == [1, 1, 1, 0, 0, 0]
        assert await games_of(elsewhere, "anna") == await games_of(store, "anna")
        assert [line.encode() async for line in export_device_games(elsewhere)] == lines
        for part, damage in (
            (b'"anna"', b'""'),
            (b'"record"', b'"more"'),
            (b" k22", b" k66"),
            (b'"created":5.0', b'"created":-1'),
            (b'"created":5.0', b'"created":NaN'),
            (b"}", b""),
            (f'"{TABLE}"'.encode(), b'""'),
            (b"\\n", b"\\r"),
            (b"Anna", b"\\u0000"),
        ):
            wrong = lines[0].replace(part, damage)
            assert wrong != lines[0]
            with pytest.raises(DicecupError):
                await import_device_game(elsewhere, wrong, 100.0)
    finally:
        await elsewhere.close()


async def test_old_games_are_deleted(host: TableHost) -> None:
    clock = lambda: 100 * DAY  # noqa: E731
    for table, joined in ((TABLE, 60.0), ("1" * 20, 80.0)):
        await save_game(host.store, digest_of_record(read_game(DUEL), table, "anna", 1.0), joined * DAY, DUEL)
    await Retention(host.store, 30, clock, lambda _: None).sweep()
    assert [game.table for game in await games_of(host.store, "anna")] == ["1" * 20]


@pytest.mark.slow
async def test_a_game_counts_in_the_statistics_of_its_person_and_nowhere_else(host: TableHost) -> None:
    before = await host.dice_statistics()
    await save_game(host.store, digest_of_record(read_game(DUEL), TABLE, "anna", 5.0), 9.0, DUEL)
    while (await host.own_games.of("anna"))[1]:  # noqa: ASYNC110 as the page asks
        await asyncio.sleep(0.1)
    (game,), _ = await host.own_games.of("anna")
    assert (game["table"], game["outcome"], game["on_device"], game["dice"]) == (TABLE, "won", True, "table")
    assert [(player["name"], player["mine"]) for player in game["players"]] == [("Anna", True), ("greedy", False)]
    assert game["unit"] == "chance"
    assert await host.store.outcomes_of("anna") == {}
    assert await host.tables_of("anna") == []
    assert await host.dice_statistics() == before
