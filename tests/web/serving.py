"""A server to ask: in this process with a loop of its own or the test's, or as the program that people start."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dicecup.web.config import Config
from dicecup.web.server import running
from tests.hosting.guests import settings

Json = dict[str, Any]
AGAINST_COMPUTER: Json = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]}
TWO: Json = {"game": "yam-master", "seats": [{}, {}]}
SEED_HASH = "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb"
"""Of the seed of 16 zero bytes."""


class Browser:
    """Somebody at a server: keeps cookies, says where it comes from, and opens connections."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=60)

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
        """At a table; the hello is said, unless it is empty."""
        cookies = {"Cookie": self.cookie} if self.http.cookies else {}
        url = f"{self.url.replace('http', 'ws', 1)}/ws/tables/{table}"
        async with connect(url, additional_headers=cookies | headers, compression=None, max_size=None) as connection:
            socket = Socket(connection)
            if hello != {}:
                await socket.say({"type": "hello"} | (hello or {}))
            yield socket


class Socket:
    """Messages as JSON; updates are kept in `updates`, their views whole."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.updates: list[Json] = []
        self.view: Json = {}
        self._count = 0

    async def say(self, message: object) -> None:
        await self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self, kind: str | None = None) -> Json:
        """The next message, or the next of this kind."""
        while True:
            message: Json = json.loads(await self.connection.recv())
            if message["type"] == "update":
                if message["view"]:
                    self.view = message["view"] = {**self.view, **message["view"]}
                self.updates.append(message)
            if kind in (None, message["type"]):
                return message

    async def do(self, command: Json, version: int | None = None, command_id: str | None = None) -> Json:
        """The answer to a command at the newest version that was seen."""
        self._count += 1
        named = command_id or f"c{self._count}"
        seen = self.updates[-1]["number"] if version is None else version
        await self.say({"type": "command", "id": named, "version": seen, "command": command})
        while True:
            answer = await self.hear()
            if answer.get("id") == named:
                return answer

    async def up_to(self, number: int) -> Json:
        """The newest update, once the table is at that number."""
        while not self.updates or self.updates[-1]["number"] < number:
            await self.hear()
        return self.updates[-1]

    async def closed(self) -> int | None:
        """The code with which the server ends it; what it says before is dropped."""
        try:
            while True:
                await self.connection.recv()
        except ConnectionClosed as ended:
            return ended.rcvd.code if ended.rcvd else None

    @property
    def events(self) -> list[Json]:
        return [event for update in self.updates for event in update["events"]]


@asynccontextmanager
async def serving(database: str | Path, **changed: Any) -> AsyncIterator[str]:
    """A server in this loop; its URL. A folder stands for a database in it."""
    url = f"sqlite:///{database / 'tables.sqlite'}" if isinstance(database, Path) else database
    given: Json = {"host": "127.0.0.1", "port": 0, "requests_per_second": 10_000}
    config = Config(**(given | changed))
    async with running(settings(url), config) as (server, _):
        listening = server.listening
        task = asyncio.create_task(server.serve())
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


class Program:
    """`dicecup serve` in a process of its own, on a port that stays the same when it is started again."""

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
        told = await asyncio.to_thread(self._process.stdout.readline)
        assert told, self.log
        self.port = int(told.strip().rpartition(":")[2])

    @property
    def computing(self) -> int:
        """How many processes compute for it (Linux)."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text("ascii").split()
        return sum(b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8")

    async def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Its exit code."""
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
    """The status and the error of a handshake that is refused."""
    try:
        async with connect(url, additional_headers=headers):
            raise AssertionError("it was not refused")
    except InvalidStatus as refused:
        error: Json = json.loads(refused.response.body or b"{}").get("error", {})
        return refused.response.status_code, error
