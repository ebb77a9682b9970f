"""Clients that send bytes of their own, in place of a browser."""

import asyncio
import os
import socket
import struct
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.web.serving import AGAINST_COMPUTER, Browser, Json, Socket

TEXT, CONTINUATION, PING, PONG = 1, 0, 9, 10
PING_MESSAGE = b'{"type":"ping"}'
POST = b"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
"""The head of a request whose body of 100 bytes is to follow."""


def frame(opcode: int, data: bytes = b"", *, last: bool = True, first_byte: int = 0) -> bytes:
    """Return a frame of a client with the mask 0."""
    length = len(data)
    size = bytes([128 + length]) if length < 126 else b"\xfe" + struct.pack("!H", length)
    return bytes([first_byte or (128 if last else 0) + opcode]) + size + bytes(4) + data


@asynccontextmanager
async def raw(
    url: str, request: bytes = b"", **options: int
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a TCP connection with these socket options, and send the bytes of `request`."""
    connected = socket.socket()
    for name, value in options.items():
        connected.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
    connected.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connected, ("127.0.0.1", int(url.rpartition(":")[2])))
    reader, writer = await asyncio.open_connection(sock=connected)
    try:
        writer.write(request)
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


def upgrade(path: str, *lines: str) -> bytes:
    """Return the request of a handshake."""
    key = b64encode(os.urandom(16)).decode()
    given = ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *lines]
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *given, "", ""]).encode()


@asynccontextmanager
async def raw_socket(
    url: str, made: Json, *lines: str, **options: int
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a WebSocket that watches a table, as a stream of bytes."""
    async with raw(url, upgrade(f"/ws/tables/{made['table']}", *lines), **options) as (reader, writer):
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(TEXT, b'{"type":"hello","key":"%s"}' % made["watch_key"].encode()))
        assert await reader.read(1)
        yield reader, writer


@asynccontextmanager
async def watched(url: str) -> AsyncIterator[tuple[Json, Socket]]:
    """Make a table and yield it with the connection of its owner."""
    async with Browser(url) as anna:
        made = await anna.make(AGAINST_COMPUTER)
        async with anna.socket(made["table"]) as calm:
            await calm.receive("update")
            yield made, calm


async def round_trips(calm: Socket, count: int) -> None:
    for _ in range(count):
        await calm.send({"type": "ping"})
        await calm.receive("pong")


async def text_until_end(reader: asyncio.StreamReader) -> str:
    with suppress(ConnectionError):
        return (await reader.read(100_000)).decode(errors="replace") + (await reader.read()).decode(errors="replace")
    return ""
