"""Tables over WebSocket: a hello, then commands from the client and updates from the server
(docs/protocol.md)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final

import orjson
import structlog
from pydantic import BaseModel
from starlette.types import Message, Receive, Scope, Send

from dicecup.core.errors import DicecupError
from dicecup.hosting.store.devices import Credential
from dicecup.hosting.subscribers import PublishedUpdate
from dicecup.web.context import AppContext
from dicecup.web.guard import LIMITS, address_of, respond
from dicecup.web.identity import header, identify
from dicecup.web.messages import FROM_CLIENT, Do, Done, Hello, Ping, Pong, Refused, Told
from dicecup.web.origins import Origins
from dicecup.web.refusals import WebCode, WebError, language_of, public, refusal
from dicecup.web.requests import validated
from dicecup.web.tables import TABLE

PATH: Final = "/ws/tables/"
RESTART: Final = 1012
BINARY: Final = 1003
FAULT: Final = 1011
TRY_AGAIN: Final = 1013
CLOSE_CODES: Final = {
    "not-a-message": 4400,
    "signed-out": 4401,
    "address-blocked": 4403,
    "banned": 4403,
    "no-such-table": 4404,
    "table-closed": 4404,
    "too-late": 4408,
    "too-slow": 4429,
    "storage-down": TRY_AGAIN,
    "busy": TRY_AGAIN,
}
"""Close code by the code of the refusal that ends a connection."""

log = structlog.get_logger()


class _Disconnected(Exception):  # noqa: N818 it is expected and handled, not an error
    """The client has disconnected."""


class Sockets:
    """The ASGI application for WebSocket connections."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._origins = Origins(context.config)
        self._open: set[_Connection] = set()
        context.tables.blocks.on_change.append(self._end_blocked)
        context.tables.announcements.on_change.append(self._tell)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        context, address = self._context, address_of(scope)
        table = scope["path"].removeprefix(PATH)
        try:
            if not context.requests.allows(address):
                raise WebError(WebCode.TOO_MANY_REQUESTS)
            credential = await self._check_handshake(scope, table)
            if not context.sockets.enter(address):
                raise WebError(WebCode.TOO_MANY_SOCKETS)
        except DicecupError as error:
            if error.code in LIMITS:
                context.reached(LIMITS[error.code], address)
            await respond(error, scope, send, "websocket.http.response")
            return
        connection = _Connection(context, scope, table, credential, receive, send)
        try:
            scope["headers"] = ()  # frees their memory for as long as the connection lasts
            await send({"type": "websocket.accept"})
            self._open.add(connection)
            if context.tables.blocks.blocks(address):  # since the handshake
                connection.revoke(WebError(WebCode.BLOCKED))
            await connection.run()
        finally:
            self._open.discard(connection)
            context.sockets.leave(address)

    def _end_blocked(self) -> None:
        """Close the connections of addresses that are blocked now."""
        for connection in self._open:
            if self._context.tables.blocks.blocks(connection.address):
                connection.revoke(WebError(WebCode.BLOCKED))

    def _tell(self) -> None:
        """Tell all clients that there is a new message to everybody."""
        found = self._context.tables.announcements.current
        if found is not None:
            for connection in self._open:
                connection.tell(found.number)

    async def _check_handshake(self, scope: Scope, table: str) -> Credential | None:
        """Return the credential of a connection. Raises `DicecupError` if the handshake is
        refused."""
        self._origins.check(scope)
        if not scope["path"].startswith(PATH) or not TABLE.fullmatch(table):
            raise WebError(WebCode.NO_SUCH_PAGE)
        self._origins.check_origin(scope)
        return await identify(self._context.tables, self._context.signer, scope["headers"])


