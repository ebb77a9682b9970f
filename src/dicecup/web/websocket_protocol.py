"""Uvicorn's WebSocket protocol with compression that needs little memory, with limits for clients
that do not read, and without log lines for clients' mistakes.

Uvicorn closes a connection after everything was sent. A client that reads nothing would keep the
connection, its place in the limit of its address, and the waiting messages for ever.
"""

from typing import Any, Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dicecup.web.compression import MessageDeflateFactory

NOT_TEXT: Final = 1007
EXTENSIONS: Final = (MessageDeflateFactory(),)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Protocol with five changes.

    - Messages are compressed by `MessageDeflate` for clients that offer permessage-deflate.
    - The headers of the handshake are dropped after it, which frees 2 KiB of a connection.
    - A connection that is closing is aborted after the time-out of a ping.
    - A handshake that was refused with an HTTP answer, and a text that is not UTF-8, are not logged
      as errors.
    - Reading does not pause while a single message waits.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn.available_extensions = EXTENSIONS

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._cut_later()

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            self._cut_later()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request.headers.clear()
            self.response.headers.clear()
        elif message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application.

        A text that is not UTF-8 closes the connection. Reading is paused only if an earlier message
        still waits.
        """
        if self.curr_msg_data_type == "text" and not self.close_sent and not self._is_text():
            self.frames = []
            self.conn.send_close(NOT_TEXT)
            self.handle_parser_exception()
            return
        alone = self.queue.empty() and not self.read_paused
        # Setting `read_paused` makes uvicorn skip `pause_reading()`, which costs more than reading
        # one message.
        self.read_paused |= alone
        super().send_receive_event_to_app()
        self.read_paused ^= alone

    def _is_text(self) -> bool:
        """Join the frames of the message and return whether they are UTF-8."""
        self.frames = [b"".join(self.frames)]
        try:
            self.frames[0].decode()
        except UnicodeDecodeError:
            return False
        return True

    def _cut_later(self) -> None:
        self.loop.call_later(self.ping_timeout or 0, self.transport.abort)
