"""Clients that send too much or too slowly, or that do not read: they are slowed down or cut, and
others notice nothing."""

import asyncio
import os
import re
import resource
import socket
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from structlog.testing import capture_logs

from dicecup.web import server
from dicecup.web.context import MESSAGE_BURST, PIECES_BURST
from dicecup.web.http_protocol import HttpProtocol
from dicecup.web.server import raise_descriptor_limit
from dicecup.web.websocket_protocol import BURST
from tests.web.raw_clients import (
    CONTINUATION,
    PING,
    PING_MESSAGE,
    PONG,
    POST,
    TEXT,
    frame,
    raw,
    raw_socket,
    round_trips,
    text_until_end,
    watched,
)
from tests.web.serving import AGAINST_COMPUTER, Browser, handshake, serving
from tests.web.test_pace import small_buffers

__all__ = ["small_buffers"]


async def limits(http: Any) -> dict[str, float]:
    """Return how often each limit was reached."""
    text = (await http.get("/metrics")).text
    return {name: float(value) for name, value in re.findall(r'dicecup_limits_total{limit="([\w-]+)"} (\S+)', text)}


# --- Frames ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "begin, flood, end",
    [
        (b"", frame(PING, b"x" * 125), b""),
        (b"", frame(PONG), b""),
        (frame(TEXT, PING_MESSAGE, last=False), frame(CONTINUATION, last=False), frame(CONTINUATION)),
        (frame(TEXT, b" ", last=False), frame(CONTINUATION, b" ", last=False), frame(CONTINUATION, PING_MESSAGE)),
    ],
    ids=["pings", "pongs", "empty-continuations", "tiny-continuations"],
)
async def test_every_frame_counts_before_it_is_parsed(tmp_path: Path, begin: bytes, flood: bytes, end: bytes) -> None:
    async with (
        serving(tmp_path, messages_per_second=5, messages_per_address=1000) as url,
        watched(url) as (made, calm),
        raw_socket(url, made) as (reader, writer),
    ):
        opened = monotonic()
        writer.write(begin + flood * 3000 + (end or frame(TEXT, PING_MESSAGE)))
        await round_trips(calm, 5)
        received = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                while piece := await reader.read(100_000):
                    received += piece
        assert b'"pong"' not in received
        assert received.count(bytes([0x80 + PONG, 125])) <= (BURST + monotonic() - opened) * 5


async def test_a_flood_of_frames_is_counted_in_the_metrics(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as url,
        watched(url) as (made, calm),
        Browser(url) as looking,
        raw_socket(url, made) as (_, writer),
    ):
        writer.write(frame(PING) * 100_000)
        await round_trips(calm, 20)
        assert (await limits(looking.http))["messages"] >= 1


@pytest.mark.usefixtures("small_buffers")
async def test_a_client_that_reads_nothing_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PING", 600.0)
    async with (
        serving(tmp_path, messages_per_second=10**9, messages_per_address=10**9) as url,
        watched(url) as (made, calm),
        raw_socket(url, made, SO_RCVBUF=4096, SO_SNDBUF=65536) as (_, writer),
    ):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        flood, sent, blocked = frame(PING, b"x" * 125) * 100, 0, 0
        with socket.socket(fileno=os.dup(writer.get_extra_info("socket").fileno())) as sending:
            sending.setblocking(False)
            while sent < 4_000_000 and blocked < 200:
                try:
                    sent += sending.send(flood)
                    blocked = 0
                except BlockingIOError:
                    blocked += 1
                    await round_trips(calm, 1)
        assert sent < 1_000_000


