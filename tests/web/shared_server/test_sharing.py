"""Shared games, positions and results: who can share them, what their links show without scripts,
and their pictures."""

import re
from collections.abc import AsyncIterator
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from dicecup.locale import LANGUAGES, Messages
from dicecup.sheets import pictures
from dicecup.web import app_files
from dicecup.web.sharing.picture_cache import PictureCache
from tests.web.serving import Browser, Json, serving

FULL = "3,6,9,12,15,18,25,20,33,45,x"
ALONE: Json = {
    "game": "yamm(players=1)",
    "seats": [{}],
    "dice": "table",
    "start": "/".join([FULL] * 8 + ["3,6,9,12,15,18,25,20,33,45,.1 2:44444 99"]),
}
"""All cells but the last one, f3.Y, are written."""
POSITION = {"game": "yam-master", "position": "1xxxx/o4/5/5/5 x 1:11123 8-11 9"}
NAME = 'Zoë "Å" <b>'
META = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />')


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "app" / "index.html"
    page.parent.mkdir()
    page.write_text("<head><title>Dicecup</title></head>", "utf-8")
    monkeypatch.setattr(app_files, "BUILT", page.parent)


@pytest_asyncio.fixture(loop_scope="session")
async def stranger(url: str) -> AsyncIterator[Browser]:
    async with Browser(url) as browser:
        yield browser


async def act(browser: Browser, table: str, action: str) -> None:
    place = f"/api/tables/{table}"
    number = (await browser.http.get(place)).json()["number"]
    sent = {"id": action, "version": number, "command": {"type": "act", "action": action}}
    answer = await browser.http.post(f"{place}/commands", json=sent)
    assert answer.status_code == 200, answer.text


async def finished(browser: Browser, name: str = NAME) -> str:
    """Play a game alone, and return its table."""
    made = await browser.make(ALONE, name)
    await act(browser, made["table"], "f3.Y")
    return str(made["table"])


