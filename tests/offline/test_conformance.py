"""A room without a server sends what a server sends: the same games, command by command.

Both have the same key, so the dice are the same. Ids and times are left out.
"""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.offline.rooms import Device, Json, Page
from tests.sweep import sweep
from tests.web.serving import SEED_HASH, Browser, Socket, serving

COMPUTER: Final = {"kind": "level", "level": "random"}
TIMES: Final = {"now", "time", "since", "deadline", "time_left", "at", "created", "next"}
"""Members that hold times, and the ids of later tables, which follow from the time."""
SEED: Final = bytes(16).hex()
GAMES: Final[dict[str, Json]] = {
    "Yam Master against a computer": {"game": "yam-master", "seats": [{}, COMPUTER]},
    "Yamm against a computer": {"game": "yamm", "seats": [{}, COMPUTER]},
    "two people, one device, pairs": {"game": "yamm(players=4,pairs=yes)", "seats": [{}, {}, COMPUTER, COMPUTER]},
    "real dice": {"game": "yam-master", "seats": [{}, COMPUTER], "dice": "table"},
    "alone, with a clock in a match": {
        "game": "yam-master",
        "seats": [{}, {}],
        "games": 2,
        "clock": {"kind": "turn", "seconds": 600},
    },
    "from a position": {"game": "yam-master", "seats": [{}, COMPUTER], "start": "1x1x1/2xo1/5/o4/4o x 0:????? 9-9 9"},
}
LIMIT: Final = 60
"""Commands of a script."""


@pytest.fixture
async def anna(tmp_path: Path) -> AsyncIterator[Browser]:
    async with serving(tmp_path) as url, Browser(url) as browser:
        yield browser


