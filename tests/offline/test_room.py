"""Tables on one device: what is saved before it is shown, pages of one device, time, refusals."""

import json
from pathlib import Path
from typing import Final

import pytest

from dicecup import record
from dicecup.analysis.errors import AnalysisCode, AnalysisError
from dicecup.offline.engine import LoadingEngine, PlainEngine
from dicecup.offline.errors import OfflineCode
from dicecup.offline.tables import AGAIN, HEARTBEAT, SILENCE
from dicecup.table.verify import check
from tests.offline.rooms import Device, Json, MemoryStore, Page
from tests.offline.test_conformance import next_command

SOLITAIRE: Final[Json] = {"game": "yamm(players=1)", "seats": [{}]}
HOT_SEAT: Final[Json] = {"game": "yam-master", "seats": [{}, {}], "first": 0}
BOTH: Final = ({"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Ben"})
GREEDY: Final[Json] = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "greedy"}], "first": 0}


async def played(page: Page, commands: int) -> int:
    """Play so many commands of the script. Return how many were played before the end."""
    for sent in range(commands):
        await page.device.play_on()
        page.read()
        command = next_command(page.view, sent)
        if command is None:
            return sent
        assert (await page.do(command))["type"] == "done"
    return commands


async def begun(device: Device, setup: Json = SOLITAIRE, seats: tuple[Json, ...] = ()) -> Page:
    """A page at a new table that waits for the first throw."""
    page = await Page.open(device, await device.make(setup, seats=seats), since=0)
    while "throw" not in page.view["may"]:
        await played(page, 1)
    return page


async def test_a_kill_after_saving_throws_the_same_dice() -> None:
    """The page ends after the throw was saved and before it was shown. The next page shows it."""
    device = Device()
    page = await begun(device)
    await device.room.receive(
        1, json.dumps({"type": "command", "id": "t", "version": page.view["number"], "command": {"type": "throw"}})
    )
    unseen = next(event for message in device.received[1] for event in message.get("events", ()) if event["type"] == "thrown")
    later = await Page.open(Device(device.store), page.table, since=page.view["number"])
    assert [event for event in later.events if event["type"] == "thrown"] == [unseen]


async def test_a_kill_before_saving_throws_the_same_dice() -> None:
    device = Device()
    page = await begun(device)
    saved = {table: list(rows) for table, rows in device.store.events.items()}
    await page.do({"type": "throw"})
    dice = page.view["turn"]["dice"]
    device.store.events = saved
    later = await Page.open(Device(device.store), page.table)
    await later.do({"type": "throw"}, command_id="later")
    assert later.view["turn"]["dice"] == dice


@pytest.mark.parametrize("code", [OfflineCode.DEVICE_FULL, OfflineCode.DEVICE_REFUSED])
@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_what_is_not_saved_is_not_shown(code: OfflineCode, language: str) -> None:
    device = Device()
    table = await device.make(SOLITAIRE)
    page = await Page.open(device, table, language=language)
    await played(page, 2)
    number, device.store.refusal = page.view["number"], code
    refused = await page.do({"type": "throw"}, command_id="again")
    assert refused["error"]["code"] == code
    assert str(code) not in refused["error"]["message"]
    assert page.view["number"] == number
    device.store.refusal = None
    assert (await page.do({"type": "throw"}, command_id="again"))["type"] == "done"


async def test_a_command_is_handled_once() -> None:
    device = Device()
    page = await begun(device)
    version = page.view["number"]
    first = await page.do({"type": "throw"}, version, "same")
    again = await page.do({"type": "throw"}, version, "same")
    assert first == again
    later = await Page.open(Device(device.store), page.table)
    assert await later.do({"type": "throw"}, version, "same") == first


