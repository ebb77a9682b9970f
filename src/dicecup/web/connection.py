"""A WebSocket connection: a hello, then messages in both directions until either side closes it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Final

import orjson
import structlog
from pydantic import BaseModel, TypeAdapter
from starlette.types import Message, Receive, Scope, Send

from dicecup.core.errors import DicecupError
from dicecup.hosting.store.devices import Credential
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.identity import header
from dicecup.web.messages import Hello, Ping, Pong, Refused, Told
from dicecup.web.refusals import WebCode, WebError, language_of, public, refusal
from dicecup.web.requests import validated

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
    "no-such-tournament": 4404,
    "table-closed": 4404,
    "too-late": 4408,
    "too-slow": 4429,
    "storage-down": TRY_AGAIN,
    "busy": TRY_AGAIN,
}
"""Close code by the code of the refusal that ends a connection."""

WRITE_NOW: Final = "dicecup.write_now"
"""Extension of ASGI: `WebSocketProtocol.write_now`."""

log = structlog.get_logger()


class Disconnected(Exception):  # noqa: N818 it is expected and handled, not an error
    """The client has disconnected."""


class Connection:
    """One connection. A kind of connection has the messages of its clients, and says what happens
    after the hello and with each message."""

    FROM_CLIENT: ClassVar[TypeAdapter[Any]]
    HELLO: ClassVar[type[BaseModel]] = Hello
    __slots__ = ("_closed", "_language", "_receive", "_send", "_write_now", "address", "context", "credential")

    def __init__(self, context: AppContext, scope: Scope, credential: Credential | None, receive: Receive, send: Send) -> None:
        self.address = address_of(scope)
        self.context = context
        self.credential = credential
        self._language = language_of(header(scope["headers"], b"accept-language"))
        self._receive = receive
        self._send = send
        self._write_now: Callable[[str], bool] | None = scope.get("extensions", {}).get(WRITE_NOW)
        self._closed = False

    async def run(self) -> None:
        """Serve the connection until either side closes it."""
        try:
            hello = await self._hello()
            self._language = hello.language or self._language
            credentials = self.context.tables.credentials
            with credentials.connected(self):
                if self.credential is not None:
                    await credentials.check(self.credential)
                await self.serve(hello)
        except Disconnected:
            return
        except DicecupError as error:
            await self._refuse_and_close(error)
        except OSError:  # the connection broke while a message was being sent
            return

    async def serve(self, hello: Any) -> None:
        """Serve the connection after its hello, with `exchange`. Raises `DicecupError`."""
        raise NotImplementedError

    async def handle(self, message: Any) -> None:
        """Handle a message that is neither a hello nor a ping. Raises `DicecupError` for a message
        that is refused."""
        raise NotImplementedError

    def revoke(self, error: DicecupError) -> None:
        """Take the credential away and close the connection in the background, because the
        credential has ended or the address is blocked. From now on no command of the connection is
        carried out, also if the client does not read."""
        self.credential = None
        self.context.tables.tasks.spawn(self._refuse_and_close(error))

    def invitations_changed(self) -> None:
        """Do nothing: only clients that get no invitations are told that they have changed."""

    def tell(self, number: int) -> None:
        """Send the number of a message to everybody in the background."""
        self.tell_soon(Told(type="announcement", number=number))

    def tell_soon(self, told: BaseModel) -> None:
        """Send a message in the background."""
        self.context.tables.tasks.spawn(self._tell(told))

    async def _tell(self, told: BaseModel) -> None:
        with suppress(Disconnected, OSError):
            await self.send(told)

    async def exchange(self, messages: AsyncIterator[Mapping[str, Any] | str]) -> None:
        """Send messages in a task of its own while receiving. If sending ends, it closes the
        connection, which ends receiving."""
        sending = asyncio.get_running_loop().create_task(self._send_all(messages))
        try:
            await self._receive_messages()
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def send(self, message: BaseModel | Mapping[str, Any] | str) -> None:
        """Send a message, which may be JSON text. Raises `Disconnected`."""
        if self._closed:
            raise Disconnected
        if isinstance(message, BaseModel):
            message = message.model_dump_json()
        elif not isinstance(message, str):
            message = orjson.dumps(message).decode()
        await self._send({"type": "websocket.send", "text": message})

    async def refuse(self, command: str | None, error: DicecupError) -> None:
        """Refuse a command, or with `None` another message. Raises `Disconnected`."""
        await self.send(Refused(type="refused", id=command, error=refusal(error, self._language)))

    async def _hello(self) -> Any:
        """Return the first message. Raises `WebError` if it is no hello or does not
        come in time."""
        try:
            text = await asyncio.wait_for(self._text(), self.context.config.hello_within)
        except TimeoutError:
            raise WebError(WebCode.TOO_LATE) from None
        hello = validated(self.FROM_CLIENT, text)
        if not isinstance(hello, self.HELLO):
            raise WebError(WebCode.NOT_A_MESSAGE, text="type", why="hello")
        return hello

    async def _send_all(self, messages: AsyncIterator[Mapping[str, Any] | str]) -> None:
        """Send each message, and close the connection when they end or fail."""
        try:
            async for message in messages:
                await self.send(message)
                del message  # no view is kept in memory while the next update is awaited
            await self._close(RESTART)
        except DicecupError as error:
            await self._refuse_and_close(error)
        except (Disconnected, OSError):  # receiving ends as well
            return
        except Exception:
            log.exception("fault", connection=type(self).__name__)
            with suppress(Disconnected, OSError):
                await self._close(FAULT)

    async def _refuse_and_close(self, error: DicecupError) -> None:
        """Send the refusal and close the connection with its close code."""
        with suppress(Disconnected, OSError):
            await self.refuse(None, error)
            await self._close(CLOSE_CODES.get(str(public(error).code), FAULT))

    async def _receive_messages(self) -> None:
        """Handle messages until the client disconnects.

        A message that is not valid is refused, and the connection stays open.
        """
        while True:
            text = await self._text()
            try:
                message = validated(self.FROM_CLIENT, text)
                if isinstance(message, self.HELLO):
                    raise WebError(WebCode.NOT_A_MESSAGE, text="type", why="hello")
                if isinstance(message, Ping):
                    await self.send(Pong(type="pong"))
                else:
                    await self.handle(message)
            except DicecupError as error:
                await self.refuse(None, error)

    async def _text(self) -> str:
        """Return the next message.

        Raises `Disconnected`. A binary message is refused and ends the connection.
        """
        message: Message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Disconnected
        self.context.metrics.messages.inc()
        text: str | None = message.get("text")
        if text is None:
            await self.refuse(None, WebError(WebCode.NOT_A_MESSAGE, text="", why="binary"))
            await self._close(BINARY)
            raise Disconnected
        return text

    async def _close(self, code: int) -> None:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.close", "code": code})
