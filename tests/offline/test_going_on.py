"""A game of a server goes on on a device and comes back, over HTTP (docs/decisions/0029)."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from dicecup import record
from dicecup.offline.engine import PlainEngine
from dicecup.table.verify import check
from tests.offline.rooms import Device, Json, Page
from tests.offline.test_conformance import next_command, settled, timeless
from tests.web.serving import AGAINST_COMPUTER, Browser, Socket, serving

YAMM: Final[Json] = {"game": "yamm", "seats": [{"kind": "level", "level": "random"}, {}]}
OWN_MEMBERS: Final = ("position", "history", "running", "order", "you", "actions", "may", "corrections", "starting", "turn")
"""Members of a view that are the same at the server and on the device."""


@pytest.fixture
async def anna(tmp_path: Path) -> AsyncIterator[Browser]:
    async with serving(tmp_path) as url, Browser(url) as browser:
        yield browser


async def play(socket: Socket, commands: int) -> Json:
    """Play at the server until the person is next and return the view."""
    for sent in range(commands):
        command = next_command(await settled(socket), sent)
        assert command is not None
        assert (await socket.do(command))["type"] == "done"
    return await settled(socket)


def seen_in(view: Json) -> Json:
    """What the page takes from a view (ui/src/device/goingOn.ts)."""
    fairness, starting = view["fairness"], view["starting"] or {"lot": None, "rounds": []}
    seeds = [held["seed"] or "" for held in fairness["seats"]]
    taken = ("table", "number", "game", "dice_of", "order", "position", "history", "running")
    return {name: view[name] for name in taken} | {
        "seats": [{"name": held["name"], "level": held["level"], "seed": seeds[held["seat"]]} for held in view["seats"]],
        "lot": starting["lot"],
        "rounds": starting["rounds"],
        "commitment": fairness["commitment"],
        "throws": fairness["throws"],
    }


async def gone_on(view: Json, commands: int, device: Device | None = None) -> tuple[Device, Page]:
    """Go on with a view on a device, and play there until the person is next."""
    device = device or Device()
    answer = await device.ask("POST", "/api/going-on", seen_in(view))
    assert answer["status"] == 200, answer
    page = await Page.open(device, answer["json"]["table"])
    await play_here(page, commands)
    return device, page


async def play_here(page: Page, commands: int) -> None:
    for sent in range(commands + 1):
        await page.device.play_on()
        page.read()
        command = next_command(page.view, sent)
        if sent == commands or command is None:
            return
        assert (await page.do(command))["type"] == "done"


async def hand_back(browser: Browser, table: str, body: Json) -> Json:
    answer = await browser.http.post(f"/api/tables/{table}/hand-back", json=body)
    found: Json = {"status": answer.status_code} | answer.json()
    return found


def body_of(device: Device, page: Page) -> Json:
    found: Json = json.loads(device.store.returning[page.table])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("setup", [AGAINST_COMPUTER, YAMM], ids=["yam-master", "yamm"])
async def test_a_game_goes_on_and_comes_back(anna: Browser, setup: Json) -> None:
    """It stands at the server as the device left it, is verified as a whole, and counts nowhere."""
    table = (await anna.make(setup))["table"]
    async with anna.socket(table) as socket:
        view = await play(socket, 9)
        assert view["portable"]
        device, page = await gone_on(view, 0)
        assert {name: page.view[name] for name in OWN_MEMBERS} == {name: view[name] for name in OWN_MEMBERS}
        await play_here(page, 12)
        answers = await asyncio.gather(*(hand_back(anna, table, body_of(device, page)) for _ in range(3)))
        assert {answer["status"] for answer in answers} == {200}
        assert len({answer["number"] for answer in answers}) == 1
        await socket.up_to(answers[0]["number"])
        back = await settled(socket)
        assert {name: timeless(back[name]) for name in OWN_MEMBERS} == {name: timeless(page.view[name]) for name in OWN_MEMBERS}
        assert [event["type"] for event in socket.events].count("played-on-device") == 1
        await play(socket, 5)
        assert (await socket.do({"type": "resign"}))["type"] == "done"
    kept = record.read((await anna.http.get(f"/api/tables/{table}/record")).text)
    report = check(kept)
    assert (report.fault, report.wrong) == (None, 0)
    assert report.on_device
    assert (await anna.http.get("/api/me")).json() == {"outcomes": []}
    (game,) = (await anna.http.get("/api/tables")).json()["tables"]
    assert (game["state"], game["outcome"]) == ("over", None)


async def test_a_lost_answer_and_later_steps_of_the_device(anna: Browser) -> None:
    table = (await anna.make(AGAINST_COMPUTER))["table"]
    async with anna.socket(table) as socket:
        device, page = await gone_on(await play(socket, 6), 4)
        first = await hand_back(anna, table, body_of(device, page))
        await play_here(page, 4)
        second = await hand_back(anna, table, body_of(device, page))
        assert second["number"] == first["number"] + 1
        await socket.up_to(second["number"])
        assert socket.view["position"] == page.view["position"]


@pytest.mark.slow
async def test_a_game_that_ends_on_the_device_ends_at_the_server(anna: Browser) -> None:
    table = (await anna.make(AGAINST_COMPUTER))["table"]
    async with anna.socket(table) as socket:
        device, page = await gone_on(await play(socket, 6), 3)
        assert (await page.do({"type": "resign"}))["type"] == "done"
        assert device.store.joining == {}
        assert (await hand_back(anna, table, body_of(device, page)))["status"] == 200
        assert (await hand_back(anna, table, body_of(device, page)))["status"] == 200
    over = (await anna.http.get(f"/api/tables/{table}")).json()["view"]
    assert over["result"] == page.view["result"]
    assert over["fairness"]["secret"] is not None


@pytest.mark.slow
async def test_a_game_that_went_on_at_the_server_changes_nothing(anna: Browser, ben: Browser) -> None:
    """Another device of the person acted, the game ended, the table is another person's or gone."""
    table = (await anna.make(AGAINST_COMPUTER))["table"]
    async with anna.socket(table) as socket:
        device, page = await gone_on(await play(socket, 6), 3)
        body = body_of(device, page)
        assert (await hand_back(ben, table, body))["error"]["code"] == "no-identity"
        await ben.http.get("/api/me")
        for browser, where in ((ben, table), (anna, "0" * 20), (anna, "x")):
            answer = await hand_back(browser, where, body)
            assert (answer["status"], answer["error"]["code"]) == (404, "no-such-table")
        number = (await play(socket, 1))["number"]
        refused = await hand_back(anna, table, body)
        assert (refused["status"], refused["error"]["code"]) == (409, "moved-on")
        assert (await anna.http.get(f"/api/tables/{table}")).json()["number"] == number
        await socket.do({"type": "resign"})
        assert (await hand_back(anna, table, body))["error"]["code"] == "moved-on"


