"""Uvicorn's HTTP protocol with limits for clients that hold connections without using them, and
without log lines for clients' mistakes."""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from dicecup.core.errors import DicecupError
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.web.context import AppContext
from dicecup.web.guard import problem
from dicecup.web.limits import Bucket
from dicecup.web.refusals import WebCode, WebError, headers_of

HEADER_BYTES: Final = 16 * 1024
PIECES: Final = 50
"""Reads a second of one connection that do not complete the headers or the body of a request. Up to
twice this number may come at once. All connections of an address share another limit."""


class HttpProtocol(H11Protocol):
    """The protocol of one TCP connection until it becomes a WebSocket.

    - Connections are counted and limited, in all and for each address. Those of a blocked address
      are refused.
    - The headers of a request must arrive in time, and so must its body. A client that reads
      nothing of an answer is cut.
    - Bodies have a `Content-Length`, because parsing thousands of tiny chunks takes seconds.
    - Mistakes of clients are counted as reached limits, and not logged as errors.
    """

    def __init__(self, *arguments: Any, context: AppContext, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _Connection(h11.SERVER, HEADER_BYTES)
        self.flow: Any = None
        self.cycle: Any = None
        self._context = context
        self._address = ""
        self._is_counted = False
        self._has_received = False
        self._awaited = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._cut: asyncio.TimerHandle | None = None
        self._pieces = Bucket(PIECES, 2 * PIECES, context.clock())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it. A proxy is not refused for its own address."""
        super().connection_made(transport)
        self.flow = _Flow(transport, self.loop)
        self._address = self.client[0] if self.client else ""
        context = self._context
        is_blocked = context.tables.blocks.blocks(self._address) and not context.connections.is_proxy(self._address)
        refused = "blocked" if is_blocked else context.connections.enter(self._address)
        if refused is None:
            self._is_counted = True
            self._await("headers")
            return
        context.reached(refused, self._address)
        transport.write(BLOCKED if is_blocked else BUSY)
        transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._await("")
        if self._cut is not None:
            self._cut.cancel()
        if self._is_counted:
            self._context.connections.leave(self._address)
        super().connection_lost(exc)

    # --- Receiving --------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse what was read. Reading pauses for a client that sends a request in many pieces."""
        if self.transport.is_closing():
            return
        self._has_received = True
        super().data_received(data)
        if not self._is_counted or self.transport.is_closing():
            return
        self._watch()
        if self._awaited and (wait := self._pay()) > 0:
            self.flow.hold(wait)

    def _pay(self) -> float:
        """Pay for a read that completes no request, also from the bucket of the address, unless it
        is a proxy. Return the seconds until the next read."""
        context = self._context
        now = context.clock()
        wait = self._pieces.take(now)
        if context.connections.is_proxy(self._address):
            return wait
        return max(wait, context.pieces.bucket(self._address).take(now))

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to `WebSocketProtocol`."""
        self._await("")
        super().handle_websocket_upgrade(event)
        self._is_counted = False

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self._watch()
        self._cut_later()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._cut_later()

    def _watch(self) -> None:
        """Start or stop the deadline of what is received."""
        awaited = {h11.IDLE: "headers", h11.SEND_BODY: "body"}
        self._await(awaited.get(self.conn.their_state, ""))

    def _await(self, awaited: str) -> None:
        """Start the deadline of the headers or the body, unless it has begun. Stop it for an empty
        text."""
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if self._deadline is not None:
            self._deadline.cancel()
        config = self._context.config
        seconds = config.body_within if awaited == "body" else config.headers_within
        self._deadline = self.loop.call_later(seconds, self._time_out) if awaited else None

    def _time_out(self) -> None:
        """Close a connection whose request did not arrive in time."""
        if self._has_received:
            self._context.reached(f"{self._awaited}-late", self._address)
            self._end(LATE)
        else:
            self.transport.close()

    # --- Refusing ---------------------------------------------------------------------------------

    def _end(self, answer: bytes) -> None:
        """Send an answer if none has begun, and close the connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(answer)
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()
        self._cut_later()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 uvicorn's sentence
        """Refuse what is not HTTP, and bodies without a length."""
        self._context.reached("not-http", self._address)
        self._end(NO_LENGTH if isinstance(self.conn, _Connection) and self.conn.lacks_length else NOT_HTTP)

    def _unsupported_upgrade_warning(self) -> None:
        self._context.reached("not-http", self._address)

    # --- Sending ----------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._cut_later()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None

    def _cut_later(self) -> None:
        """Abort the connection if the client does not read on in time."""
        if self._cut is None and (self.flow.write_paused or self.transport.is_closing()):
            self._cut = self.loop.call_later(self._context.config.read_within, self._cut_now)

    def _cut_now(self) -> None:
        self._context.reached("not-read", self._address)
        self.transport.abort()


class _Connection(h11.Connection):
    """Parser that refuses bodies without a length."""

    lacks_length = False

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request) and any(name == b"transfer-encoding" for name, _ in event.headers):
            self.lacks_length = True
            raise h11.RemoteProtocolError("a body without a length")
        return event


class _Flow(FlowControl):
    """Control of reading that can stop reading for some seconds, whatever the application wants."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(transport)
        self._loop = loop
        self._is_held = False
        self._wants_pause = False

    def hold(self, seconds: float) -> None:
        """Read nothing for some seconds."""
        if not self._is_held:
            super().pause_reading()
            self._is_held = True
            self._loop.call_later(seconds, self._release)

    def pause_reading(self) -> None:
        self._wants_pause = True
        super().pause_reading()

    def resume_reading(self) -> None:
        self._wants_pause = False
        if not self._is_held:
            super().resume_reading()

    def _release(self) -> None:
        self._is_held = False
        if not self._wants_pause and not self._transport.is_closing():
            super().resume_reading()


def _answer(error: DicecupError) -> bytes:
    """Return the answer to an error in the default language, as it is sent."""
    status, body = problem(error, {"headers": ()})
    headers = {
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers_of(error),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} \r\n{lines}\r\n".encode() + body


LATE: Final = _answer(WebError(WebCode.TOO_LATE))
NOT_HTTP: Final = _answer(WebError(WebCode.NOT_A_MESSAGE, text="", why="HTTP"))
NO_LENGTH: Final = _answer(WebError(WebCode.NO_LENGTH))
BUSY: Final = _answer(HostingError(HostingCode.BUSY))
BLOCKED: Final = _answer(WebError(WebCode.BLOCKED))
