"""Servers for tests, in this process or as the program `dicecup serve`, and their clients."""

import asyncio
import json
import os
import signal
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import httpx
import uvicorn.server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import Rated
from dicecup.web.config import Config
from dicecup.web.server import running
from tests.hosting.guests import settings

Json = dict[str, Any]
AGAINST_COMPUTER: Json = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]}
TWO: Json = {"game": "yam-master", "seats": [{}, {}]}
CERTIFICATES = ssl.create_default_context()
"""For all clients: reading it takes 20 ms of CPU."""
SEED_HASH = "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb"
"""Commitment of the seed of 16 zero bytes."""


async def _nap(seconds: float) -> None:
    await asyncio.sleep(min(seconds, 0.01))


# Uvicorn looks ten times a second whether it should end, and waits as long before it does. Hundreds
# of tests end a server.
uvicorn.server.asyncio = SimpleNamespace(**vars(asyncio) | {"sleep": _nap})  # type: ignore[assignment, attr-defined]


class Browser:
    """Client of a server that keeps cookies, sends the given headers and opens WebSockets."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self.url = url
        limits = httpx.Limits(keepalive_expiry=1)  # the server closes idle connections after 5 s
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=280, limits=limits, verify=CERTIFICATES)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    async def make(self, setup: Json = AGAINST_COMPUTER, name: str = "Anna") -> Json:
        answer = await self.http.post("/api/tables", json={"setup": setup, "name": name})
        assert answer.status_code == 201, answer.text
        made: Json = answer.json()
        return made

    @asynccontextmanager
    async def socket(self, table: str, hello: Json | None = None, **headers: str) -> AsyncIterator["Socket"]:
        """Open a WebSocket to a table and send the hello, unless it is empty."""
        async with self.connected(f"/ws/tables/{table}", **headers) as socket:
            if hello != {}:
                await socket.send({"type": "hello"} | (hello or {}))
            yield socket

    @asynccontextmanager
    async def connected(self, path: str, **headers: str) -> AsyncIterator["Socket"]:
        """Open a WebSocket."""
        cookies = {"Cookie": self.cookie} if self.http.cookies else {}
        url = f"{self.url.replace('http', 'ws', 1)}{path}"
        async with connect(url, additional_headers=cookies | headers, compression=None, max_size=None) as connection:
            yield Socket(connection)


class Socket:
    """WebSocket with JSON messages. `updates` holds all received updates with whole views, `last`
    the last message."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.updates: list[Json] = []
        self.view: Json = {}
        self.last: Json = {}
        self._count = 0

    async def send(self, message: object) -> None:
        await self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def receive(self, kind: str | None = None) -> Json:
        """Return the next message, or the next of this kind."""
        while True:
            message: Json = json.loads(await self.connection.recv())
            self.last = message
            if message["type"] == "update":
                if message["view"]:
                    self.view = message["view"] = {**self.view, **message["view"]}
                self.updates.append(message)
            if kind in (None, message["type"]):
                return message

    async def do(self, command: Json, version: int | None = None, command_id: str | None = None) -> Json:
        """Send a command and return its answer. The default version is the newest
        received number."""
        self._count += 1
        named = command_id or f"c{self._count}"
        seen = self.updates[-1]["number"] if version is None else version
        await self.send({"type": "command", "id": named, "version": seen, "command": command})
        while True:
            answer = await self.receive()
            if answer.get("id") == named:
                return answer

    async def up_to(self, number: int) -> Json:
        """Wait for an update with at least this number and return the newest update."""
        while not self.updates or self.updates[-1]["number"] < number:
            await self.receive()
        return self.updates[-1]

    async def closed(self) -> int | None:
        """Return the close code of the server. Messages before it are dropped."""
        try:
            while True:
                await self.connection.recv()
        except ConnectionClosed as ended:
            return ended.rcvd.code if ended.rcvd else None

    @property
    def events(self) -> list[Json]:
        return [event for update in self.updates for event in update["events"]]


@asynccontextmanager
async def serving(database: str | Path, *, rated: Rated = "accounts", **changed: Any) -> AsyncIterator[str]:
    """Run a server in this event loop and yield its URL. For a folder, use an SQLite file in it.
    `clock` is another clock than that of the system, all others are settings.

    The event loop of a test is busy for seconds where the cores are, which is no outage here.
    """
    url = f"sqlite:///{database / 'tables.sqlite'}" if isinstance(database, Path) else database
    clock: ServerClock | None = changed.pop("clock", None)
    given: Json = {"host": "127.0.0.1", "port": 0, "requests_per_second": 10_000}
    config = Config(**(given | changed))
    async with running(settings(url, silence=60.0, rated=rated), config, clock=clock) as (server, _):
        listening = server.listening
        task = asyncio.create_task(server.serve())
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


class Program:
    """`dicecup serve` in its own process. A restart keeps the port."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = 0
        self.environment = os.environ | {"DICECUP_DATA": str(folder), "DICECUP_PROCESSES": "1"} | environment
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        program = Path(sys.executable).with_name("dicecup")
        with (self.folder / "log").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220 starting it is quick
                [program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--lang", "en"],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = await asyncio.to_thread(self._process.stdout.readline)
        assert line, self.log
        self.port = int(line.strip().rpartition(":")[2])

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def computing(self) -> int:
        """Return the number of pool processes of the server (Linux only)."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text("ascii").split()
        return sum(b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8")

    async def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, wait for the end of the process and return its exit code."""
        assert self._process is not None
        self._process.send_signal(how)
        code = await asyncio.to_thread(self._process.wait)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return code

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None:
            await self.end(signal.SIGKILL)


async def handshake(url: str, **headers: str) -> tuple[int, Json]:
    """Return the status and the error of a refused handshake."""
    try:
        async with connect(url, additional_headers=headers):
            raise AssertionError("the handshake was not refused")
    except InvalidStatus as refused:
        error: Json = json.loads(refused.response.body or b"{}").get("error", {})
        return refused.response.status_code, error
