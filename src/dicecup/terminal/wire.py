"""The way to a table on a server: a client that lives in a thread of its own, so that it stays connected while somebody thinks."""

import asyncio
import json
import os
import queue
from collections.abc import Coroutine, Mapping
from pathlib import Path
from secrets import token_hex
from threading import Thread
from typing import Any, Final, TypeVar

from dicecup.client import Client, RemoteTable, ServerRefusal, TableLink, TableUpdate
from dicecup.core.errors import DicecupError
from dicecup.table.commands import Command

Answer = TypeVar("Answer")
TOKENS: Final = "servers.json"


class Wire:
    """Everything here waits: for an answer, or for the next update. Raises `DicecupError`, whatever is asked."""

    def __init__(self, link: TableLink, tokens: Path, language: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._updates: queue.SimpleQueue[TableUpdate | DicecupError] = queue.SimpleQueue()
        self._following: asyncio.Task[None] | None = None
        self._table: RemoteTable | None = None
        self._client = self.wait(_enter(link, tokens, language))
        self.move(link.table, link.key)

    def move(self, table: str, key: str | None) -> None:
        """Follows this table, from its first event on, and no other any more."""
        self._updates = queue.SimpleQueue()
        self.wait(self._follow(table, key, self._updates))

    def send(self, command: Command, version: int) -> int:
        """The number of the last event that the command made."""
        assert self._table is not None
        return self.wait(self._table.send(command, version=version))

    def update(self) -> TableUpdate:
        """The next one, as soon as there is one."""
        found = self._updates.get()
        if isinstance(found, DicecupError):
            raise found
        return found

    def update_within(self, seconds: float) -> TableUpdate | None:
        """The next one, if it comes so soon."""
        try:
            found = self._updates.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(found, DicecupError):
            raise found
        return found

    def look(self, table: str) -> Mapping[str, Any]:
        """The view of a table at which somebody here sits."""
        return self.wait(self._client.look(table))

    def next(self, table: str, key: str | None) -> TableLink:
        """The link to watch what is played after this table."""
        return self.wait(self._client.next(table, key=key))

    def waiting(self) -> bool:
        """Whether there is one already."""
        return not self._updates.empty()

    def record(self, table: str, key: str | None) -> str:
        """The record as the server has it."""
        return self.wait(self._client.record(table, key=key))

    def wait(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """What the client answers."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Hangs up."""
        self.wait(self._leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _follow(self, table: str, key: str | None, updates: "queue.SimpleQueue[TableUpdate | DicecupError]") -> None:
        await self._hang_up()
        self._table = self._client.table(table, key=key, since=0)
        await self._table.__aenter__()
        self._following = asyncio.create_task(_pass_on(self._table, updates))

    async def _hang_up(self) -> None:
        if self._following is not None:
            self._following.cancel()
        if self._table is not None:
            await self._table.__aexit__(None, None, None)

    async def _leave(self) -> None:
        await self._hang_up()
        await self._client.__aexit__(None, None, None)


async def _pass_on(table: RemoteTable, updates: "queue.SimpleQueue[TableUpdate | DicecupError]") -> None:
    try:
        async for update in table:
            updates.put(update)
    except DicecupError as error:
        updates.put(error)


async def _enter(link: TableLink, tokens: Path, language: str) -> Client:
    """As whoever this keyboard was at that server before; as somebody new where the server does not know them any more."""
    known = _tokens(tokens)
    client = Client(link.url, token=known.get(link.url), language=language)
    await client.__aenter__()
    try:
        await client.tables()
    except ServerRefusal as error:
        await client.__aexit__(None, None, None)
        if error.code != "not-a-token":
            raise
        client = Client(link.url, language=language)
        await client.__aenter__()
    if client.token is not None and known.get(link.url) != client.token:
        _keep(tokens, {**known, link.url: client.token})
    return client


def _tokens(path: Path) -> dict[str, str]:
    """Server → the token of this keyboard there."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(path: Path, tokens: Mapping[str, str]) -> None:
    """For the next time, and for nobody else's eyes."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_name(f".{path.name}.{token_hex(4)}")
        with os.fdopen(os.open(scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            json.dump(tokens, file)
        scratch.replace(path)
    except OSError:
        return  # then it is somebody new the next time