async def shared(browser: Browser, path: str, **asked: str) -> Json:
    answer = await browser.http.get(f"/api/{path}/share", params=asked)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def tags(browser: Browser, link: str) -> dict[str, str]:
    """Return what a program reads in a page that runs no scripts."""
    answer = await browser.http.get(link, headers={"Accept-Language": "fr"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    return {name: unescape(content) for name, content in META.findall(answer.text)}


async def code(browser: Browser, path: str, **asked: str) -> tuple[int, str]:
    answer = await browser.http.get(path, params=asked)
    return answer.status_code, answer.json()["error"]["code"]


async def test_the_link_to_a_game_shows_it_without_scripts_in_its_language(anna: Browser, stranger: Browser) -> None:
    table = await finished(anna)
    found = await shared(anna, f"tables/{table}", lang="de")
    read = await tags(stranger, found["link"])
    assert read["og:title"] == found["title"] == f"Yamm: {NAME}"
    assert read["og:description"].endswith(Messages("de")("share_game_about"))
    assert (read["og:url"], read["og:image"], read["og:locale"]) == (found["link"], found["card"], "de_CH")
    assert (read["robots"], read["twitter:card"]) == ("noindex", "summary_large_image")
    card = await stranger.http.get(read["og:image"])
    assert card.headers["content-type"] == "image/png"
    assert len(card.content) <= pictures.MOST_CARD
    assert Image.open(BytesIO(card.content)).size == (int(read["og:image:width"]), int(read["og:image:height"]))
    assert card.headers["cross-origin-resource-policy"] == "cross-origin"
    again = await stranger.http.get(read["og:image"], headers={"If-None-Match": card.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = await stranger.http.get(read["og:image"].replace("lang=de", "lang=fr"))
    assert other.headers["etag"] != card.headers["etag"]
    assert not stranger.http.cookies


async def test_the_key_of_a_shared_game_opens_the_game_and_nothing_else(anna: Browser, stranger: Browser) -> None:
    table = await finished(anna)
    found = await shared(anna, f"tables/{table}")
    key = found["link"].partition("share=")[2].partition("&")[0]
    headers = {"Dicecup-Key": key}
    assert (await stranger.http.get(f"/api/tables/{table}/record", headers=headers)).status_code == 200
    for place in ("", "/links", "/next"):
        assert (await stranger.http.get(f"/api/tables/{table}{place}", headers=headers)).status_code == 404
    again = await stranger.http.get(f"/api/tables/{table}/share", headers=headers, params={"lang": "en"})
    assert again.json() == await shared(anna, f"tables/{table}", lang="en")
    made = (await anna.http.get(f"/api/tables/{table}/links")).json()
    for wrong in ("", "x", made["watch_key"], made["join_key"]):
        assert await code(stranger, f"/api/tables/{table}/card.png", share=wrong) == (404, "no-such-table")
        assert "og:title" not in await tags(stranger, f"/review/{table}?share={wrong}")


async def test_only_finished_games_are_shared_and_only_by_those_who_see_them(anna: Browser, stranger: Browser) -> None:
    made = await anna.make(ALONE)
    table = made["table"]
    assert await code(anna, f"/api/tables/{table}/share") == (409, "game-not-over")
    await act(anna, table, "f3.Y")
    assert await code(stranger, f"/api/tables/{table}/share") == (404, "no-such-table")
    watcher = await stranger.http.get(f"/api/tables/{table}/share", headers={"Dicecup-Key": made["watch_key"]})
    assert watcher.json()["link"] == (await shared(anna, f"tables/{table}", lang="en"))["link"]


async def test_a_game_is_replayed_in_less_than_a_megabyte(anna: Browser, stranger: Browser) -> None:
    found = await shared(anna, f"tables/{await finished(anna)}")
    replay = await stranger.http.get(found["replay"])
    assert replay.headers["content-type"] == "image/gif"
    assert len(replay.content) <= pictures.MOST_REPLAY
    assert Image.open(BytesIO(replay.content)).n_frames == 3  # type: ignore[attr-defined]


async def test_a_frame_may_be_on_other_sites_and_sets_no_cookie(anna: Browser, stranger: Browser) -> None:
    found = await shared(anna, f"tables/{await finished(anna)}", lang="de")
    page = await stranger.http.get(found["embed"])
    style = await stranger.http.get("/static/embed.css")
    assert len(page.content) + len(style.content) <= 40_000
    assert "x-frame-options" not in page.headers
    assert page.headers["content-security-policy"].endswith("frame-ancestors *")
    assert "script" not in page.text
    assert not stranger.http.cookies
    assert "set-cookie" not in page.headers
    assert "Zoë &quot;Å&quot; &lt;b&gt;" in page.text
    assert found["link"].replace("&", "&amp;") in page.text
    assert Messages("de")("share_open") in page.text


async def test_a_position_asks_what_to_do(stranger: Browser) -> None:
    for language in LANGUAGES:
        found = await shared(stranger, "positions", lang=language, **POSITION)
        read = await tags(stranger, found["link"])
        assert read["og:title"].endswith(Messages(language)("ui_learn_train_question"))
        card = await stranger.http.get(read["og:image"])
        assert (card.status_code, len(card.content) <= pictures.MOST_CARD) == (200, True)
        assert 'aria-label="a1 1; b1 x' in (await stranger.http.get(found["embed"])).text
        assert found["replay"] is None
    wrong = await stranger.http.get("/api/positions/card.png", params=POSITION | {"position": "1"})
    assert wrong.status_code == 422


async def test_a_challenge_has_no_result_before_its_end(stranger: Browser) -> None:
    today = (await stranger.http.get("/api/events/today")).json()
    event = today["events"][0]["event"]
    found = await shared(stranger, f"events/{event}", lang="de")
    assert Messages("de")("ui_event_yamm") in (await tags(stranger, found["link"]))["og:title"]
    card = await stranger.http.get(found["card"])
    assert (card.status_code, len(card.content) <= pictures.MOST_CARD) == (200, True)
    for place in ("share", "card.png"):
        assert await code(stranger, f"/api/events/{event}/{place}", entry="1") == (409, "event-running")
        assert await code(stranger, f"/api/events/none/{place}") == (404, "no-such-event")


@pytest.mark.slow
async def test_a_host_switches_sharing_and_frames_off(tmp_path: Path) -> None:
    async with serving(tmp_path, sharing=False) as url, Browser(url) as browser:
        table = await finished(browser)
        for place in (f"/api/tables/{table}/share", "/embed/position", f"/api/tables/{table}/card.png?share=x"):
            assert (await code(browser, place))[1] == "not-offered"
        assert "og:title" not in await tags(browser, "/position?game=yamm&position=x")
    async with serving(tmp_path, embedded_by="https://club.example") as url, Browser(url) as browser:
        found = await shared(browser, "positions", **POSITION)
        policy = (await browser.http.get(found["embed"])).headers["content-security-policy"]
        assert policy.endswith("frame-ancestors 'self' https://club.example")
    async with serving(tmp_path, embedded_by="none") as url, Browser(url) as browser:
        assert (await shared(browser, "positions", **POSITION))["embed"] is None


async def test_without_pillow_cards_are_smaller_and_there_is_no_replay(
    anna: Browser, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "has_pillow", lambda: False)
    table = await finished(anna)
    found = await shared(anna, f"tables/{table}")
    assert found["replay"] is None
    read = await tags(stranger, found["link"])
    assert (read["og:image:width"], read["og:image:height"]) == ("600", "315")


def test_a_cache_drops_what_was_not_asked_for_lately() -> None:
    cache = PictureCache(most=5)
    for name in "abc":
        cache._keep(name, b"xx")
    assert list(cache._pictures) == ["b", "c"]
    cache._keep("d", b"x" * 9)
    assert list(cache._pictures) == ["d"]
