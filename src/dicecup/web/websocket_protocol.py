"""WebSockets end when they end, and what clients do wrong is no error of the server.

Closing one waits until everything was sent, so whoever takes nothing from the network would hold a connection, its place among those of
an address and what waits for it for as long as they like."""

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

NOT_TEXT = 1007


class Protocol(WebSocketsSansIOProtocol):
    """uvicorn's, but once a connection is to be closed it gets as long as for the answer to a ping, and then it is cut. It logs no error
    where a handshake was refused with an answer, which uvicorn does not count as completed, and none for text that is not UTF-8. It goes on
    reading while one message waits: to stop for every single one, and go on again, takes longer than to read it."""

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
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent and not self._is_text():
            self.frames = []
            self.conn.send_close(NOT_TEXT)
            self.handle_parser_exception()
            return
        alone = self.queue.empty() and not self.read_paused
        self.read_paused |= alone  # as if it were, so that it is not
        super().send_receive_event_to_app()
        self.read_paused ^= alone

    def _is_text(self) -> bool:
        self.frames = [b"".join(self.frames)]
        try:
            self.frames[0].decode()
        except UnicodeDecodeError:
            return False
        return True

    def _cut_later(self) -> None:
        self.loop.call_later(self.ping_timeout or 0, self.transport.abort)
