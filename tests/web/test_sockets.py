"""A table over a WebSocket: updates, refusals and close codes."""

import asyncio
import gc
import json
import weakref
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from dicecup.web.websocket_protocol import WebSocketProtocol
from tests.web.serving import AGAINST_COMPUTER, SEED_HASH, TWO, Browser, handshake

COMMIT = {"type": "commit-seed", "hash": SEED_HASH}
WRONG_HELLOS = ({"since": -1}, {"key": 1}, {"language": "xx"})


async def test_the_first_update_is_the_whole_state_and_every_change_follows(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        first = await socket.receive("update")
        assert first["events"] == []
        assert first["view"]["you"] == [0]
        assert first["number"] == first["view"]["number"] == 3
        answer = await socket.do(COMMIT)
        assert answer == {"type": "done", "id": "c1", "number": 4}
        seen = await socket.up_to(4)
        assert [event["type"] for event in seen["events"]] == ["seed-committed"]
        assert seen["view"]["demand"]["what"] == "seeds"


async def test_an_update_and_the_answer_to_its_command_are_written_together_after_the_updates_of_others(
    anna: Browser, ben: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    after = '"number":4'
    write, flush = WebSocketProtocol._write, WebSocketProtocol._flush

    def noted_write(protocol: WebSocketProtocol, text: str) -> bool:
        if after in text:
            done.append(text[: text.index(",")])
        return write(protocol, text)

    def noted_flush(protocol: WebSocketProtocol) -> None:
        if after in (written := b"".join(protocol.conn.writes).decode(errors="replace")):
            done.append(written)
        flush(protocol)

    made = await anna.make()
    async with anna.socket(made["table"]) as hers, ben.socket(made["table"], {"key": made["watch_key"]}) as his:
        await hers.receive("update")
        await his.receive("update")
        monkeypatch.setattr(WebSocketProtocol, "_write", noted_write)
        monkeypatch.setattr(WebSocketProtocol, "_flush", noted_flush)
        await hers.do(COMMIT)
        await hers.up_to(4)
        await his.up_to(4)
    update, answer = '{"type":"update"', '{"type":"done"'
    first, of_ben, second, third, of_anna = done
    assert [first, second, third] == [update, update, answer]
    assert '"you":[]' in of_ben
    assert of_anna.index(update) < of_anna.index(answer)


async def test_an_update_leaves_out_unchanged_parts(anna: Browser) -> None:
    laid = {"sheets", "corrections", "history"}
    made = await anna.make({"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    async with anna.socket(made["table"]) as socket:
        first = await socket.receive("update")
        assert laid <= first["view"].keys()
        enter, keep, write = (
            {"type": "enter-dice", "dice": "13446"},
            *({"type": "act", "action": it} for it in ("k44", "f1.4")),
        )
        for number, (command, expected) in enumerate(
            ((enter, set()), (keep, set()), (enter | {"dice": "44456"}, set()), (write, laid))
        ):
            version = first["number"] + number
            await socket.send({"type": "command", "id": f"{number}", "version": version, "command": command})
            answers = {message["type"]: message for message in [json.loads(await socket.connection.recv()) for _ in range(2)]}
            assert answers["done"]["number"] == answers["update"]["view"]["number"] == version + 1
            assert answers["update"]["view"].keys() & laid == expected


async def test_two_people_see_the_same_events_and_their_own_views(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    async with anna.socket(made["table"]) as hers, ben.socket(made["table"], {"key": made["join_key"]}) as his:
        await hers.receive("update")
        assert (await his.receive("update"))["view"]["you"] == []
        assert (await his.do({"type": "sit", "name": "Ben"}))["type"] == "done"
        mine, other = await his.up_to(3), await hers.up_to(3)
        assert mine["events"] == other["events"]
        assert (mine["view"]["you"], other["view"]["you"]) == ([1], [0])
        assert mine["events"][0]["name"] == "Ben"
        assert "identity" not in json.dumps(hers.updates) + json.dumps(his.updates)


async def test_a_repeated_command_is_done_once(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        first = await socket.do(COMMIT, 3, "same")
        again = await socket.do(COMMIT, 3, "same")
        assert first == again
        assert (await anna.http.get(f"/api/tables/{made['table']}")).json()["number"] == first["number"]


async def test_a_command_for_an_earlier_table_is_refused_with_its_number(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        answer = await socket.do(COMMIT, 2)
        assert answer["type"] == "refused"
        assert (answer["error"]["code"], answer["error"]["number"]) == ("stale-version", 3)
        assert answer["error"]["message"]


async def test_a_returning_client_receives_exactly_the_gap(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"], {"since": 0}) as socket:
        await socket.receive("update")
        await socket.do(COMMIT)
        await socket.up_to(4)
        whole = socket.events
    assert [event["number"] for event in whole] == [1, 2, 3, 4]
    for since in range(5):
        async with anna.socket(made["table"], {"since": since}) as socket:
            assert (await socket.receive("update"))["events"] == whole[since:]


async def test_a_ping_is_answered(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.send({"type": "ping"})
        assert await socket.receive("pong") == {"type": "pong"}


@pytest.mark.parametrize(
    "message",
    [
        "",
        "[",
        "null",
        "[]",
        "{}",
        '"hello"',
        '{"type": "nothing"}',
        '{"type": ["command"]}',
        '{"type": "hello"}',
        '{"type": "ping", "more": 1}',
        '{"type": "command", "id": "1", "version": "3", "command": {"type": "throw"}}',
        '{"type": "command", "id": "1", "version": 3.5, "command": {"type": "throw"}}',
        '{"type": "command", "id": "1", "version": -1, "command": {"type": "throw"}}',
        '{"type": "command", "id": "1", "version": 99999999999, "command": {"type": "throw"}}',
        '{"type": "command", "id": "", "version": 3, "command": {"type": "throw"}}',
        '{"type": "command", "id": 1, "version": 3, "command": {"type": "throw"}}',
        '{"type": "command", "id": "1", "version": 3, "command": {"type": "throw", "seat": "0"}}',
        '{"type": "command", "id": "1", "version": 3, "command": {"type": "throw", "dice": "66666"}}',
        '{"type": "command", "id": "1", "version": 3, "command": {"type": "fly"}}',
        '{"type": "command", "id": "1", "version": 3, "command": null}',
        '{"type": "command", "id": "1", "version": NaN, "command": {"type": "throw"}}',
        '{"type": "command", "id": "\\ud800", "version": 3, "command": {"type": "throw"}}',
        "[" * 1000 + "]" * 1000,
        '{"a":' * 500 + "1" + "}" * 500,
        "x" * 4_000,
    ],
)
async def test_an_invalid_message_is_refused_without_closing(anna: Browser, message: str) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        await socket.send(message)
        refused = await socket.receive("refused")
        assert (refused["id"], refused["error"]["code"]) == (None, "not-a-message")
        assert (await socket.do(COMMIT))["type"] == "done"


@pytest.mark.parametrize(
    "command, code",
    [
        ({"type": "throw"}, "game-not-begun"),
        ({"type": "sit", "name": "x" * 41}, "table-full"),
        ({"type": "act", "action": "\x00" * 20}, "game-not-begun"),
        ({"type": "stand-up", "seat": 1}, "not-your-seat"),
        ({"type": "stand-up", "seat": 10**9}, "no-such-seat"),
        ({"type": "commit-seed", "hash": "é"}, "not-a-commitment"),
    ],
)
async def test_an_impossible_command_is_refused_with_its_code(anna: Browser, command: dict[str, object], code: str) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        answer = await socket.do(command)
        assert (answer["type"], answer["error"]["code"]) == ("refused", code)


@pytest.mark.parametrize(
    "message, code",
    [
        (b"\x00\x01", 1003),
        ("x" * 70_000, 1009),
        ("x" * 10_000_000, 1009),
    ],
)
async def test_some_messages_end_the_connection(anna: Browser, message: str | bytes, code: int) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        with suppress(ConnectionClosed):  # the server may close before the whole message was sent
            await socket.send(message)
        assert await socket.closed() == code
    assert (await anna.http.get("/health")).status_code == 200


async def test_a_binary_message_ends_the_connection(anna: Browser) -> None:
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        await socket.connection.send(b"\xff\xfe", text=True)
        assert await socket.closed() == 1007


@pytest.mark.parametrize("first", [{"type": "ping"}, "x", *({"type": "hello"} | wrong for wrong in WRONG_HELLOS)])
async def test_a_connection_begins_with_a_hello(anna: Browser, first: object) -> None:
    made = await anna.make()
    async with anna.socket(made["table"], {}) as socket:
        await socket.send(first)
        assert (await socket.receive())["error"]["code"] == "not-a-message"
        assert await socket.closed() == 4400


@pytest.mark.parametrize("hello", [{}, {"key": "x"}, {"key": "é"}])
async def test_a_table_is_hidden_without_its_key(anna: Browser, ben: Browser, hello: dict[str, str]) -> None:
    made = await anna.make(TWO)
    async with ben.socket(made["table"], {"type": "hello"} | hello) as socket:
        assert (await socket.receive())["error"]["code"] == "no-such-table"
        assert await socket.closed() == 4404


async def test_a_watcher_sees_the_table_and_cannot_act(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    async with ben.socket(made["table"], {"key": made["watch_key"]}) as socket:
        seen = await socket.receive("update")
        assert (seen["view"]["you"], seen["view"]["may"]) == ([], [])
        answer = await socket.do({"type": "sit", "name": "Ben"})
        assert answer["error"]["code"] == "not-your-seat"


async def test_a_client_without_identity_may_only_watch(anna: Browser) -> None:
    made = await anna.make(TWO)
    async with Browser(anna.url) as stranger, stranger.socket(made["table"], {"key": made["join_key"]}) as socket:
        await socket.receive("update")
        assert (await socket.do({"type": "sit", "name": "Ben"}))["error"]["code"] == "no-identity"


@pytest.mark.parametrize("path", ["/ws/tables/", "/ws/tables/x", "/ws/tables/%00", f"/ws/tables/{'0' * 21}", "/ws", "/"])
async def test_a_connection_to_an_unknown_table_is_refused(url: str, path: str) -> None:
    status, error = await handshake(url.replace("http", "ws") + path)
    assert (status, error["code"]) == (404, "no-such-page")


@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_refusals_use_the_language_of_the_browser(anna: Browser, language: str) -> None:
    from dicecup.locale import Messages

    made = await anna.make()
    headers = {"Accept-Language": f"xx, {language};q=0.8"}
    async with anna.socket(made["table"], None, **headers) as socket:
        answer = await socket.do(COMMIT, 2)
        assert answer["error"]["message"] == Messages(language)("error_stale_version")


async def test_the_language_of_the_hello_comes_first(anna: Browser) -> None:
    from dicecup.locale import Messages

    made = await anna.make()
    async with anna.socket(made["table"], {"language": "fr"}, **{"Accept-Language": "de"}) as socket:
        answer = await socket.do(COMMIT, 2)
        assert answer["error"]["message"] == Messages("fr")("error_stale_version")


async def test_names_with_markup_stay_plain_text(anna: Browser) -> None:
    name = '<script>alert("1")</script>&amp;\''
    made = await anna.make(AGAINST_COMPUTER, name)
    async with anna.socket(made["table"]) as socket:
        assert (await socket.receive("update"))["view"]["seats"][0]["name"] == name
    assert name.replace('"', '\\"') in (await anna.http.get(f"/api/tables/{made['table']}/record")).text
    page = await anna.http.get(f"/tables/{made['table']}")
    assert "alert" not in page.text


async def test_an_ended_connection_needs_no_garbage_collector(anna: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[asyncio.Event] = []
    made, connect = await anna.make(), WebSocketProtocol.connection_made

    def noted(protocol: WebSocketProtocol, transport: asyncio.Transport) -> None:
        freed.append(asyncio.Event())
        weakref.finalize(protocol, freed[-1].set)
        connect(protocol, transport)

    monkeypatch.setattr(WebSocketProtocol, "connection_made", noted)
    gc.collect()
    gc.disable()
    try:
        assert (await handshake(f"{anna.url.replace('http', 'ws')}/ws/tables/x"))[0] == 404
        async with anna.socket(made["table"]) as socket:
            await socket.receive("update")
        async with asyncio.timeout(60):
            await asyncio.gather(*(each.wait() for each in freed))
    finally:
        gc.enable()
    assert len(freed) == 2


async def test_only_a_silent_client_is_pinged(anna: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    protocols: list[WebSocketProtocol] = []
    made, connect = await anna.make(), WebSocketProtocol.connection_made

    def noted(protocol: WebSocketProtocol, transport: asyncio.Transport) -> None:
        protocols.append(protocol)
        connect(protocol, transport)

    monkeypatch.setattr(WebSocketProtocol, "connection_made", noted)
    async with anna.socket(made["table"]) as socket:
        await socket.receive("update")
        (protocol,) = protocols
        for interval, is_pinged in ((600.0, False), (0.0, True)):
            assert protocol.ping_timer is not None
            protocol.ping_timer.cancel()
            protocol.ping_interval = interval
            protocol.send_keepalive_ping()
            assert (protocol.pending_ping_payload is not None) is is_pinged
        protocol.ping_interval = 600.0
        for _ in range(2):  # the second comes after the answer to the server's ping
            await socket.send({"type": "ping"})
            await socket.receive("pong")
        assert protocol.pending_ping_payload is None
        assert protocol.ping_timer is not None