async def test_the_sockets_of_an_address_share_a_rate_limit(tmp_path: Path) -> None:
    rate = 20
    async with serving(tmp_path, messages_per_address=rate) as url, Browser(url) as anna:
        made = await anna.make(AGAINST_COMPUTER)
        key = {"key": made["watch_key"]}
        async with (
            anna.socket(made["table"], key, **{"X-Forwarded-For": "192.0.2.1"}) as one,
            anna.socket(made["table"], key, **{"X-Forwarded-For": "192.0.2.1"}) as two,
            anna.socket(made["table"], key, **{"X-Forwarded-For": "192.0.2.2"}) as calm,
        ):
            begun = monotonic()
            for _ in range(25):
                await one.send({"type": "ping"})
                await two.send({"type": "ping"})
            await round_trips(calm, 5)
            for each in (one, two):
                for _ in range(25):
                    await each.receive("pong")
            assert monotonic() - begun >= (2 + 50 - MESSAGE_BURST * rate) / rate - 0.1


# --- Requests -------------------------------------------------------------------------------------

GET = b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "sent, status, limit",
    [
        (b"GET / HT", "408", "headers-late"),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", "408", "headers-late"),
        (POST + b"{", "408", "body-late"),
        (b"", "", ""),
    ],
)
async def test_a_request_must_arrive_in_time(tmp_path: Path, sent: bytes, status: str, limit: str) -> None:
    async with serving(tmp_path, headers_within=0.2, body_within=0.2) as url, Browser(url) as looking:
        async with raw(url, sent) as (reader, _):
            answer = await text_until_end(reader)
        assert answer[9:12] == status
        assert ("too-late" in answer) == bool(status)
        assert (await limits(looking.http)).get(limit, 0) == bool(limit)


async def test_the_second_request_of_a_connection_must_arrive_in_time(tmp_path: Path) -> None:
    async with serving(tmp_path, headers_within=0.2) as url, raw(url, GET) as (reader, writer):
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"GET /api")
        assert "408" in await text_until_end(reader)


async def test_a_body_that_trickles_after_the_answer_ends_the_connection(tmp_path: Path) -> None:
    head = b"POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n"
    async with serving(tmp_path, body_within=0.2) as url, Browser(url) as other, raw(url, head) as (reader, writer):
        assert b" 404 " in await reader.readuntil(b"\r\n\r\n")
        ending = asyncio.create_task(text_until_end(reader))
        while not ending.done():
            writer.write(b"x")
            await other.http.get("/health")


async def test_a_body_without_a_length_is_refused(tmp_path: Path) -> None:
    sent = POST.replace(b"Content-Length: 100", b"Transfer-Encoding: chunked") + b"1\r\nx\r\n" * 100
    async with serving(tmp_path) as url, Browser(url) as looking:
        async with raw(url, sent) as (reader, _):
            answer = await text_until_end(reader)
        assert (answer[9:12], "no-length" in answer) == ("411", True)
        assert (await limits(looking.http))["not-http"] == 1


TRICKLED = b"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"


@pytest.mark.slow
async def test_the_pieces_of_all_connections_of_an_address_share_a_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate, connections, reads = 5, 20, 0
    monkeypatch.setattr("dicecup.web.context.PIECES_OF_ADDRESS", rate)
    read = HttpProtocol.data_received

    def counted(self: HttpProtocol, data: bytes) -> None:
        nonlocal reads
        reads += 1
        read(self, data)

    head = TRICKLED.replace(b": 2", b": 60000")
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(serving(tmp_path, proxies="192.0.2.1"))
        opened = [await stack.enter_async_context(raw(url, head)) for _ in range(connections)]
        monkeypatch.setattr(HttpProtocol, "data_received", counted)
        begun = monotonic()
        for _ in range(50):
            for _, writer in opened:
                writer.write(b"x")
            await asyncio.sleep(0.02)
        assert reads <= 2 * connections + (PIECES_BURST + monotonic() - begun) * rate


