"""A table on a server: updates come in, commands go out, and a broken connection is replaced
without a gap."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass
from random import uniform
from secrets import token_hex
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from dicecup.client.client_errors import ClientCode, ClientError, ServerRefusal
from dicecup.client.seat_agent import Choose, SeatAgent
from dicecup.core.errors import DicecupError
from dicecup.core.shown_url import shown_url
from dicecup.table.commands import Command, React, Say, Write, command_to_json
from dicecup.table.talk import Phrase, Reaction

SHORTEST_DELAY: Final = 0.1
LONGEST_DELAY: Final = 5.0
"""Seconds between two attempts to connect. The delay doubles from the shortest to the longest."""
LARGEST_MESSAGE: Final = 2**23
FINAL_CLOSE_CODES: Final = (1003, 1007, 1009, 4400, 4401, 4403, 4404)
"""Close codes after which a new connection would end in the same way (docs/protocol.md)."""
RETRIED: Final = ("storage-down", "storage-full", "busy")
"""Codes of refusals after which the command is sent again."""
TOO_LATE: Final = ("stale-version", "not-your-turn", "game-over")
"""Codes of the refusals of a command that came too late."""
UNREADABLE: Final = "not-a-message"
"""Code of the refusal of a command whose id the server could not read."""


@dataclass(frozen=True, slots=True)
class TableUpdate:
    """Change of a table: the `number` of its last event, the `events` since the last update, and
    the whole `view`.

    Events and view are described in docs/protocol.md. While the server cannot serve the table,
    `trouble` is the code of the reason and the view is empty.
    """

    number: int
    events: tuple[Mapping[str, Any], ...]
    view: Mapping[str, Any]
    trouble: str = ""


@dataclass(slots=True)
class _Sent:
    """A command without an answer."""

    id: str
    message: str
    answer: asyncio.Future[int]


class RemoteTable:
    """Asynchronous context manager that `Client.table` returns. Iterating it yields every update
    exactly once."""

    def __init__(self, url: str, headers: Mapping[str, str], key: str | None, since: int | None) -> None:
        self._url = url
        self._headers = headers
        self._key = key
        self._since = since
        self._newest = since or 0
        self._connecting = True
        """Whether no update of this connection has come yet."""
        self._view: Mapping[str, Any] = {}
        self._updates: asyncio.Queue[TableUpdate | DicecupError] = asyncio.Queue()
        self._pending: dict[str, _Sent] = {}
        self._unanswered: list[str] = []
        """Ids of the commands that were sent over this connection, in order."""
        self._connection: ClientConnection | None = None
        self._refusal: ServerRefusal | None = None
        self._ended: DicecupError | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._spawn(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._end(ClientError(ClientCode.LEFT))

    @property
    def number(self) -> int:
        """Return the greatest known event number. An update with a smaller number is outdated."""
        return self._newest

    async def __aiter__(self) -> AsyncIterator[TableUpdate]:
        """Yield the first view of the table and every change.

        Raises `ServerRefusal` if the server refuses the connection for good, and `ClientError`.
        """
        while True:
            update = await self._updates.get()
            if not isinstance(update, TableUpdate):
                self._updates.put_nowait(update)
                raise update
            yield update

    async def send(self, command: Command, *, version: int | None = None) -> int:
        """Send a command and return the number of the last event that it made.

        `version` is the number of the view that the command answers, by default the newest known
        one. If the connection breaks, the command is sent again; the server handles it once. Raises
        `ServerRefusal` and `ClientError`.
        """
        if self._ended is not None:
            raise self._ended
        command_id = token_hex(8)
        message = {
            "type": "command",
            "id": command_id,
            "version": self._newest if version is None else version,
            "command": command_to_json(command),
        }
        sent = _Sent(command_id, json.dumps(message), asyncio.get_running_loop().create_future())
        self._pending[command_id] = sent
        try:
            await self._transmit(sent)
            return await sent.answer
        finally:
            self._pending.pop(command_id, None)

    async def play(self, choose: Choose) -> Mapping[str, Any]:
        """Play the seats of this identity until the game is over, and return the last view.

        `choose` returns one of `view["actions"]`, or `None` to resign. Real dice are not entered.
        Call it once for a table: it iterates the updates. Raises `ServerRefusal` and `ClientError`.
        """
        agent = SeatAgent()
        async for update in self:
            if not update.view or update.number < self.number:
                continue
            if update.view["result"]:
                return update.view
            if command := agent.command(update.view, choose):
                try:
                    await self.send(command, version=update.number)
                except ServerRefusal as refusal:
                    if refusal.code not in TOO_LATE:
                        raise
        raise ClientError(ClientCode.LEFT)

    async def say(self, phrase: Phrase) -> int:
        """Say a quick phrase to the others at the table. Returns and raises as `send`."""
        return await self.send(Say(phrase))

    async def react(self, reaction: Reaction) -> int:
        """React on the last throw. Returns and raises as `send`; without a throw the refusal is
        `no-such-throw`."""
        throw = self._view.get("throw")
        return await self.send(React(reaction, throw["number"] if throw else 0))

    async def write(self, text: str) -> int:
        """Write a text to the others, once all people allow it. Returns and raises as `send`."""
        return await self.send(Write(text))

    # --- The connection ---------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connect again whenever the connection ends, with an increasing random delay."""
        delay = SHORTEST_DELAY
        try:
            while True:
                if await self._connect():
                    delay = SHORTEST_DELAY
                await asyncio.sleep(uniform(delay / 2, delay))
                delay = min(2 * delay, LONGEST_DELAY)
        except DicecupError as error:
            self._end(error)

    async def _connect(self) -> bool:
        """Open a connection, receive until it ends, and return whether a message came.

        Raises `ServerRefusal` and `ClientError` if a new connection would end in the same way.
        """
        received = False
        try:
            async with connect(
                self._url, additional_headers=self._headers, compression=None, max_size=LARGEST_MESSAGE, user_agent_header=None
            ) as connection:
                await self._send_hello(connection)
                async for text in connection:
                    received = True
                    self._receive(json.loads(text))
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.code in FINAL_CLOSE_CODES:
                raise self._refusal or ClientError(ClientCode.LEFT, why=error.rcvd.code) from None
        except InvalidStatus as error:
            self._raise_final_refusal(error)
        except (OSError, InvalidHandshake):  # a timeout is an OSError
            pass
        finally:
            self._connection = None
        return received

    async def _send_hello(self, connection: ClientConnection) -> None:
        """Send the number of the last known event, and all commands without an answer again."""
        await connection.send(json.dumps({"type": "hello", "since": self._since, "key": self._key}))
        self._connection, self._unanswered, self._connecting = connection, [], True
        for sent in list(self._pending.values()):
            self._unanswered.append(sent.id)
            await connection.send(sent.message)

    def _receive(self, message: Mapping[str, Any]) -> None:
        """Handle a message of the server. Unknown types are ignored."""
        match message["type"]:
            case "update":
                self._receive_update(message)
            case "done":
                self._forget(message["id"])
                self._newest = max(self._newest, message["number"])
                if (sent := self._pending.get(message["id"])) is not None and not sent.answer.done():
                    sent.answer.set_result(message["number"])
            case "refused":
                self._receive_refusal(message["id"], message["error"])
            case _:
                pass  # a later server may send other messages

    def _receive_update(self, message: Mapping[str, Any]) -> None:
        """Merge the changes into the view and queue the update.

        An update with `trouble` does not change the number of the last known event.
        """
        if not message["trouble"]:
            self._since = message["number"]
            # The log of a server that was restored from a backup has gone back.
            self._newest = message["number"] if self._connecting else max(self._newest, message["number"])
            self._connecting = False
        self._view = {**self._view, **(message["view"] or {})}
        view = self._view if message["view"] else {}
        self._updates.put_nowait(TableUpdate(message["number"], tuple(message["events"]), view, message["trouble"]))

    def _receive_refusal(self, command_id: str | None, error: Mapping[str, Any]) -> None:
        """Fail the waiting command with a refusal, or send it again if the code is in `RETRIED`.

        A refusal that belongs to no command is kept and raised when the server closes the
        connection.
        """
        refusal = ServerRefusal.from_json(error)
        if command_id is None and refusal.code == UNREADABLE and self._unanswered:
            command_id = self._unanswered[0]  # the server answers in order
        if command_id is None:
            self._refusal = refusal
            return
        self._forget(command_id)
        if (sent := self._pending.get(command_id)) is not None and not sent.answer.done():
            if refusal.code in RETRIED:
                self._spawn(self._send_again(sent))
            else:
                sent.answer.set_exception(refusal)

    def _forget(self, command_id: str) -> None:
        if command_id in self._unanswered:
            self._unanswered.remove(command_id)

    async def _send_again(self, sent: _Sent) -> None:
        await asyncio.sleep(uniform(0.5, 1.5))
        if not sent.answer.done():
            await self._transmit(sent)

    async def _transmit(self, sent: _Sent) -> None:
        """Send a command now if there is a connection. The next hello sends all others."""
        if self._connection is not None:
            self._unanswered.append(sent.id)
            try:
                await self._connection.send(sent.message)
            except ConnectionClosed:
                return

    def _raise_final_refusal(self, error: InvalidStatus) -> None:
        """Raise the refusal of a handshake that the server would refuse again."""
        if error.response.status_code in (401, 403, 404):
            try:
                refusal = json.loads(error.response.body or b"")["error"]
            except (ValueError, KeyError, TypeError):
                raise ClientError(ClientCode.UNREACHABLE, text=shown_url(self._url), why=error.response.status_code) from None
            raise ServerRefusal.from_json(refusal)

    def _end(self, error: DicecupError) -> None:
        """End the iteration and all waiting commands with an error."""
        if self._ended is None:
            self._ended = error
            self._updates.put_nowait(error)
        for sent in self._pending.values():
            if not sent.answer.done():
                sent.answer.set_exception(error)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
