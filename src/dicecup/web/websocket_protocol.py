"""Uvicorn's WebSocket protocol with limits for clients that send too much or do not read, with
compression that needs little memory, and without log lines for clients' mistakes.

Everything that a client sends is paid for before work is done for it. Every frame costs a token,
control and continuation frames too, and every KiB of it another one. So does a piece of a frame
that does not complete it. Tokens come from the bucket of the connection and from that of all
connections of its address. While one of them is empty the server does not read from the connection,
so the rest waits in the network and at the client.
"""

import asyncio
import math
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame

from dicecup.web.compression import MessageDeflateFactory
from dicecup.web.connection import WRITE_NOW
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.limits import Bucket
from dicecup.web.lobby import sockets as lobby

BURST: Final = 4
"""Tokens that a connection may spend at once, in seconds of its rate."""
KIB: Final = 1024
MOST_WAITING: Final = 2
"""Messages that may wait for the application before reading stops."""
NOT_TEXT: Final = 1007
MOST_UNSENT: Final = 16_384
"""Characters of messages that wait at most to be written together."""
LOBBY_PING: Final = 50.0
"""Seconds between two pings of a connection to the lobby. Nobody has to hear at once that it is
lost: a pair without its person is undone anyway. Proxies end a silent connection after a minute."""
LONGEST_HEADER: Final = 14
"""Bytes of the longest header of a frame."""
EXTENSIONS: Final = (MessageDeflateFactory(),)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """The protocol of one connection, which `HttpProtocol` has counted before.

    - What is read is paid for, frame by frame. Nothing is read while the application has messages
      waiting, or while the client does not read.
    - Messages are compressed by `MessageDeflate` for clients that offer permessage-deflate.
    - The headers of the handshake are dropped after it, which frees 2 KiB of a connection.
    - A connection that is closing is aborted after the time-out of a ping. Uvicorn would wait until
      everything was sent, for ever if the client reads nothing.
    - A client that sends messages is not pinged, and one in the lobby seldom.
    - Mistakes of clients are counted as reached limits, and not logged as errors.
    """

    def __init__(self, *arguments: Any, context: AppContext, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn.available_extensions = EXTENSIONS
        self.frames: list[Any] = []
        self._context = context
        rate = context.config.messages_per_second
        self._bucket = Bucket(rate, BURST * rate, context.clock())
        self._address_bucket: Bucket | None = None
        self._unread = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._is_paused = False
        self._unsent = 0
        """Characters that were sent and are not written yet."""
        self._is_handling = False
        """Whether the application handles a message of the client."""
        self._heard_at = -math.inf
        """Time of the client's last message, by the clock of the event loop."""

    # --- Reading ----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse the handshake, or the frames that are paid for."""
        if not self.handshake_initiated:
            self.conn.receive_data(data)
            if self.conn.handshake_exc is not None:
                self._refuse_handshake()
            else:
                self.handle_events()
            return
        if not self._unread and self._is_ready() and frame_size(data) == len(data) <= self.config.ws_max_size:
            if self._pay(1 + len(data) // KIB, len(data)):  # nearly always: one whole frame, which needs no copy
                super().data_received(data)
            else:
                self._unread += data
                self._pause(wanted=True)
            return
        self._unread += data
        if self._is_ready() and not self._complete():
            self._pay(1, 0)
        self._read()

    def _read(self) -> None:
        """Parse complete frames until the tokens are spent, or the application or the client has to
        catch up."""
        if not self._unread and not self._is_paused:
            return
        while self._is_ready() and (size := self._complete()):
            if self._pay(1 + size // KIB, size):
                self._parse(size)
        self._pause(bool(self._unread) and not self._is_ready())

    def _is_ready(self) -> bool:
        """Return whether a frame may be parsed now."""
        return (
            self._timer is None
            and self.handshake_complete
            and self.writable.is_set()
            and self.queue.qsize() < MOST_WAITING
            and not self.transport.is_closing()
        )

    def _complete(self) -> int:
        """Return the bytes of the first unread frame, 0 if it is not complete. Of a frame that is
        too large, its first bytes are enough for the parser to refuse it."""
        size = frame_size(self._unread)
        if size > self.config.ws_max_size + LONGEST_HEADER:
            return LONGEST_HEADER if len(self._unread) >= LONGEST_HEADER else 0
        return size if size <= len(self._unread) else 0

    def _pay(self, tokens: int, size: int) -> bool:
        """Take tokens and return whether they were there. If not, parse `size` bytes when they
        are."""
        now = self._context.clock()
        if self._address_bucket is None:
            self._address_bucket = self._context.messages.bucket(address_of(self.scope))
        wait = max(self._bucket.take(now, tokens), self._address_bucket.take(now, tokens))
        if wait <= 0:
            return True
        self._context.reached("messages", address_of(self.scope))
        self._timer = self.loop.call_later(wait, self._read_on, size)
        return False

    def _read_on(self, size: int) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self._parse(size)
            self._read()

    def _parse(self, size: int) -> None:
        """Parse the first unread bytes."""
        data = bytes(self._unread[:size])
        del self._unread[:size]
        super().data_received(data)

    def _pause(self, wanted: bool) -> None:
        """Pause or resume reading from the network."""
        if wanted == self._is_paused or self.transport.is_closing():
            return
        self._is_paused = wanted
        if wanted:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def handle_cont(self, event: Frame) -> None:
        """Join the frames of a message at once: 65 536 frames of one byte would take megabytes."""
        if not isinstance(self.frames[0], bytearray):
            self.frames[0] = bytearray(self.frames[0])
        self.frames[0] += event.data
        if event.fin:
            self.send_receive_event_to_app()

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application. A text that is not UTF-8 closes the connection."""
        (data,), self.frames = self.frames, []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "text":
            try:
                message: ASGIReceiveEvent = {"type": "websocket.receive", "text": data.decode()}
            except UnicodeDecodeError:
                self.conn.send_close(NOT_TEXT)
                self.handle_parser_exception()
                return
        else:
            message = {"type": "websocket.receive", "bytes": bytes(data)}
        self.queue.put_nowait(message)
        self._heard_at = self.loop.time()
        if self.conn.extensions and self._address_bucket is not None:
            now = self._context.clock()
            self._bucket.take(now, len(data) // KIB)
            self._address_bucket.take(now, len(data) // KIB)

    def handle_parser_exception(self) -> None:
        self._context.reached("not-websocket", address_of(self.scope))
        super().handle_parser_exception()

    async def receive(self) -> ASGIReceiveEvent:
        self._is_handling = False
        message = await self.queue.get()
        self._is_handling = True
        self._read()
        return message

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read()

    # --- Handshake and sending --------------------------------------------------------------------

    def _refuse_handshake(self) -> None:
        """Close a connection whose handshake cannot be parsed."""
        self._context.reached("not-websocket", self.client[0] if self.client else "")
        self.handshake_complete = self.close_sent = True
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        if self.close_sent and self.handshake_complete and self.initial_response is None:
            raise ClientDisconnected
        if message["type"] == "websocket.send" and self.handshake_complete:
            await self._send_text(message["text"] or "")
            return
        if message["type"] == "websocket.accept" and self.scope["path"] == lobby.PATH:
            self.ping_interval = LOBBY_PING
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request.headers.clear()
            self.response.headers.clear()
            self._read()
        elif message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    async def _send_text(self, text: str) -> None:
        """Send a text. The update that a command makes and the answer to it are one write; nobody
        but the client that sent the command waits for that. Raises `ClientDisconnected`."""
        await self.writable.wait()
        if not self._write(text):
            raise ClientDisconnected

    def write_now(self, text: str) -> bool:
        """Send a text without waiting. Return `False` if the client has to read first, if the
        connection is closed, or if an answer to the client will follow: both are one write."""
        return not self._is_handling and self.writable.is_set() and self._write(text)

    def _write(self, text: str) -> bool:
        """Send a text, or return `False` if the connection is closed."""
        if self.disconnected:
            return False
        try:
            self.conn.send_text(text.encode())
        except InvalidState:
            return False
        is_first = not self._unsent
        self._unsent += len(text)
        if not self._is_handling or self._unsent > MOST_UNSENT:
            self._flush()
        elif is_first:
            self.loop.call_soon(self._flush)
        return True

    def _flush(self) -> None:
        """Write to the network what was sent."""
        self._unsent = 0
        if (output := self.conn.data_to_send()) and not self.transport.is_closing():
            self.transport.write(b"".join(output))

    # --- Closing ----------------------------------------------------------------------------------

    def send_keepalive_ping(self) -> None:
        """Ping a client that has sent no message for `ping_interval` seconds, others later."""
        left = self._heard_at + (self.ping_interval or 0) - self.loop.time()
        if left > 0:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._cut_later()

    async def run_asgi(self) -> None:
        self.scope["extensions"][WRITE_NOW] = self.write_now  # type: ignore[assignment] # an extension of our own
        try:
            await super().run_asgi()
        finally:
            self.scope["extensions"].clear()  # else the connection would wait for the garbage collector
            self._cut_later()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._context.connections.leave(self.client[0] if self.client else "")
        if self._timer is not None:
            self._timer.cancel()
        self._unread.clear()

    def _cut_later(self) -> None:
        self.loop.call_later(self.ping_timeout or 0, self.transport.abort)


def frame_size(data: bytes | bytearray) -> int:
    """Return the bytes of the frame at the beginning of `data`, 0 if its header is incomplete."""
    if len(data) < 2:
        return 0
    length, begin = data[1] & 0x7F, 6 if data[1] & 0x80 else 2
    if length < 126:
        return begin + length
    more = 2 if length == 126 else 8
    return begin + more + int.from_bytes(data[2 : 2 + more], "big") if len(data) >= 2 + more else 0