class _Connection:
    """One connection to one table."""

    __slots__ = ("_closed", "_context", "_key", "_language", "_receive", "_send", "_table", "address", "credential")

    def __init__(
        self, context: AppContext, scope: Scope, table: str, credential: Credential | None, receive: Receive, send: Send
    ) -> None:
        self.address = address_of(scope)
        self._context = context
        self._table = table
        self.credential = credential
        self._key: str | None = None
        self._language = language_of(header(scope["headers"], b"accept-language"))
        self._receive = receive
        self._send = send
        self._closed = False

    async def run(self) -> None:
        """Serve the connection until either side closes it."""
        try:
            hello = await self._hello()
            self._key = hello.key
            self._language = hello.language or self._language
            credentials = self._context.tables.credentials
            identity = self.credential and self.credential.identity
            with credentials.connected(self):
                if self.credential is not None:
                    await credentials.check(self.credential)
                async with self._context.tables.subscribe(self._table, identity, hello.key, hello.since) as updates:
                    await self._exchange(updates)
        except _Disconnected:
            return
        except DicecupError as error:
            await self._refuse_and_close(error)
        except OSError:  # the connection broke while a message was being sent
            return

    def revoke(self, error: DicecupError) -> None:
        """Take the credential away and close the connection in the background, because the
        credential has ended or the address is blocked. From now on no command of the connection is
        carried out, also if the client does not read."""
        self.credential = None
        self._context.tables.tasks.spawn(self._refuse_and_close(error))

    def tell(self, number: int) -> None:
        """Send the number of a message to everybody in the background."""
        self._context.tables.tasks.spawn(self._tell(Told(type="announcement", number=number)))

    async def _tell(self, told: Told) -> None:
        with suppress(_Disconnected, OSError):
            await self._send_message(told)

    async def _hello(self) -> Hello:
        """Return the first message. Raises `WebError` if it is no hello or does not
        come in time."""
        try:
            text = await asyncio.wait_for(self._text(), self._context.config.hello_within)
        except TimeoutError:
            raise WebError(WebCode.TOO_LATE) from None
        hello = validated(FROM_CLIENT, text)
        if not isinstance(hello, Hello):
            raise WebError(WebCode.NOT_A_MESSAGE, text="type", why="hello")
        return hello

    async def _exchange(self, updates: AsyncIterator[PublishedUpdate]) -> None:
        """Send updates in a task of its own while receiving. If sending ends, it closes the
        connection, which ends receiving."""
        sending = asyncio.get_running_loop().create_task(self._send_updates(updates))
        try:
            await self._receive_messages()
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def _send_updates(self, updates: AsyncIterator[PublishedUpdate]) -> None:
        """Send each update, and close the connection when the updates end or fail."""
        try:
            async for update in updates:
                await self._send_message(update_message(update))
                del update  # no view is kept in memory while the next update is awaited
            await self._close(RESTART)
        except DicecupError as error:
            await self._refuse_and_close(error)
        except (_Disconnected, OSError):  # receiving ends as well
            return
        except Exception:
            log.exception("fault", table=self._table)
            with suppress(_Disconnected, OSError):
                await self._close(FAULT)

    async def _refuse_and_close(self, error: DicecupError) -> None:
        """Send the refusal and close the connection with its close code."""
        with suppress(_Disconnected, OSError):
            await self._refuse(None, error)
            await self._close(CLOSE_CODES.get(str(public(error).code), FAULT))

    async def _receive_messages(self) -> None:
        """Handle messages until the client disconnects.

        A message that is not valid is refused, and the connection stays open.
        """
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
                await self._send_message(Pong(type="pong"))
            else:
                await self._handle(message)

    async def _handle(self, sent: Do) -> None:
        """Carry out a command and answer it with `Done` or a refusal.

        Every answer is counted in the metrics.
        """
        commands = self._context.metrics.commands
        try:
            if self.credential is None:
                raise WebError(WebCode.NO_IDENTITY)  # noqa: TRY301 answered like any refusal
            with self._context.metrics.seconds.time():
                number = await self._context.tables.send(
                    self._table,
                    self.credential.identity,
                    sent.command,
                    version=sent.version,
                    command_id=sent.id,
                    key=self._key,
                    budget=self._context.budget(self.address),
                )
                # subscribers get the update before the actor gets the answer
                await asyncio.sleep(0)
        except DicecupError as error:
            commands.labels(str(error.code)).inc()
            await self._refuse(sent.id, error)
        except Exception:
            commands.labels(WebCode.FAULT).inc()
            log.exception("fault", table=self._table)
            await self._refuse(sent.id, WebError(WebCode.FAULT))
        else:
            commands.labels("done").inc()
            await self._send_message(Done(type="done", id=sent.id, number=number))

    # --- Messages ---------------------------------------------------------------------------------

    async def _text(self) -> str:
        """Return the next message.

        Raises `_Disconnected`. A binary message is refused and ends the connection.
        """
        message: Message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise _Disconnected
        self._context.metrics.messages.inc()
        text: str | None = message.get("text")
        if text is None:
            await self._refuse(None, WebError(WebCode.NOT_A_MESSAGE, text="", why="binary"))
            await self._close(BINARY)
            raise _Disconnected
        return text

    async def _send_message(self, message: BaseModel | dict[str, Any]) -> None:
        if self._closed:
            raise _Disconnected
        text = message.model_dump_json() if isinstance(message, BaseModel) else orjson.dumps(message).decode()
        await self._send({"type": "websocket.send", "text": text})

    async def _refuse(self, command: str | None, error: DicecupError) -> None:
        await self._send_message(Refused(type="refused", id=command, error=refusal(error, self._language)))

    async def _close(self, code: int) -> None:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.close", "code": code})


def update_message(update: PublishedUpdate) -> dict[str, Any]:
    """Return an update as a message."""
    return {
        "type": "update",
        "number": update.number,
        "events": update.events,
        "view": update.delta or None,
        "trouble": update.trouble,
    }