@pytest.fixture
async def ben(anna: Browser) -> AsyncIterator[Browser]:
    async with Browser(anna.url) as browser:
        yield browser


@pytest.mark.slow
async def test_what_cannot_be_true_is_refused(anna: Browser) -> None:
    table = (await anna.make(AGAINST_COMPUTER))["table"]
    async with anna.socket(table) as socket:
        view = await play(socket, 6)
        device, page = await gone_on(view, 5)
    body = body_of(device, page)
    steps = body["steps"].split(",")
    at = next(place for place, step in enumerate(steps) if step.isdigit())
    other = "11112" if steps[at] == "11111" else "11111"
    wrong: dict[str, list[dict[str, Any]]] = {
        "throw-mismatch": [{"steps": ",".join([*steps[:at], other, *steps[at + 1 :]])}],
        "wrong-secret": [{"commitment": "0" * 64}],
        "not-a-secret": [{"secret": ""}],
        "not-a-section": [{"steps": "," + body["steps"] + "," * 3 + "1" * 50}],
        "not-a-message": [{"device": "x"}, {"since": -1}, {"steps": "1" * 100_001}, {"secret": "z" * 64}, {"more": 1}],
        "moved-on": [{"since": 1}, {"since": body["since"] + 9}],
    }
    for code, bodies in wrong.items():
        for changed in bodies:
            answer = await hand_back(anna, table, body | changed)
            assert answer["error"]["code"] == code
            assert answer["error"]["message"] not in ("", code)
    assert (await anna.http.get(f"/api/tables/{table}")).json()["number"] == view["number"]
    assert (await hand_back(anna, table, body))["status"] == 200


async def test_two_pages_go_on_with_one_game_and_a_level_must_be_here(anna: Browser) -> None:
    table = (await anna.make(AGAINST_COMPUTER))["table"]
    async with anna.socket(table) as socket:
        view = await play(socket, 4)
    device, page = await gone_on(view, 2)
    again, other = await gone_on(view, 0, Device(device.store))
    assert (other.table, other.view["position"]) == (page.table, page.view["position"])
    assert again.store.returning == device.store.returning
    plain = Device(engine=PlainEngine())
    strong = seen_in(view) | {"seats": [held | {"level": held["level"] and "master"} for held in seen_in(view)["seats"]]}
    answer = await plain.ask("POST", "/api/going-on", strong)
    assert answer["json"]["error"]["code"] == "not-a-level"
    assert plain.store.events == {}


@pytest.mark.slow
async def test_a_long_section_is_read_and_loaded_again(tmp_path: Path) -> None:
    """A section of more than 4 kB, and a server that reads it from its database."""
    (tmp_path / "again").mkdir()
    async with serving(tmp_path / "again") as url, Browser(url) as first:
        table = (await first.make(YAMM))["table"]
        async with first.socket(table) as socket:
            device, page = await gone_on(await play(socket, 4), 450)
            body = body_of(device, page)
            assert len(body["steps"]) > 4096
            assert (await hand_back(first, table, body))["status"] == 200
        cookies = dict(first.http.cookies)
    async with serving(tmp_path / "again") as url, Browser(url) as second:
        second.http.cookies.update(cookies)
        answer = (await second.http.get(f"/api/tables/{table}")).json()
        assert answer["view"]["position"] == page.view["position"]
