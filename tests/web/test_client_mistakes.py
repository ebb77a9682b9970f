"""Clients that send nonsense, or hang up: no errors in the log, and others notice nothing."""

import logging
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.web.raw_clients import (
    CONTINUATION,
    PING,
    PING_MESSAGE,
    POST,
    TEXT,
    frame,
    raw,
    raw_socket,
    round_trips,
    text_until_end,
    upgrade,
    watched,
)
from tests.web.serving import Json, serving

Attack = Callable[[str, Json], Awaitable[None]]


async def sent_after_hello(url: str, made: Json, *parts: bytes) -> None:
    async with raw_socket(url, made) as (reader, writer):
        for part in parts:
            writer.write(part)
        await text_until_end(reader)


def after_hello(*parts: bytes) -> Attack:
    return lambda url, made: sent_after_hello(url, made, *parts)


def instead_of_http(sent: bytes) -> Attack:
    async def attack(url: str, _: Json) -> None:
        async with raw(url, sent) as (reader, _writer):
            await text_until_end(reader)

    return attack


async def hang_up(url: str, made: Json) -> None:
    async with raw_socket(url, made) as (_, writer):
        writer.write(frame(TEXT, PING_MESSAGE) * 50)


async def close_in_the_middle_of_a_body(url: str, made: Json) -> None:  # noqa: ARG001 the same for every attack
    async with raw(url, POST + b"{") as (_reader, writer):
        await writer.drain()


async def oversized_after_command(url: str, made: Json) -> None:
    command = b'{"type":"command","id":"1","version":3,"command":{"type":"throw"}}'
    await sent_after_hello(url, made, frame(TEXT, command) * 3 + b"\x81\xff" + (2**40).to_bytes(8, "big") + bytes(100))


async def spoilt_compression(url: str, made: Json) -> None:
    async with raw_socket(url, made, "Sec-WebSocket-Extensions: permessage-deflate") as (reader, writer):
        writer.write(frame(TEXT, b"\xff\xff\xff", first_byte=0xC1))
        await text_until_end(reader)


TABLE = "/ws/tables/0123456789abcdefghijk"


IN_WEBSOCKETS: dict[str, Attack] = {
    "oversized": after_hello(b"\x81\xff" + (2**40).to_bytes(8, "big") + bytes(100)),
    "as-large-as-allowed": after_hello(b"\x81\xfe\xff\xff" + bytes(20), b"\x00" * 70_000),
    "oversized-after-command": oversized_after_command,
    "unknown-opcode": after_hello(b"\x83\x80" + bytes(4)),
    "unmasked": after_hello(b"\x81\x01x"),
    "not-utf8": after_hello(frame(TEXT, b"\xff")),
    "binary": after_hello(frame(2, b"x") + frame(8)),
    "continuation-of-nothing": after_hello(frame(CONTINUATION, b"x")),
    "two-beginnings": after_hello(frame(TEXT, b"x", last=False) * 2),
    "spoilt-close": after_hello(frame(8, b"\x00")),
    "after-close": after_hello(frame(8, struct.pack("!H", 1000)), frame(TEXT, b"x")),
    "reserved-close-code": after_hello(frame(8, struct.pack("!H", 5))),
    "ping-in-parts": after_hello(frame(PING, last=False)),
    "spoilt-compression": spoilt_compression,
    "hang-up": hang_up,
}
IN_REQUESTS: dict[str, Attack] = {
    "hang-up-in-a-body": close_in_the_middle_of_a_body,
    "not-http": instead_of_http(b"\x16\x03\x01 no http\r\n\r\n"),
    "no-host": instead_of_http(b"GET / HTTP/1.1\r\n\r\n"),
    "long-header": instead_of_http(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 70_000),
    "not-http-after-a-request": instead_of_http(POST + b"x" * 100 + b"\x00 no http\r\n\r\n"),
    "h2c": instead_of_http(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n"),
    "post-handshake": instead_of_http(upgrade(TABLE).replace(b"GET", b"POST")),
    "old-handshake": instead_of_http(upgrade(TABLE).replace(b"1.1", b"1.0")),
    "handshake-without-key": instead_of_http(upgrade(TABLE).replace(b"-Key", b"-Kay")),
    "wrong-version": instead_of_http(upgrade(TABLE).replace(b"13", b"12")),
    "many-headers": instead_of_http(upgrade(TABLE, *("X: y",) * 200)),
    "long-line": instead_of_http(upgrade(TABLE, "X: " + "y" * 12_000)),
    "spoilt-extensions": instead_of_http(upgrade(TABLE, "Sec-WebSocket-Extensions: ;;,=")),
    "handshake-with-a-body": instead_of_http(upgrade(TABLE, "Content-Length: 5") + b"hello"),
    "frames-before-the-answer": instead_of_http(upgrade(TABLE) + frame(TEXT, b"x" * 100)),
}


@pytest.mark.parametrize("attacks", [IN_WEBSOCKETS, IN_REQUESTS], ids=["websockets", "requests"])
async def test_mistakes_of_clients_are_no_errors_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, attacks: dict[str, Attack]
) -> None:
    told = {}
    async with serving(tmp_path, headers_within=0.3, body_within=0.3) as url, watched(url) as (made, calm):
        with caplog.at_level(logging.WARNING), capture_logs() as lines:
            for name, attack in attacks.items():
                await attack(url, made)
                await round_trips(calm, 3)
                told[name] = [record.getMessage() for record in caplog.records]
                caplog.clear()
    assert {name: messages for name, messages in told.items() if messages} == {}
    limits = [line["limit"] for line in lines if line["event"] not in ("request", "descriptors")]
    assert len(limits) == len(set(limits))
