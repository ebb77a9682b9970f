"""Compression of WebSocket messages: what a client reads, what memory it takes, and the bytes of a
whole game."""

import random
from functools import partial

import orjson
import pytest
from websockets.asyncio.client import connect
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, PerMessageDeflate
from websockets.frames import Frame, Opcode

from dicecup.hosting.publisher import event_json
from dicecup.hosting.subscribers import PublishedUpdate
from dicecup.table.commands import Act
from dicecup.table.views import Views
from dicecup.web.compression import SMALLEST, LastMessages, MessageDeflate, MessageDeflateFactory
from tests.table.tables import Table, people
from tests.web.serving import AGAINST_COMPUTER, Browser

MOST_BYTES = 700_000
"""Bytes of a game of Yamm for two with three throws in each turn, compressed."""
KEPT = 1_000_000


def agreed(offer: ClientPerMessageDeflateFactory, last: LastMessages) -> tuple[MessageDeflate, PerMessageDeflate]:
    """Return the extensions of the server and of a client with this offer."""
    answer, extension = MessageDeflateFactory(last).process_request_params(offer.get_request_params(), ())
    assert isinstance(extension, MessageDeflate)
    return extension, offer.process_response_params(answer, ())


def passed(message: bytes, server: MessageDeflate, client: PerMessageDeflate) -> int:
    """Send a message, check that the client reads it, and return the bytes sent."""
    sent = server.encode(Frame(Opcode.TEXT, message))
    size = len(sent.data)
    assert bytes(client.decode(sent).data) == message
    return size


def messages() -> list[bytes]:
    """Return all updates of a game of Yamm to one seat, whose players throw three times in each
    turn."""
    table, chance, before, told = Table(people("yamm")), random.Random(1), None, 0
    sent = []
    while True:
        views = Views(table.state, table.now, {}, before)
        events = tuple(event_json(event) for event in table.stored[told:])
        update = PublishedUpdate(table.state.number, events, dict, partial(views.changed, [0]))
        sent.append(update.text.encode())
        before, told = table.state, len(table.stored)
        if table.state.end is not None:
            return sent
        keeps = [action for action in map(str, table.state.position.actions) if action.startswith("k")]
        if keeps and table.state.pending.kind == "action":
            table.send(Act(chance.choice(keeps)), *table.state.pending.seats)
        else:
            table.step(chance)


def test_a_whole_game_of_yamm_is_small() -> None:
    server, client = agreed(ClientPerMessageDeflateFactory(), LastMessages())
    game = messages()
    plain, compressed = sum(map(len, game)), sum(passed(message, server, client) for message in game)
    assert len(game) > 2 * 99 * 4
    assert compressed < MOST_BYTES
    assert compressed < plain / 6


OFFERS = (
    ClientPerMessageDeflateFactory(),
    ClientPerMessageDeflateFactory(server_no_context_takeover=True),
    ClientPerMessageDeflateFactory(server_max_window_bits=9),
    ClientPerMessageDeflateFactory(client_max_window_bits=None),
)


@pytest.mark.parametrize("offer", OFFERS)
def test_a_client_reads_every_message(offer: ClientPerMessageDeflateFactory) -> None:
    chance = random.Random(3)
    server, client = agreed(offer, LastMessages(KEPT))
    for size in (5, SMALLEST, 5_000, 40_000, 10, 70_000, 3_000, SMALLEST - 1, 400):
        words = " ".join(str(chance.randrange(1000)) for _ in range(size // 4))
        passed(words.encode(), server, client)


def test_a_short_message_is_sent_as_it_is() -> None:
    server, _ = agreed(OFFERS[0], LastMessages())
    assert server.encode(Frame(Opcode.TEXT, b"x" * (SMALLEST - 1))).rsv1 is False
    assert server.encode(Frame(Opcode.TEXT, b"x" * SMALLEST)).rsv1 is True
    assert server.encode(Frame(Opcode.PING, b"x" * SMALLEST)).rsv1 is False


def test_the_first_message_and_those_of_ended_connections_are_not_kept() -> None:
    last = LastMessages()
    server, client = agreed(OFFERS[0], last)
    passed(b"a" * 1000, server, client)
    assert last.size == 0
    passed(b"b" * 2000, server, client)
    assert last.size == 2000
    passed(b"c" * 500, server, client)
    assert last.size == 500
    del server
    assert last.size == 0


def test_all_connections_keep_a_limited_number_of_bytes() -> None:
    last = LastMessages(3_500)
    pairs = [agreed(OFFERS[0], last) for _ in range(5)]
    for _ in range(3):
        for server, client in pairs:
            passed(random.Random(1).randbytes(500).hex().encode(), server, client)
            assert last.size <= 3_500


def test_a_client_that_wants_no_context_keeps_nothing_here() -> None:
    last = LastMessages()
    server, client = agreed(OFFERS[1], last)
    for _ in range(3):
        passed(b"d" * 1000, server, client)
    assert last.size == 0


async def test_a_table_is_followed_with_compression(anna: Browser) -> None:
    made = await anna.make(AGAINST_COMPUTER)
    url = f"{anna.url.replace('http', 'ws', 1)}/ws/tables/{made['table']}"
    async with connect(url, additional_headers={"Cookie": anna.cookie}) as connection:
        answer = connection.response
        assert answer is not None
        assert "client_no_context_takeover" in answer.headers["Sec-WebSocket-Extensions"]
        await connection.send('{"type": "hello"}')
        assert orjson.loads(await connection.recv())["view"]["you"] == [0]
        await connection.send('{"type": "ping"}')
        assert orjson.loads(await connection.recv()) == {"type": "pong"}
