"""Games on devices over HTTP: joined once, refused with a reason, listed for their person alone."""

import asyncio
from collections.abc import Iterable
from itertools import groupby

import pytest

from dicecup import games
from dicecup.yamm.sheet import SHEET
from tests.hosting.test_device_games import DUEL, TABLE
from tests.web.serving import TWO, Browser, Json

GAME: Json = {"table": TABLE, "record": DUEL, "created": 1_790_000_000.5}


async def join(browser: Browser, **changed: object) -> Json:
    answer = await browser.http.post("/api/device-games", json=GAME | changed)
    found: Json = {"status": answer.status_code} | answer.json()
    return found


@pytest.mark.slow
async def test_a_game_joins_its_person_once(anna: Browser, ben: Browser) -> None:
    await anna.http.get("/api/me")
    answers = await asyncio.gather(*(join(anna) for _ in range(3)))
    assert sorted((answer["status"], answer["new"]) for answer in answers) == [(200, False), (200, False), (200, True)]
    (game,) = (await anna.http.get("/api/device-games")).json()["tables"]
    assert (game["table"], game["state"], game["outcome"], game["you"]) == (TABLE, "over", "won", [0])
    assert game["created"] == GAME["created"]
    assert (await anna.http.get(f"/api/device-games/{TABLE}/record")).text == DUEL
    assert (await ben.http.get("/api/device-games")).json() == {"tables": []}
    refused = await ben.http.get(f"/api/device-games/{TABLE}/record")
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no-such-table")
    assert (await anna.http.get("/api/tables")).json()["tables"] == []
    assert (await anna.http.get("/api/me")).json() == {"outcomes": []}


@pytest.mark.slow
async def test_the_beginning_of_a_game_is_not_in_the_future(anna: Browser) -> None:
    await anna.http.get("/api/me")
    assert (await join(anna, created=8e9))["new"]
    (game,) = (await anna.http.get("/api/device-games")).json()["tables"]
    assert game["created"] < 8e9


@pytest.mark.slow
async def test_the_longest_game_joins(anna: Browser) -> None:
    """16 sheets, three throws a turn, given up before the last turn."""
    await anna.http.get("/api/me")
    game = games.from_id("yamm(players=16)")
    columns = groupby(SHEET.cells, lambda cell: cell[:2])
    order = [cell for column, cells in columns for cell in _in_order(column, cells)]
    turns = [f"{turn}. 11111 k1111 11111 k1111 11111 {order[(turn - 1) // 16]}" for turn in range(1, 16 * 99)]
    tags = {"Game": game.id, "Dice": "table", "Result": " ".join("0" * 16), "Winners": "0", "End": "resign"}
    text = "\n".join([*(f'[{name} "{value}"]' for name, value in tags.items()), "", *turns, ""])
    assert (await join(anna, record=text))["new"]


def _in_order(column: str, cells: Iterable[str]) -> list[str]:
    """Return the cells of a column in an order in which they may be written."""
    return list(cells)[:: -1 if column.startswith("u") else 1]


@pytest.mark.slow
async def test_what_cannot_join_says_why(anna: Browser) -> None:
    assert (await join(anna))["error"]["code"] == "no-identity"
    await anna.http.get("/api/me")
    wrong: dict[str, list[Json]] = {
        "not-a-message": [{"table": "x"}, {"created": -1}, {"record": "1" * 100_001}, {"created": "1"}, {"more": 1}],
        "nothing-to-check": [{"record": DUEL.replace('"table"', '"seed:1"').replace("~ ", "")}],
        "game-not-over": [{"record": DUEL.replace('[End "resign"]\n', "").replace("x 0-0", "*")}],
    }
    for code, bodies in wrong.items():
        for changed in bodies:
            answer = await join(anna, **changed)
            assert answer["error"]["code"] == code
            assert answer["error"]["message"] not in ("", code)
    assert (await anna.http.get("/api/device-games")).json() == {"tables": []}


@pytest.mark.slow
async def test_a_record_tells_nobody_what_is_best_in_a_running_game(anna: Browser, ben: Browser) -> None:
    """Statistics show what the decisions of a joined game cost."""
    made = await anna.make(TWO | {"dice": "table", "first": 0})
    async with ben.socket(made["table"], {"type": "hello", "key": made["join_key"]}) as socket:
        await socket.receive("update")
        assert (await socket.do({"type": "sit", "name": "Ben"}))["type"] == "done"
    async with anna.socket(made["table"]) as own:
        await own.receive("update")
        done = [
            await own.do({"type": "enter-dice", "dice": "11122"}),
            await own.do({"type": "act", "action": "k111"}),
            await own.do({"type": "enter-dice", "dice": "11146"}),
            await own.do({"type": "act", "action": "a1"}),
        ]
        assert {answer["type"] for answer in done} == {"done"}
    turn = "1. 11122 k111 11146 a1\n2. 22345 k22 12234 --\n3. 11345 --\n"
    record = DUEL.split("\n\n")[0] + "\n\n" + turn
    assert (await join(anna, record=record))["error"]["code"] == "game-running"
    assert (await join(ben, record=record, table="1" * 20))["error"]["code"] == "game-running"
