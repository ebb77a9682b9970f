"""The lobby over WebSocket: what people see of it, how two strangers get to a table, and what is
refused."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from jsonschema import Draft202012Validator

from dicecup.hosting.lobby import seeks
from dicecup.web import schemas
from dicecup.web.server import PING
from dicecup.web.websocket_protocol import LOBBY_PING, WebSocketProtocol
from tests.web.serving import TWO, Browser, Json, Socket, handshake


@asynccontextmanager
async def lobby(browser: Browser) -> AsyncIterator[Socket]:
    """Open a WebSocket to the lobby and send the hello."""
    async with browser.connected("/ws/lobby") as socket:
        await socket.send({"type": "hello"})
        yield socket


def seeking(number: int = 1, **more: object) -> Json:
    return {"type": "seek", "id": f"s{number}", "game": "yam-master", "name": "Anna"} | more


async def sought(socket: Socket) -> Json:
    """Return the next seek that is not waiting for an opponent."""
    while (await socket.receive("seek"))["seek"]["table"] is None:
        pass
    return socket.last["seek"]  # type: ignore[no-any-return]


async def test_a_person_in_the_lobby_is_pinged_seldom_and_a_player_often(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    protocols: list[WebSocketProtocol] = []
    start = WebSocketProtocol.start_keepalive

    def noted(protocol: WebSocketProtocol) -> None:
        protocols.append(protocol)
        start(protocol)

    monkeypatch.setattr(WebSocketProtocol, "start_keepalive", noted)
    async with Browser(url) as anna, lobby(anna) as socket:
        await socket.receive("lobby")
        made = await anna.make()
        async with anna.socket(made["table"]) as table:
            await table.receive("update")
            assert [each.ping_interval for each in protocols] == [LOBBY_PING, PING]


async def test_two_strangers_find_each_other_and_play(url: str) -> None:
    definitions = schemas.json_schema()["$defs"]
    validator = Draft202012Validator({"$ref": "#/$defs/LobbyFromServer", "$defs": definitions})
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Browser(url)) for _ in range(2)]
        sockets = []
        for number, person in enumerate(people):
            await person.http.get("/api/me")
            sockets.append(await stack.enter_async_context(lobby(person)))
            validator.validate(await sockets[-1].receive("lobby"))
            await sockets[-1].send(seeking(number, name=("Anna", "Ben")[number]))
        found = [await sought(socket) for socket in sockets]
        validator.validate(sockets[0].last)
        assert found[0]["table"] == found[1]["table"]
        table = found[0]["table"]
        for person, socket in zip(people, sockets, strict=True):
            async with person.socket(table) as at_table:
                await at_table.receive("update")
                assert [seat["name"] for seat in at_table.view["seats"]] == ["Anna", "Ben"]
            await socket.send({"type": "arrive", "table": table})
        for socket in sockets:
            while (await socket.receive("seek"))["seek"] is not None:
                pass


async def test_a_public_table_is_listed_until_it_is_full(anna: Browser, ben: Browser) -> None:
    by_link = await anna.make(TWO)
    made = await anna.make(TWO | {"listing": {"level": "casual"}})
    async with anna.socket(made["table"]) as annas, lobby(ben) as socket:
        await annas.receive("update")  # she is there
        listed = (await socket.receive("lobby"))["tables"]
        assert [(table["table"], table["key"], table["level"]) for table in listed] == [
            (made["table"], made["join_key"], "casual")
        ]
        assert by_link["join_key"] not in str(listed)
        async with ben.socket(made["table"], {"key": listed[0]["key"]}) as at_table:
            await at_table.receive("update")
            assert (await at_table.do({"type": "sit", "name": "Ben"}))["type"] == "done"
        assert (await socket.receive("lobby"))["gone"] == [made["table"]]


async def test_a_browser_without_an_identity_looks_and_cannot_seek(url: str) -> None:
    async with Browser(url) as new, lobby(new) as socket:
        assert (await socket.receive("lobby"))["people"] == 1
        await socket.send(seeking())
        refused = await socket.receive("refused")
        assert (refused["id"], refused["error"]["code"]) == ("s1", "no-identity")


@pytest.mark.parametrize(
    "more, code",
    [
        ({"game": "yamm(players=3)"}, "wrong-number-of-seats"),
        ({"game": "chess"}, "not-a-game"),
        ({"name": "A\u202en"}, "hidden-in-name"),
        ({"clock": {"kind": "turn", "seconds": 1}}, "not-a-clock"),
        ({"elo": 1500}, "not-a-message"),
    ],
)
async def test_a_faulty_request_is_refused_and_the_connection_stays(ben: Browser, more: Json, code: str) -> None:
    async with lobby(ben) as socket:
        await socket.send(seeking(1, **more))
        assert (await socket.receive("refused"))["error"]["code"] == code
        await socket.send({"type": "ping"})
        await socket.receive("pong")


async def test_who_leaves_between_pairing_and_sitting_down_gives_the_other_the_place_back(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeks, "ARRIVE_WITHIN", 1e6)
    async with AsyncExitStack() as stack:
        anna, ben = [await stack.enter_async_context(Browser(url)) for _ in range(2)]
        for person in (anna, ben):
            await person.http.get("/api/me")
        async with lobby(anna) as annas:
            await annas.send(seeking(1))
            since = (await annas.receive("seek"))["seek"]["since"]
            async with lobby(ben) as bens:
                await bens.send(seeking(2, name="Ben"))
                table = (await sought(bens))["table"]
            assert (await sought(annas))["table"] == table
            await annas.send({"type": "arrive", "table": table})
            await annas.send({"type": "ping"})
            await annas.receive("pong")  # she has arrived; now his time is over
            monkeypatch.setattr(seeks, "ARRIVE_WITHIN", 0.0)
            while (await annas.receive("seek"))["code"] != "opponent-left":
                pass
            assert (annas.last["seek"]["since"], annas.last["seek"]["table"]) == (since, None)
        async with lobby(ben) as bens:
            left = await bens.receive("seek")
            assert (left["seek"], left["code"]) == (None, "seat-missed")
        closed = (await anna.http.get(f"/api/tables/{table}")).json()["view"]
        assert closed["result"] is not None


async def test_the_lobby_begins_with_a_hello(ben: Browser) -> None:
    async with ben.connected("/ws/lobby") as socket:
        await socket.send(seeking())
        assert (await socket.receive("refused"))["error"]["code"] == "not-a-message"
        assert await socket.closed() == 4400


async def test_there_is_no_other_lobby(url: str) -> None:
    status, error = await handshake(f"{url.replace('http', 'ws', 1)}/ws/lobby/1")
    assert (status, error["code"]) == (404, "no-such-page")
