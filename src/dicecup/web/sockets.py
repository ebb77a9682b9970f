"""Tables by WebSocket: a hello, then commands one way and updates the other (docs/protocol.md)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final

import orjson
import structlog
from pydantic import BaseModel
from starlette.types import Message, Receive, Scope, Send

from dicecup.core.errors import DicecupError
from dicecup.hosting.loaded import Update
from dicecup.web.context import Desk
from dicecup.web.errors import WebCode, WebError, language_of, refusal
from dicecup.web.guard import address_of, comes_from_here, respond
from dicecup.web.identity import header, identify
from dicecup.web.limits import Bucket
from dicecup.web.messages import FROM_CLIENT, Do, Done, Hello, Ping, Pong, Refused
from dicecup.web.requests import validated
from dicecup.web.tables import TABLE

PATH: Final = "/ws/tables/"
AT_ONCE: Final = 4
"""Seconds' worth of messages that a connection may send at once."""
RESTART: Final = 1012
BINARY: Final = 1003
FAULT: Final = 1011
AGAIN: Final = 1013
CLOSE: Final = {
    "not-a-message": 4400,
    "no-such-table": 4404,
    "too-late": 4408,
    "too-slow": 4429,
    "storage-down": AGAIN,
    "busy": AGAIN,
}
"""Code of the refusal that ends a connection → its close code."""

log = structlog.get_logger()


class _Gone(Exception):  # noqa: N818 somebody hung up; nothing went wrong
    """The client is no longer there."""


