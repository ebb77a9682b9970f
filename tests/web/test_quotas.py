"""Quotas over HTTP and WebSocket: a flood is stopped, and what it cannot do says so."""

from pathlib import Path
from typing import Any

import pytest

from dicecup.hosting.quotas import COMMAND_BYTES, MEGABYTE
from dicecup.hosting.settings import Settings
from tests.hosting import guests
from tests.web import serving as server
from tests.web.serving import TWO, Browser, Socket, serving
from tests.web.test_devices import earlier_cookie


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return settings that the next server gets."""
    changed: dict[str, Any] = {}
    monkeypatch.setattr(server, "settings", lambda url, **given: guests.settings(url, **(given | changed)))
    return changed


async def test_a_flood_of_tables_with_new_identities_is_stopped(tmp_path: Path, limited: dict[str, Any]) -> None:
    limited["tables_per_day"] = 5
    async with serving(tmp_path, proxies="127.0.0.1") as url:
        answers = []
        for _ in range(8):
            async with Browser(url) as browser:
                answers.append(await browser.http.post("/api/tables", json={"setup": TWO, "name": "Anna"}))
        assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 3
        error = answers[-1].json()["error"]
        assert (error["code"], error["details"]["most"]) == ("too-much-today", 5)
        assert int(answers[-1].headers["retry-after"]) > 60
        async with Browser(url, {"X-Forwarded-For": "192.0.2.1"}) as elsewhere:
            await elsewhere.make()
    async with serving(tmp_path) as url, Browser(url) as browser:
        # After a restart, as soon as the server has read what was counted before.
        while (again := await browser.http.post("/api/tables", json={"setup": TWO, "name": "Anna"})).status_code == 201:
            pass
        assert again.status_code == 429


async def test_identities_of_a_network_are_limited(tmp_path: Path, limited: dict[str, Any]) -> None:
    limited["identities_per_day"] = 2
    async with serving(tmp_path) as url:
        async with Browser(url) as browser:
            for _ in range(3):
                assert (await browser.http.get("/api/me")).status_code == 200
        statuses = []
        for _ in range(2):
            async with Browser(url) as browser:
                statuses.append((await browser.http.post("/api/tokens")).status_code)
        assert statuses == [201, 429]


async def test_looking_around_makes_no_identity(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Browser(url) as browser:
        for place in ("/", "/docs", "/api/games", "/api/tables", "/api/tokens", "/api/statistics", "/api/dice"):
            assert "set-cookie" not in (await browser.http.get(place)).headers


async def test_a_command_of_nobody_makes_no_identity(tmp_path: Path, limited: dict[str, Any]) -> None:
    limited["identities_per_day"] = 2
    async with serving(tmp_path) as url, Browser(url) as anna:
        made = await anna.make(TWO)
        sent = {"id": "x", "version": 2, "command": {"type": "sit", "name": "Ben"}}
        async with Browser(url, {"Dicecup-Key": made["join_key"]}) as nobody:
            for _ in range(3):
                refused = await nobody.http.post(f"/api/tables/{made['table']}/commands", json=sent)
                assert (refused.status_code, refused.json()["error"]["code"]) == (401, "no-identity")
                assert "set-cookie" not in refused.headers
            assert (await nobody.http.get("/api/me")).status_code == 200
            assert (await nobody.http.post(f"/api/tables/{made['table']}/commands", json=sent)).status_code == 200


async def test_stored_bytes_are_limited(tmp_path: Path, limited: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A new table and two commands fill the quota; what stores nothing counts as nothing."""
    monkeypatch.setattr("dicecup.web.context.MEGABYTE", 1500)
    limited["megabytes_per_day"] = 1
    async with serving(tmp_path) as url, Browser(url) as browser:
        made = await browser.make(TWO)
        path = f"/api/tables/{made['table']}/commands"
        async with browser.socket(made["table"]) as socket:
            version = (await socket.receive("update"))["number"]
            assert await rotate(socket, version, "one") == "done"
            for _ in range(3):
                assert await rotate(socket, version, "one") == "done"
                assert await rotate(socket, version, "stale") == "stale-version"
                assert (await socket.do({"type": "throw"}))["error"]["code"] == "game-not-begun"
                refused = await browser.http.post(path, json={"id": "x", "version": 3, "command": {"type": "throw"}})
                assert refused.status_code == 409
            sent = {"id": "two", "version": version + 1, "command": {"type": "rotate-links"}}
            assert (await browser.http.post(path, json=sent)).status_code == 200
            assert await rotate(socket, version + 2, "three") == "too-much-today"
            assert await rotate(socket, version, "one") == "done"
        assert (await browser.http.get("/api/tables")).status_code == 200


async def rotate(socket: Socket, version: int, command_id: str) -> str:
    """Replace the links of a table, which saves one event, and return the answer or its code."""
    answer = await socket.do({"type": "rotate-links"}, version, command_id)
    return str(answer["type"] if answer["type"] == "done" else answer["error"]["code"])


def test_a_club_plays_through_a_day_within_the_defaults(tmp_path: Path) -> None:
    people, seconds = 64, 8 * 3600
    read = Settings.read({"DICECUP_DATA": str(tmp_path)})
    assert people * seconds * COMMAND_BYTES <= read.megabytes_per_day * MEGABYTE
    assert read.megabytes_per_day == guests.settings("sqlite:///x").megabytes_per_day


@pytest.mark.parametrize("path", ["/api/tokens", "/api/transfers"])
async def test_tokens_and_links_are_counted_as_stored_bytes(
    tmp_path: Path, limited: dict[str, Any], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("dicecup.web.context.MEGABYTE", 3 * COMMAND_BYTES)
    limited["megabytes_per_day"] = 1
    async with serving(tmp_path) as url, Browser(url) as browser:
        answers = [await browser.http.post(path) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [201] * 3 + [429] * 2
        assert answers[-1].json()["error"]["code"] == "too-much-today"


async def test_a_link_that_is_redeemed_is_counted_as_stored_bytes(
    tmp_path: Path, limited: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dicecup.web.context.MEGABYTE", 3 * COMMAND_BYTES)
    limited["megabytes_per_day"] = 1
    async with serving(tmp_path) as url, Browser(url) as anna, Browser(url) as ben:
        links = [(await anna.http.post("/api/transfers")).json() for _ in range(2)]
        for status in (404, 404, 204, 429):
            sent = {"secret": "x" if status == 404 else links.pop()["secret"]}
            assert (await ben.http.post("/api/transfers/redeem", json=sent)).status_code == status


async def test_a_browser_without_a_device_keeps_its_cookie_if_nothing_more_may_be_stored(
    tmp_path: Path, limited: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dicecup.web.context.MEGABYTE", 1)
    limited["megabytes_per_day"] = 1
    async with serving(tmp_path) as url, Browser(url) as anna:
        await anna.http.get("/api/me")
        async with Browser(url, {"Cookie": earlier_cookie(anna)}) as old:
            answer = await old.http.get("/api/me")
            assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
            assert [device["id"] for device in (await old.http.get("/api/devices")).json()["devices"]] == ["earlier"]


async def test_old_tables_are_deleted_while_the_server_runs(tmp_path: Path, limited: dict[str, Any]) -> None:
    limited["keep_days"] = 1
    async with serving(tmp_path) as url, Browser(url) as browser:
        assert "dicecup_deleted_tables 0.0" in (await browser.http.get("/metrics")).text