def timeless(value: Any) -> Any:
    """A message without times and without the ids of later tables."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name not in TIMES}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def next_command(view: Json, sent: int) -> Json | None:
    """The next command of a script, which depends on the view alone; `None` when nobody may act."""
    may, seats = view["may"], view["demand"]["seats"]
    if "commit-seed" in may:
        (seat, *_) = (seat for seat in view["you"] if view["fairness"]["seats"][seat]["hash"] is None)
        return {"type": "commit-seed", "hash": SEED_HASH, "seat": seat}
    if "reveal-seed" in may:
        return {"type": "reveal-seed", "seed": SEED, "seat": next(seat for seat in seats if seat in view["you"])}
    if "enter-die" in may:
        return {"type": "enter-die", "face": 1 + sent % 6}
    if "enter-dice" in may:
        return {"type": "enter-dice", "dice": "".join(sorted(view_dice(view, sent)))}
    if "throw" in may:
        return {"type": "throw"}
    if "act" in may:
        return {"type": "act", "action": view["actions"][(7 * sent) % len(view["actions"])]["action"]}
    return None


def view_dice(view: Json, sent: int) -> list[str]:
    """Real dice that show something else each time, around the kept ones."""
    kept = [str(face) for face in view["turn"]["dice"]] if view["turn"]["waiting"] else []
    return kept + [str(1 + (sent + place) % 6) for place in range(5 - len(kept))]


async def settled(socket: Socket) -> Json:
    """The view of a server when its computers have played."""
    while True:
        view = socket.view
        if view and (view["result"] or next_command(view, 0) is not None):
            return view
        await socket.receive("update")


async def seats_for(setup: Json) -> list[Json]:
    return [{"seat": seat, "name": f"Anna {seat}"} for seat, held in enumerate(setup["seats"]) if not held]


@pytest.mark.slow
@sweep("name", GAMES)
async def test_a_game_is_that_of_a_server(anna: Browser, name: str) -> None:
    setup = GAMES[name]
    seats = await seats_for(setup)
    made = (await anna.http.post("/api/tables", json={"setup": setup, "name": "", "seats": seats})).json()
    device = Device()
    device.new_ids([made["table"]])
    table = await device.make(setup, "", seats)
    assert table == made["table"]
    async with anna.socket(table, {"since": 0}) as socket:
        page = await Page.open(device, table, since=0)
        for sent in range(LIMIT):
            await settled(socket)
            await device.play_on()
            page.read()
            assert timeless(page.view) == timeless(socket.view)
            command = next_command(page.view, sent)
            if command is None:
                break
            assert (await page.do(command))["type"] == (await socket.do(command))["type"] == "done"
        for last in ({"type": "act", "action": "z9"}, {"type": "resign"}, {"type": "resign"}, {"type": "rematch"}):
            await settled(socket)
            await device.play_on()
            named = f"the same {last['type']}"
            ours, theirs = await page.do(last, command_id=named), await socket.do(last, command_id=named)
            assert timeless(ours) == timeless(theirs)
        assert timeless(shared(page.events)) == timeless(shared(socket.events))
        assert timeless(page.view) == timeless(socket.view)
    text = (await anna.http.get(f"/api/tables/{table}/record")).text
    assert undated((await device.ask("GET", f"/api/tables/{table}/record"))["text"]) == undated(text)
    for turn in (1, 2, 99999):
        earlier = f"/api/tables/{table}/turns/{turn}"
        here, there = await device.ask("GET", earlier), await anna.http.get(earlier)
        assert (here["status"], here["json"]) == (there.status_code, there.json())
    listed = (await device.ask("GET", "/api/tables"))["json"], (await anna.http.get("/api/tables")).json()
    (ours,), (theirs,) = ([line for line in found["tables"] if line["table"] == table] for found in listed)
    assert timeless(ours) == timeless(theirs)


def shared(events: list[Json]) -> list[Json]:
    """Events without the ids of later tables, which depend on the time."""
    return [
        {name: value for name, value in event.items() if event["type"] != "next-table" or name != "table"} for event in events
    ]


def undated(record: str) -> list[str]:
    return [line for line in record.splitlines() if not line.startswith("[Date ")]


REQUESTS: Final[list[tuple[str, str, Json | None]]] = [
    ("GET", "/api/games", None),
    ("GET", "/api/guides/yamm", None),
    ("GET", "/api/guides/chess", None),
    ("GET", "/api/tables/0123456789abcdef0123", None),
    ("POST", "/api/starts", {"game": "yam-master", "start": "1x1x1/2xo1/5/o4/4o x 0:????? 9-9 9"}),
    ("POST", "/api/starts", {"game": "yam-master", "start": "nothing"}),
    ("POST", "/api/starts", {"game": "yam-master", "start": '[Game "yamm"]\n\n1. 99999\n'}),
    ("POST", "/api/show", {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1"}),
    ("POST", "/api/show", {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1", "after": "k11"}),
    ("POST", "/api/show", {"game": "yam-master", "position": "5/5/5/5/4 x 1:11346 12-12 1"}),
    ("POST", "/api/show", {"game": "yam-master"}),
    ("POST", "/api/tables", {"setup": {"game": "yam-master", "seats": [{}]}}),
    ("POST", "/api/tables", {"setup": {"game": "yam-master", "seats": [{}, {}], "clock": {"kind": "turn", "seconds": 1}}}),
    ("POST", "/api/tables", {"setup": {"game": "yam-master", "seats": [{}, {}]}, "seats": [{"seat": 5, "name": "Anna"}]}),
    ("POST", "/api/tables", {"setup": {"game": "yam-master", "seats": [{}, {}]}, "name": " "}),
]
LEARNING: Final[list[tuple[str, str, Json | None]]] = [
    ("POST", "/api/odds", {"game": "yam-master", "dice": "11346", "throws_left": 2}),
    ("POST", "/api/odds", {"dice": "113467"}),
    ("POST", "/api/analysis", {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1"}),
    ("POST", "/api/review", {"record": '[Game "yam-master"]\n\n'}),
    ("POST", "/api/questions", {"game": "yam-master", "seed": "s", "number": 1, "difficulty": 2}),
]


async def compared(anna: Browser, method: str, path: str, body: Json | None) -> None:
    device = Device()
    for language in ("de", "en"):
        theirs = await anna.http.request(method, path, json=body, headers={"Accept-Language": language})
        ours = await device.ask(method, path, body, language)
        assert ours["status"] // 100 == theirs.status_code // 100
        assert (ours["status"] == 404) == (theirs.status_code == 404)
        assert ours["json"] == theirs.json()


@sweep("asked", REQUESTS, ids=lambda asked: f"{asked[1]} {json.dumps(asked[2])[:40]}")
async def test_an_answer_is_that_of_a_server(anna: Browser, asked: tuple[str, str, Json | None]) -> None:
    await compared(anna, *asked)


@pytest.mark.slow
@pytest.mark.parametrize("asked", LEARNING, ids=lambda asked: asked[1])
async def test_an_analysis_is_that_of_a_server(anna: Browser, asked: tuple[str, str, Json | None]) -> None:
    await compared(anna, *asked)
