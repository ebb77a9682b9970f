"""Duplicate events over the network: a week of challenges played by the program of the docs, and
what the server says before and after the end of an event."""

import asyncio
import importlib.util
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

from dicecup.client import Client, ServerRefusal
from dicecup.hosting.competition.duplicates import Duplicates
from dicecup.hosting.competition.events import Entry, Event, daily_events
from dicecup.hosting.server_clock import ServerClock
from dicecup.locale import LANGUAGES, Messages
from dicecup.table import daily
from dicecup.table.daily import SERIES
from dicecup.table.event_file import check_event, event_file_from_text
from dicecup.web.context import AppContext
from dicecup.web.service_pages import STATIC
from dicecup.web.sharing import embedded, rankings
from tests.web.serving import Browser, serving

WEEK = Path(__file__).parents[3] / "docs" / "examples" / "week.py"
BEGUN = datetime(2026, 11, 23, 9, tzinfo=UTC)
DAY = timedelta(days=1)


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("week", WEEK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Days(ServerClock):
    """A clock that runs, and that the test moves on by days."""

    def __init__(self) -> None:
        super().__init__(BEGUN.timestamp)

    def move(self, by: timedelta) -> None:
        self.not_before(self() + by.total_seconds())


@pytest.fixture
def clock() -> Days:
    return Days()


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> list[AppContext]:
    """Return the contexts of the servers that the test starts."""
    found: list[AppContext] = []
    make = AppContext.of

    def of(*arguments: object) -> AppContext:
        found.append(make(*arguments))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(AppContext, "of", of)
    return found


@pytest.fixture
def unanalysed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no computer play the dice of events that are over: that takes seconds."""

    async def nothing(_: Duplicates, __: Event) -> None:
        pass

    monkeypatch.setattr(Duplicates, "_analyse", nothing)


@asynccontextmanager
async def served(tmp_path: Path, clock: Days) -> AsyncIterator[str]:
    async with serving(tmp_path, clock=clock) as url:
        yield url


async def after_midnight(contexts: list[AppContext], clock: Days) -> None:
    """Let a day pass, and all its events settle."""
    clock.move(DAY)
    duplicates = contexts[-1].duplicates
    await contexts[-1].tables.sweep()
    await duplicates.tick()


@pytest.mark.slow
async def test_a_program_plays_a_week_of_challenges(tmp_path: Path, clock: Days, contexts: list[AppContext]) -> None:
    days = []
    async with served(tmp_path, clock) as url, Client(url) as client:
        for number in range(7):
            entered = await program().play_today(client, "Bot")
            assert len(entered) == len(SERIES)
            for event in entered:
                assert (await client.events.look(event))["event"]["commitment"]
                with pytest.raises(ServerRefusal) as early:
                    await client.events.file(event)
                assert early.value.code == "event-running"
            days.append(entered)
            await after_midnight(contexts, clock)
            assert (await client.events.today())["streak"] == number + 1
        for event in chain.from_iterable(days):
            page = await client.events.look(event)
            assert page["event"]["over"]
            assert [entry["rank"] for entry in page["ranking"]] == [1]
            report = check_event(event_file_from_text(await client.events.file(event)))
            assert (report.games, report.fault) == (1, None)
            assert report.throws == report.right
        first = BEGUN.date()
        calendar = await client.events.calendar(str(first), str(first + 6 * DAY))
        assert [len([event for event in day["events"] if event["mine"]]) for day in calendar["days"]] == [len(SERIES)] * 7
        assert calendar["longest"] == 7
        assert await client.events.practise(days[0][0], name="Bot")


@pytest.mark.slow
@pytest.mark.usefixtures("unanalysed")
async def test_an_event_is_asked_for_and_entered(tmp_path: Path, clock: Days, contexts: list[AppContext]) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as anna, Browser(url) as ben:
        today = (await anna.http.get("/api/events/today")).json()
        assert (today["day"], today["streak"]) == ("2026-11-23", 0)
        kinds = {event["kind"]: event for event in today["events"]}
        assert set(kinds) == set(SERIES)
        event = kinds["short"]["event"]
        entered = await anna.http.post(f"/api/events/{event}/entries", json={"name": "Anna"})
        assert entered.status_code == 201
        table = entered.json()["table"]
        again = await anna.http.post(f"/api/events/{event}/entries", json={"name": "Anna"})
        assert (again.status_code, again.json()["error"]["code"]) == (409, "already-entered")
        assert again.json()["error"]["details"]["table"] == table
        view = (await anna.http.get(f"/api/tables/{table}")).json()["view"]
        assert view["duplicate"] == {"event": event, "practice": False}
        assert view["clock"]["seconds"] == 3600
        assert (await ben.http.get(f"/api/tables/{table}")).status_code == 404
        page = (await ben.http.get(f"/api/events/{event}")).json()
        assert (page["event"]["entrants"], page["event"]["mine"], page["event"]["secret"]) == (1, None, None)
        assert page["ranking"] == []
        secret = contexts[-1].duplicates
        await after_midnight(contexts, clock)
        await contexts[-1].tables.scheduler.run_due(table)
        await secret.tick()
        page = (await anna.http.get(f"/api/events/{event}")).json()
        assert page["event"]["over"]
        assert len(page["event"]["secret"]) == 64
        assert page["ranking"][0]["finished"] is False
        game = (await ben.http.get(f"/api/events/{event}/games/1")).json()
        assert game["name"] == "Anna"
        assert f'[Secret "{page["event"]["secret"]}"]' in game["record"]
        result = (await ben.http.get(f"/api/events/{event}/share?entry=1&lang=de")).json()
        assert result["title"] == "Anna: Yamm: drei Spalten, 23. November 2026"
        card = await ben.http.get(result["card"])
        assert (card.status_code, card.headers["content-type"]) == (200, "image/png")
        file = await ben.http.get(f"/api/events/{event}/file")
        assert file.headers["content-disposition"] == f'attachment; filename="{event}.json"'
        assert json.loads(file.text)["event"] == event


@pytest.mark.slow
@pytest.mark.usefixtures("unanalysed")
async def test_the_ranking_of_a_challenge_is_in_a_frame_without_scripts_and_cookies(
    tmp_path: Path, clock: Days, contexts: list[AppContext]
) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as anna, Browser(url) as ben, Browser(url) as visitor:
        event = "daily-2026-11-23-duel"
        place = f"/embed/events/{event}"
        for browser, name in ((anna, "Anna"), (ben, "<b>")):
            entered = await browser.http.post(f"/api/events/{event}/entries", json={"name": name})
            table = f"/api/tables/{entered.json()['table']}"
            number = (await browser.http.get(table)).json()["number"]
            resigned = {"id": "1", "version": number, "command": {"type": "resign"}}
            assert (await browser.http.post(f"{table}/commands", json=resigned)).is_success
        assert (await visitor.http.get(f"/api/events/{event}/share")).json()["embed"] is None
        assert (await visitor.http.get(place)).json()["error"]["code"] == "event-running"
        await after_midnight(contexts, clock)
        await contexts[-1].duplicates.tick()
        for language in LANGUAGES:
            found = (await visitor.http.get(f"/api/events/{event}/share", params={"lang": language, "entry": 1})).json()
            page = await visitor.http.get(found["embed"])
            assert found["title"] == f"Anna: {found['embed_title']}"
            assert f"<title>{found['embed_title']}" in page.text
            assert page.headers["content-security-policy"].endswith("frame-ancestors *")
            assert "script" not in page.text
            assert "set-cookie" not in page.headers
            messages = Messages(language)
            shown = [messages(f"ui_event_{key}") for key in ("duel", "rank", "name", "result")]
            shown += [messages("ui_event_entrants", count=2), messages("ui_event_lost", score="0\u00a0:\u00a00")]
            assert all(text in page.text for text in (*shown, "<bdi>Anna</bdi>", "<bdi>&lt;b&gt;</bdi>"))
            assert f"{url}/events/{event}?lang={language}" in page.text
        assert not visitor.http.cookies
        nobody = await visitor.http.get("/embed/events/daily-2026-11-23-yamm?lang=en")
        assert (nobody.text.count("<table"), Messages("en")("ui_event_nobody") in nobody.text) == (0, True)
        for wrong in ("NO", "daily-2000-01-01-yamm"):
            assert (await visitor.http.get(f"/embed/events/{wrong}")).status_code == 404


def test_the_frame_of_a_long_ranking_keeps_its_limit() -> None:
    name = '"' * 40
    day = 20_780
    analysis = json.dumps({"line": '[Result "o 3-12"]', "costly": None})
    event = daily_events(b"", day, daily.opens_at(day))[2]._replace(analysis=analysis)
    entries = [Entry(event.event, "", name, 0.0, 0, None, counts=True, finished=False, score=0.0, result="draw 12-12")] * 500
    for language in LANGUAGES:
        messages = Messages(language)
        said, listed = rankings.summary_of(event, entries, messages), list(rankings.lines_of(event, entries, messages))
        assert ("500" in said, len(listed)) == (True, rankings.MOST_LISTED + 1)
        assert listed[0][:3] == ("–", messages("level_master"), messages("ui_event_line"))
        assert listed[0].result == messages("ui_event_lost", score="3\u00a0:\u00a012")
        assert listed[1][1:] == (name, messages("ui_event_unfinished"), messages("ui_event_drawn", score="12\u00a0:\u00a012"))
        page = embedded.ranking_page("Yamm", said, listed, language, "http://localhost")
        assert len(page) + (STATIC / "embed.css").stat().st_size <= 40_000


@pytest.mark.parametrize(
    "day, result, code, score",
    [
        (20_780, "x 7-2", "won", "7\u00a0:\u00a02"),
        (20_780, "o 2-2", "lost", "2\u00a0:\u00a02"),
        (20_781, "x 7-2", "lost", "2\u00a0:\u00a07"),
        (20_781, "draw 3-3", "drawn", "3\u00a0:\u00a03"),
    ],
)
def test_a_result_in_a_frame_is_that_of_the_side_of_the_people(day: int, result: str, code: str, score: str) -> None:
    yamm, _, duel = daily_events(b"", day, daily.opens_at(day))
    messages = Messages("en")
    assert rankings.result_text(duel, result, messages) == messages(f"ui_event_{code}", score=score)
    assert rankings.result_text(yamm, "1234", messages) == "1234"
    assert (duel.table_setup.first == 0) == (day == 20_780), "the person begins, and is x"


async def test_a_person_with_two_devices_throws_once_and_sees_nothing_early(tmp_path: Path, clock: Days) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as laptop, Browser(url) as phone:
        event = "daily-2026-11-23-yamm"
        table = (await laptop.http.post(f"/api/events/{event}/entries", json={"name": "Anna"})).json()["table"]
        secret = (await laptop.http.post("/api/transfers")).json()["secret"]
        assert (await phone.http.post("/api/transfers/redeem", json={"secret": secret})).is_success
        again = await phone.http.post(f"/api/events/{event}/entries", json={"name": "Anna"})
        assert (again.status_code, again.json()["error"]["code"]) == (409, "already-entered")
        seen = [(await each.http.get(f"/api/tables/{table}")).json() for each in (laptop, phone)]
        assert seen[0]["number"] == seen[1]["number"]
        throw = {"version": seen[0]["number"], "command": {"type": "throw"}}
        sent = [
            each.http.post(f"/api/tables/{table}/commands", json=throw | {"id": name})
            for each, name in ((laptop, "l1"), (phone, "p1"))
        ]
        answers = await asyncio.gather(*sent)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        (refused,) = [answer for answer in answers if not answer.is_success]
        assert refused.json()["error"]["code"] == "stale-version"
        seen = [(await each.http.get(f"/api/tables/{table}")).json() for each in (laptop, phone)]
        assert [each["view"]["fairness"]["throws"] for each in seen] == [1, 1]
        assert seen[0]["view"]["turn"]["dice"] == seen[1]["view"]["turn"]["dice"]
        early = await phone.http.get(f"/api/events/{event}/file")
        assert early.json()["error"]["code"] == "event-running", "the file holds the secret"


@pytest.mark.slow
@pytest.mark.usefixtures("unanalysed")
async def test_a_game_of_a_challenge_is_not_shared_before_the_challenge_is_over(
    tmp_path: Path, clock: Days, contexts: list[AppContext]
) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as anna:
        event = "daily-2026-11-23-duel"
        entered = await anna.http.post(f"/api/events/{event}/entries", json={"name": "Anna"})
        place = f"/api/tables/{entered.json()['table']}"
        number = (await anna.http.get(place)).json()["number"]
        resigned = {"id": "1", "version": number, "command": {"type": "resign"}}
        assert (await anna.http.post(f"{place}/commands", json=resigned)).status_code == 200
        refused = await anna.http.get(f"{place}/share")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "table-closed")
        await after_midnight(contexts, clock)
        await contexts[-1].duplicates.tick()
        found = await anna.http.get(f"{place}/share")
        assert found.status_code == 200
        assert (await anna.http.get(found.json()["card"])).status_code == 200


@pytest.mark.parametrize(
    "path, status, code",
    [
        ("/api/events/daily-2000-01-01-yamm", 404, "no-such-event"),
        ("/api/events/NO", 404, "no-such-event"),
        ("/api/events/calendar?first=2026-11-23&last=2027-11-23", 400, "not-a-message"),
        ("/api/events/calendar?first=2026-02-30&last=2026-03-01", 400, "not-a-message"),
    ],
)
async def test_bad_requests_have_a_code(tmp_path: Path, clock: Days, path: str, status: int, code: str) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as anna:
        answer = await anna.http.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


async def test_a_client_cannot_make_a_table_with_the_dice_of_an_event(tmp_path: Path, clock: Days) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as anna:
        event = (await anna.http.get("/api/events/today")).json()["events"][0]["event"]
        for practice in (False, True):
            setup = {"game": "yamm(players=1)", "seats": [{}], "duplicate": {"event": event, "practice": practice}}
            answer = await anna.http.post("/api/tables", json={"setup": setup, "name": "Anna"})
            assert answer.json()["error"]["code"] == "not-a-setup"


async def test_a_pair_is_entered_by_its_link(tmp_path: Path, clock: Days) -> None:
    async with served(tmp_path, clock) as url, Browser(url) as anna, Browser(url) as ben:
        body = {"kind": "pair", "game": "yam-master", "clock": {"kind": "turn", "seconds": 120}, "name": "Anna"}
        made = (await anna.http.post("/api/events", json=body)).json()
        event, key = made["event"]["event"], made["key"]
        assert made["link"].endswith(f"/events/{event}#join={key}")
        assert (await ben.http.get(f"/api/events/{event}")).json()["key"] is None
        refused = await ben.http.post(f"/api/events/{event}/entries", json={"name": "Ben"})
        assert refused.status_code == 404
        entered = await ben.http.post(f"/api/events/{event}/entries", json={"name": "Ben", "key": key})
        assert entered.json() == {"table": None}
        for browser in (anna, ben):
            page = (await browser.http.get(f"/api/events/{event}")).json()
            assert page["people"] == ["Anna", "Ben"]
            (table,) = page["tables"]
            assert (await browser.http.get(f"/api/tables/{table}")).json()["view"]["clock"]["seconds"] == 120
            assert [found["event"] for found in (await browser.http.get("/api/events/mine")).json()["events"]] == [event]