async def test_a_finished_game_waits_for_the_server_once() -> None:
    device = Device()
    page = await begun(device, GREEDY)
    assert device.store.joining == {}
    assert (await page.do({"type": "resign"}))["type"] == "done"
    (joins,) = device.store.joining.values()
    body = json.loads(joins)
    assert body["table"] == page.table
    assert body["record"] == (await device.ask("GET", f"/api/tables/{page.table}/record"))["text"]
    assert body["created"] == json.loads(device.store.listed[page.table])["created"]
    device.store.joining.clear()
    assert (await page.do({"type": "rematch"}))["type"] == "done"
    assert device.store.joining == {}


async def test_a_game_that_did_not_begin_or_without_people_joins_nothing() -> None:
    device = Device()
    unbegun = await Page.open(device, await device.make(HOT_SEAT))
    assert (await unbegun.do({"type": "resign"}))["type"] == "refused"
    computers = {"game": "yam-master", "seats": [{"kind": "level", "level": "random"}] * 2, "first": 0}
    watched = await Page.open(device, await device.make(computers, name=""), 2)
    device.now += 1000
    while not watched.view["result"]:
        device.now += 100
        await device.room.tick()
        watched.read()
    assert device.store.joining == {}


async def test_two_pages_of_one_device_show_the_same_game() -> None:
    """Each page has a room of its own at the same store, which tells the other one of changes."""
    store = MemoryStore()
    one, other = Device(store), Device(store)
    page = await begun(one, HOT_SEAT, BOTH)
    second = await Page.open(other, page.table, 2)
    assert second.view["number"] == page.view["number"]
    await page.do({"type": "throw"})
    refused = await second.do({"type": "throw"})
    assert refused["error"]["code"] == "stale-version"
    assert refused["error"]["number"] == page.view["number"]
    assert second.view == page.view
    await played(page, 1)
    await other.room.changed(page.table)
    second.read()
    assert second.view == page.view


async def test_computers_of_two_pages_play_once() -> None:
    store = MemoryStore()
    one, other = Device(store), Device(store)
    page = await begun(one, GREEDY)
    second = await Page.open(other, page.table, 2)
    while page.view["demand"]["seats"] != [1]:
        command = next_command(page.view, 0)
        assert command is not None
        if command["type"] == "act":
            command = {"type": "act", "action": page.view["actions"][-1]["action"]}
        await page.do(command)
    await other.room.changed(page.table)
    await one.play_on()
    await other.play_on()
    page.read()
    second.read()
    assert page.view["demand"]["seats"] == [0]
    assert second.view["history"] == page.view["history"]


async def test_a_finished_game_has_verified_dice() -> None:
    device = Device(engine=PlainEngine())
    page = await begun(device, GREEDY)
    while await played(page, 50) == 50:
        pass
    assert page.view["result"]
    text = (await device.ask("GET", f"/api/tables/{page.table}/record"))["text"]
    found = check(record.read(text))
    assert found.wrong == 0
    assert found.right == found.throws > 0
    (line,) = (await device.ask("GET", "/api/tables"))["json"]["tables"]
    assert line["state"] == "over"
    assert line["outcome"] in ("won", "drawn", "lost")


async def test_a_closed_page_costs_no_time() -> None:
    """The clock of a turn stands still while no page is open, and while the device sleeps."""
    device = Device()
    clock = {"clock": {"kind": "turn", "seconds": 60}}
    page = await begun(device, HOT_SEAT | clock, BOTH)
    later = Device(device.store)
    later.now = device.now + 3600
    reopened = await Page.open(later, page.table, since=0)
    await later.play_on()
    reopened.read()
    assert reopened.view["result"] is None
    assert reopened.view["demand"]["deadline"] > later.now
    assert later.room.seconds_to_tick() == HEARTBEAT
    later.now += 10 * SILENCE
    await later.room.tick()
    reopened.read()
    assert reopened.view["result"] is None
    for _ in range(20):
        later.now += HEARTBEAT
        await later.room.tick()
    reopened.read()
    assert reopened.updates[-1]["view"]["result"]["end"] == "time"


