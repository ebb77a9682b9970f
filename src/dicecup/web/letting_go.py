"""WebSockets end when they end. Closing one waits until everything was sent, so whoever takes nothing from the network would hold
a connection, its place among those of an address and what waits for it for as long as they like."""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Protocol(WebSocketsSansIOProtocol):
    """uvicorn's, but once a connection is to be closed it gets as long as for the answer to a ping, and then it is cut."""

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._cut_later()

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            self._cut_later()

    def _cut_later(self) -> None:
        self.loop.call_later(self.ping_timeout or 0, self.transport.abort)