class Sockets:
    """The application for connections."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        desk, address = self._desk, address_of(scope)
        table = scope["path"].removeprefix(PATH)
        try:
            identity = await self._welcome(scope, table)
            if not desk.sockets.enter(address):
                raise WebError(WebCode.TOO_MANY_SOCKETS)
        except DicecupError as error:
            await respond(error, scope, send, "websocket.http.response")
            return
        try:
            connection = _Connection(desk, scope, table, identity, receive, send)
            scope["headers"] = ()  # an idle connection keeps none of them
            await send({"type": "websocket.accept"})
            await connection.run()
        finally:
            desk.sockets.leave(address)

    async def _welcome(self, scope: Scope, table: str) -> str | None:
        """Whose connection it is. Raises `DicecupError` where the handshake is refused."""
        if not scope["path"].startswith(PATH) or not TABLE.fullmatch(table):
            raise WebError(WebCode.NO_SUCH_PAGE)
        if not comes_from_here(self._desk, scope["headers"]):
            raise WebError(WebCode.WRONG_ORIGIN, text=header(scope["headers"], b"origin"))
        return await identify(self._desk.hub, self._desk.signer, scope["headers"])


class _Connection:
    """One client at one table."""

    __slots__ = ("_bucket", "_closed", "_desk", "_identity", "_key", "_language", "_receive", "_send", "_table")

    def __init__(self, desk: Desk, scope: Scope, table: str, identity: str | None, receive: Receive, send: Send) -> None:
        self._desk = desk
        self._table = table
        self._identity = identity
        self._key: str | None = None
        self._language = language_of(header(scope["headers"], b"accept-language"))
        self._receive = receive
        self._send = send
        rate = desk.config.messages_per_second
        self._bucket = Bucket(rate, AT_ONCE * rate, desk.clock())
        self._closed = False

    async def run(self) -> None:
        """Until either side ends it."""
        try:
            hello = await self._hello()
            self._key = hello.key
            self._language = hello.language or self._language
            async with self._desk.hub.follow(self._table, self._identity, hello.key, hello.since) as updates:
                await self._talk(updates)
        except _Gone:
            return
        except DicecupError as error:
            await self._end(error)
        except OSError:  # it broke while something was being sent
            return

    async def _hello(self) -> Hello:
        """The first message. Raises `WebError` where it is another, or none comes."""
        try:
            text = await asyncio.wait_for(self._text(), self._desk.config.hello_within)
        except TimeoutError:
            raise WebError(WebCode.TOO_LATE) from None
        hello = validated(FROM_CLIENT, text)
        if not isinstance(hello, Hello):
            raise WebError(WebCode.NOT_A_MESSAGE, text="type", why="hello")
        return hello

    async def _talk(self, updates: AsyncIterator[Update]) -> None:
        """Both ways at once: transition has a task of its own, and when it ends it closes the connection, which hearing notices."""
        transition = asyncio.get_running_loop().create_task(self._tell(updates))
        try:
            await self._hear()
        finally:
            transition.cancel()
            with suppress(asyncio.CancelledError):
                await transition

    async def _tell(self, updates: AsyncIterator[Update]) -> None:
        try:
            async for update in updates:
                await self._say(_told(update))
                del update  # whoever waits for the next one holds no view
            await self._close(RESTART)
        except DicecupError as error:
            await self._end(error)
        except (_Gone, OSError):  # hearing hears of it as well
            return
        except Exception:
            log.exception("fault", table=self._table)
            with suppress(_Gone, OSError):
                await self._close(FAULT)

    async def _end(self, error: DicecupError) -> None:
        """Says why, and closes."""
        with suppress(_Gone, OSError):
            await self._refuse(None, error)
            await self._close(CLOSE.get(str(error.code), FAULT))

    async def _hear(self) -> None:
        while True:
            text = await self._text()
            try:
                message = validated(FROM_CLIENT, text)
                if isinstance(message, Hello):
                    raise WebError(WebCode.NOT_A_MESSAGE, text="type", why="hello")
            except DicecupError as error:
                await self._refuse(None, error)
                continue
            if isinstance(message, Ping):
                await self._say(Pong(type="pong"))
            else:
                await self._do(message)

    async def _do(self, sent: Do) -> None:
        commands = self._desk.metrics.commands
        try:
            if self._identity is None:
                raise WebError(WebCode.NO_IDENTITY)  # noqa: TRY301 refused like any other
            with self._desk.metrics.seconds.time():
                number = await self._desk.hub.send(
                    self._table, self._identity, sent.command, version=sent.version, command_id=sent.id, key=self._key
                )
                await asyncio.sleep(0)  # those who wait for it first
        except DicecupError as error:
            commands.labels(str(error.code)).inc()
            await self._refuse(sent.id, error)
        except Exception:
            commands.labels(WebCode.FAULT).inc()
            log.exception("fault", table=self._table)
            await self._refuse(sent.id, WebError(WebCode.FAULT))
        else:
            commands.labels("done").inc()
            await self._say(Done(type="done", id=sent.id, number=number))

    # --- Messages ------------------------------------------------------------------------------------------------------------

    async def _text(self) -> str:
        """The next message, as fast as they may come. Raises `_Gone`; a binary one ends the connection."""
        message: Message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise _Gone
        self._desk.metrics.messages.inc()
        if (wait := self._bucket.take(self._desk.clock())) > 0:
            await asyncio.sleep(wait)
        text: str | None = message.get("text")
        if text is None:
            await self._refuse(None, WebError(WebCode.NOT_A_MESSAGE, text="", why="binary"))
            await self._close(BINARY)
            raise _Gone
        return text

    async def _say(self, message: BaseModel | dict[str, Any]) -> None:
        if self._closed:
            raise _Gone
        text = message.model_dump_json() if isinstance(message, BaseModel) else orjson.dumps(message).decode()
        await self._send({"type": "websocket.send", "text": text})

    async def _refuse(self, command: str | None, error: DicecupError) -> None:
        await self._say(Refused(type="refused", id=command, error=refusal(error, self._language)))

    async def _close(self, code: int) -> None:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.close", "code": code})


def _told(update: Update) -> dict[str, Any]:
    """As it is sent."""
    return {
        "type": "update",
        "number": update.number,
        "events": update.events,
        "view": update.changed or None,
        "trouble": update.trouble,
    }