async def test_without_kernels_the_levels_without_tables_are_offered() -> None:
    device = Device(engine=PlainEngine())
    described = (await device.ask("GET", "/api/games"))["json"]["games"]
    assert {(game["id"], *game["levels"]) for game in described} >= {("yamm", "random", "greedy")}
    assert not any(game["analysed"] for game in described)
    setup = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "expert"}]}
    refused = await device.ask("POST", "/api/tables", {"setup": setup, "name": "Anna"})
    assert refused["json"]["error"]["code"] == "not-a-level"
    asked = {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1"}
    assert (await device.ask("POST", "/api/analysis", asked))["json"]["error"]["code"] == "no-evaluation"


async def test_a_table_is_loaded_when_it_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Levels without tables and games whose table is there load nothing."""
    path, asked, within_reach = tmp_path / "some.tables", list[str](), False

    async def load(name: str) -> bool:
        asked.append(name)
        if within_reach:
            path.touch()
        return within_reach

    monkeypatch.setattr("dicecup.offline.engine.table_file", lambda _: path)
    device = Device(engine=LoadingEngine(load))
    await device.make(GREEDY)
    assert asked == []
    novice = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "novice"}], "first": 1}
    position = {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1"}
    for path_, body in (("/api/tables", {"setup": novice, "name": "Anna"}), ("/api/analysis", position)):
        refused = await device.ask("POST", path_, body)
        assert (refused["status"], refused["json"]["error"]["code"]) == (503, "no-table-file")
    assert len((await device.ask("GET", "/api/tables"))["json"]["tables"]) == 1
    within_reach = True
    page = await begun_by_computer(device, novice)
    await device.play_on()
    assert page.read()
    assert (await device.ask("POST", "/api/analysis", position))["status"] == 200
    assert asked == [path.name] * 3


async def test_a_computer_that_cannot_decide_stops_the_game_and_loses_nothing() -> None:
    """The table was made where all levels play."""
    device = Device()
    expert = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "novice"}], "first": 1}
    page = await begun_by_computer(device, expert)

    class Without(PlainEngine):
        def decide(self, *asked: object) -> str | None:
            raise AnalysisError(AnalysisCode.NO_EVALUATION, game=str(asked))

    later = Device(device.store, Without())
    reopened = await Page.open(later, page.table)
    await later.play_on()
    assert [message["trouble"] for message in reopened.read()] == ["", "no-evaluation"]
    assert reopened.view["number"] >= page.view["number"]


async def begun_by_computer(device: Device, setup: Json) -> Page:
    """A page at a new table whose computer begins."""
    page = await Page.open(device, await device.make(setup))
    for _ in range(2):
        command = next_command(page.view, 0)
        assert command is not None
        await page.do(command)
    return page


@pytest.mark.parametrize("code", [OfflineCode.DEVICE_FULL, OfflineCode.DEVICE_REFUSED])
async def test_a_turn_of_a_computer_that_cannot_be_saved_is_reported_and_tried_again(code: OfflineCode) -> None:
    device = Device(engine=PlainEngine())
    page = await begun_by_computer(device, {**GREEDY, "first": 1})
    device.store.refusal = code
    number = page.view["number"]
    await device.play_on()
    assert [message["trouble"] for message in page.read()] == [code]
    assert page.view["number"] == number
    assert device.room.seconds_to_tick() == AGAIN
    await device.room.tick()
    assert page.read() == []
    device.now += AGAIN
    assert device.room.seconds_to_tick() == 0
    device.store.refusal = None
    await device.play_on()
    assert {message["trouble"] for message in page.read()} == {""}
    assert page.view["number"] > number


class Broken(PlainEngine):
    """An engine with an error that nobody expects."""

    def decide(self, *_: object) -> str | None:
        raise MemoryError

    def odds(self, *_: object) -> Json:
        raise MemoryError


async def test_an_unexpected_error_is_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    device = Device(engine=Broken())
    page = await begun_by_computer(device, {**GREEDY, "first": 1})
    await device.play_on()
    assert page.read()[-1]["trouble"] == "device-fault"
    assert device.room.seconds_to_tick() == AGAIN
    answer = await device.ask("POST", "/api/odds", {"game": "yamm"}, "de")
    assert (answer["status"], answer["json"]["error"]["code"]) == (500, "device-fault")
    assert "Server" not in answer["json"]["error"]["message"]
    device.store.append = None  # type: ignore[assignment,method-assign]  # a fault of the store
    assert (await page.do({"type": "resign"}))["error"]["code"] == "device-fault"
    assert "MemoryError" in caplog.text


async def test_a_damaged_table_says_so_and_blocks_nothing_else() -> None:
    """It is listed as running, and analyses do not wait for its end."""
    device = Device()
    page = await begun(device, HOT_SEAT, BOTH)
    rows = device.store.events[page.table]
    for damaged in ([*rows[:1], *rows[2:]], [rows[0]._replace(body="{"), *rows[1:]], rows[1:]):
        device.store.events[page.table] = damaged
        later = Device(device.store)
        later.room.open(1, page.table, "en")
        await later.room.receive(1, '{"type": "hello"}')
        assert [message["error"]["code"] for message in later.received[1]] == ["table-incomplete"]
        assert later.ended == {1: 4404}
        asked = {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1"}
        without = Device(device.store, PlainEngine())
        assert (await without.ask("POST", "/api/analysis", asked))["json"]["error"]["code"] == "no-evaluation"


async def test_a_game_whose_beginning_was_deleted_does_not_go_on() -> None:
    device = Device()
    page = await begun(device)
    device.store.events.clear()
    assert (await page.do({"type": "throw"}))["error"]["code"] == "table-incomplete"
    assert device.store.events == {}


async def test_a_connection_that_cannot_be_read_now_may_try_again() -> None:
    device = Device()
    table = await device.make(SOLITAIRE)
    later = Device(device.store)
    later.store.unreadable = OfflineCode.DEVICE_REFUSED
    later.room.open(1, table, "en")
    await later.room.receive(1, '{"type": "hello"}')
    assert [message["error"]["code"] for message in later.received[1]] == ["device-refused"]
    assert later.ended == {1: 1013}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"type": "fly"}', '{"type": "command"}', '{"type": "hello", "more": 1}'])
async def test_a_connection_without_a_hello_is_closed(text: str) -> None:
    device = Device()
    device.room.open(1, await device.make(SOLITAIRE), "de")
    await device.room.receive(1, text)
    assert [message["error"]["code"] for message in device.received[1]] == ["not-a-message"]
    assert device.ended == {1: 4400}


async def test_an_unknown_table_is_refused() -> None:
    device = Device()
    device.room.open(1, "0" * 20, "en")
    await device.room.receive(1, '{"type": "hello"}')
    assert device.ended == {1: 4404}


async def test_messages_after_the_hello() -> None:
    device = Device()
    page = await begun(device)
    await device.room.receive(1, '{"type": "ping"}')
    assert page.read() == [{"type": "pong"}]
    for text in ("nothing", '{"type": "hello"}', '{"type": "command", "id": "", "version": 1, "command": {"type": "throw"}}'):
        await device.room.receive(1, text)
        (refused,) = page.read()
        assert (refused["id"], refused["error"]["code"]) == (None, "not-a-message")
    device.room.closed(1)
    await device.room.receive(1, '{"type": "ping"}')
    assert page.read() == []
    assert device.room.seconds_to_tick() is None


async def test_what_needs_a_server_is_refused() -> None:
    answer = await Device().ask("GET", "/api/tables/0123456789abcdef0123/sheet.pdf", language="fr")
    assert (answer["status"], answer["json"]["error"]["code"]) == (404, "no-such-page")
