"""One table as a client follows it: updates come in, commands go out, and a connection that breaks is made anew with the gap."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass
from random import uniform
from secrets import token_hex
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from dicecup.client.errors import ClientCode, ClientError, Refused
from dicecup.core.errors import DicecupError
from dicecup.table.commands import Command, command_to_json

SOON: Final = 0.1
LATER: Final = 5.0
"""Seconds between two attempts to connect: twice as many each time, up to this."""
LARGEST: Final = 2**23
FINAL: Final = (1003, 1007, 1009, 4400, 4404)
"""Close codes after which coming back would bring the same."""
PASSING: Final = ("storage-down", "storage-full", "busy")
"""Refusals of commands that are sent again."""
NOT_READ: Final = "not-a-message"
"""The refusal of a command whose id the server could not even read."""


@dataclass(frozen=True, slots=True)
class Update:
    """`number` of the last event; `events` since the last update, and the `view` of the table, as docs/protocol.md says them.
    `trouble`: a code, while the server can do nothing; then the view is empty."""

    number: int
    events: tuple[Mapping[str, Any], ...]
    view: Mapping[str, Any]
    trouble: str = ""


@dataclass(slots=True)
class _Sent:
    """A command that has no answer yet."""

    id: str
    message: str
    answer: asyncio.Future[int]


class Table:
    """Made by `Client.table`; used with `async with`. Iterate it for updates: none is lost, none comes twice."""

    def __init__(self, url: str, headers: Mapping[str, str], key: str | None, since: int | None) -> None:
        self._url = url
        self._headers = headers
        self._key = key
        self._since = since
        self._newest = since or 0
        self._view: Mapping[str, Any] = {}
        self._updates: asyncio.Queue[Update | DicecupError] = asyncio.Queue()
        self._pending: dict[str, _Sent] = {}
        self._asked: list[str] = []
        self._connection: ClientConnection | None = None
        self._refused: Refused | None = None
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
        """The newest number of the table that is known: an update with a smaller one is no longer how it stands."""
        return self._newest

    async def __aiter__(self) -> AsyncIterator[Update]:
        """How the table stands, and every change. Raises `Refused` where the server says that it is of no use, and `ClientError`."""
        while True:
            update = await self._updates.get()
            if not isinstance(update, Update):
                self._updates.put_nowait(update)
                raise update
            yield update

    async def send(self, command: Command, *, version: int | None = None) -> int:
        """Does it, and answers the number of the last event that it made. `version`: the number of the table that was looked at, the
        newest without it. A connection that breaks meanwhile does no harm: the command is sent again and done once.

        Raises `Refused`; then nothing was done."""
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
            await self._pass_on(sent)
            return await sent.answer
        finally:
            self._pending.pop(command_id, None)

    # --- The connection ------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connects again and again."""
        wait = SOON
        try:
            while True:
                if await self._follow():
                    wait = SOON
                await asyncio.sleep(uniform(wait / 2, wait))
                wait = min(2 * wait, LATER)
        except DicecupError as error:
            self._end(error)

    async def _follow(self) -> bool:
        """One connection to its end, or none; whether the server said something. Raises `Refused` and `ClientError` where coming back
        is of no use."""
        heard = False
        try:
            async with connect(
                self._url, additional_headers=self._headers, compression=None, max_size=LARGEST, user_agent_header=None
            ) as connection:
                await self._greet(connection)
                async for text in connection:
                    heard = True
                    self._heard(json.loads(text))
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.code in FINAL:
                raise self._refused or ClientError(ClientCode.LEFT, why=error.rcvd.code) from None
        except InvalidStatus as error:
            self._not_welcome(error)
        except (OSError, InvalidHandshake):  # a timeout is an OSError
            pass
        finally:
            self._connection = None
        return heard

    async def _greet(self, connection: ClientConnection) -> None:
        """Says what is known already, and once more what has no answer yet."""
        await connection.send(json.dumps({"type": "hello", "since": self._since, "key": self._key}))
        self._connection, self._asked = connection, []
        for sent in list(self._pending.values()):
            self._asked.append(sent.id)
            await connection.send(sent.message)

    def _heard(self, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "update":
                self._told(message)
            case "done":
                self._answered(message["id"])
                self._newest = max(self._newest, message["number"])
                if (sent := self._pending.get(message["id"])) is not None and not sent.answer.done():
                    sent.answer.set_result(message["number"])
            case "refused":
                self._was_refused(message["id"], message["error"])
            case _:
                pass  # a message of a later server

    def _told(self, message: Mapping[str, Any]) -> None:
        if not message["trouble"]:
            self._since = message["number"]
            self._newest = max(self._newest, message["number"])
        self._view = {**self._view, **(message["view"] or {})}
        view = self._view if message["view"] else {}
        self._updates.put_nowait(Update(message["number"], tuple(message["events"]), view, message["trouble"]))

    def _was_refused(self, command_id: str | None, error: Mapping[str, Any]) -> None:
        refused = Refused.of(error)
        if command_id is None and refused.code == NOT_READ and self._asked:
            command_id = self._asked[0]  # a connection answers in order
        if command_id is None:
            self._refused = refused
            return
        self._answered(command_id)
        if (sent := self._pending.get(command_id)) is not None and not sent.answer.done():
            if refused.code in PASSING:
                self._spawn(self._again(sent))
            else:
                sent.answer.set_exception(refused)

    def _answered(self, command_id: str) -> None:
        if command_id in self._asked:
            self._asked.remove(command_id)

    async def _again(self, sent: _Sent) -> None:
        await asyncio.sleep(uniform(0.5, 1.5))
        if not sent.answer.done():
            await self._pass_on(sent)

    async def _pass_on(self, sent: _Sent) -> None:
        """Without a connection it is sent when there is one."""
        if self._connection is not None:
            self._asked.append(sent.id)
            try:
                await self._connection.send(sent.message)
            except ConnectionClosed:
                return

    def _not_welcome(self, error: InvalidStatus) -> None:
        """Raises `Refused` where the server would say the same again."""
        if error.response.status_code in (401, 403, 404):
            try:
                told = json.loads(error.response.body or b"")["error"]
            except (ValueError, KeyError, TypeError):
                raise ClientError(ClientCode.UNREACHABLE, text=self._url, why=error.response.status_code) from None
            raise Refused.of(told)

    def _end(self, error: DicecupError) -> None:
        """Nothing more comes."""
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