async def test_a_proxy_may_send_requests_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.web.context.PIECES_OF_ADDRESS", 1e-6)
    async with serving(tmp_path, proxies="127.0.0.1") as url:
        for _ in range(3):
            async with raw(url, TRICKLED) as (reader, writer), Browser(url) as other:
                await other.http.get("/health")
                writer.write(b"{")
                await other.http.get("/health")
                writer.write(b"}")
                async with asyncio.timeout(280):
                    assert b" 400 " in await reader.readuntil(b"\r\n\r\n")


@pytest.mark.slow
@pytest.mark.usefixtures("small_buffers")
async def test_a_client_that_does_not_read_its_answer_is_cut(tmp_path: Path) -> None:
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    async with (
        serving(tmp_path, read_within=0.2) as url,
        Browser(url) as looking,
        raw(url, asked, SO_RCVBUF=4096) as (_, writer),
    ):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(280):
            while not (await limits(looking.http)).get("not-read"):
                pass
        assert "dicecup_connections 1.0" in (await looking.http.get("/metrics")).text


@pytest.mark.parametrize(
    "settings, limit",
    [
        ({"connections_per_address": 3, "proxies": "192.0.2.1"}, "connections-of-address"),
        ({"connections": 3}, "connections"),
    ],
)
async def test_connections_are_limited(tmp_path: Path, settings: dict[str, Any], limit: str) -> None:
    async with serving(tmp_path, **settings) as url, Browser(url) as looking:
        assert (await looking.http.get("/health")).status_code == 200
        async with raw(url), raw(url), raw(url) as (third, _):
            answer = await text_until_end(third)
        assert (answer[9:12], "busy" in answer) == ("503", True)
        assert (await limits(looking.http))[limit] == 1
        async with asyncio.timeout(280):
            while "dicecup_connections 1.0" not in (await looking.http.get("/metrics")).text:
                pass
        async with raw(url, GET) as (reader, _):
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")


async def test_websockets_count_as_connections_until_they_are_closed(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, watched(url) as (made, calm), Browser(url) as looking:
        for _ in range(3):
            async with raw_socket(url, made):
                await round_trips(calm, 1)
        async with asyncio.timeout(280):
            while "dicecup_connections 3.0" not in (await looking.http.get("/metrics")).text:
                pass


def test_the_limit_of_descriptors_is_raised() -> None:
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before, 512), most))
    try:
        with capture_logs() as lines:
            limit = raise_descriptor_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == most
        assert limit >= 512
        assert [line["event"] for line in lines] == ["descriptors"]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


# --- Rates of requests ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/me", "/docs", "/schema.json", "/openapi.json", "/asyncapi.json", "/metrics", "/health"])
async def test_every_route_has_a_rate_limit(tmp_path: Path, path: str) -> None:
    one, other = (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.{at}\r\n\r\n".encode() for at in (1, 2))
    async with serving(tmp_path, requests_per_second=1) as url:
        async with raw(url, one * 100) as (reader, _):
            answers = (await text_until_end(reader)).lower()
        assert answers.count(" 429 ") == answers.count("retry-after: 1\r\n") == answers.count("connection: close\r\n") == 1
        assert answers.count("http/1.1 ") >= 11
        async with raw(url, other) as (reader, _):
            assert b" 429 " not in await reader.readuntil(b"\r\n\r\n")


async def test_the_rate_limit_of_files_lets_a_page_load(tmp_path: Path) -> None:
    asked = b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    async with serving(tmp_path, requests_per_second=1) as url, raw(url, asked * 500) as (reader, _):
        answers = await text_until_end(reader)
    assert answers.count(" 404 ") >= 100
    assert answers.count(" 429 ") == 1


async def test_handshakes_have_a_rate_limit(tmp_path: Path) -> None:
    async with serving(tmp_path, requests_per_second=1) as url:
        where = url.replace("http", "ws") + "/ws/tables/x"
        answer = await handshake(where)
        for _ in range(200):
            if answer[0] != 404:
                break
            answer = await handshake(where)
        assert (answer[0], answer[1]["code"]) == (429, "too-many-requests")
