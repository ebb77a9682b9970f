"""The server itself: a port, the tables, the application, until somebody ends it."""

import asyncio
import errno
import gc
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from typing import Any, Final

import uvicorn

from dicecup.hosting.hub import Hub
from dicecup.hosting.settings import Settings
from dicecup.web.app import App
from dicecup.web.config import DEFAULT_PORT, Config
from dicecup.web.context import Desk
from dicecup.web.errors import WebCode, WebError
from dicecup.web.links import Base, base
from dicecup.web.single_server import alone
from dicecup.web.websocket_protocol import Protocol

if sys.platform != "win32":
    import uvloop

TRIED: Final = 20
"""Ports after the usual one that are tried where nobody named one."""
BACKLOG: Final = 4096
"""Connections that wait to be accepted: all of them come back at once after a restart."""
SHUTDOWN: Final = 10
"""Seconds that requests have to end."""
PING: Final = 20.0
"""Seconds between two pings, until a connection that does not answer is given up, and until one that does not end is cut."""
YOUNG: Final = 10_000
"""New objects after which those of the last moments are searched for cycles."""
SET_ASIDE: Final = 1.0
"""Seconds after which what is there is no longer searched,"""
SEARCHED: Final = 300
"""and how many times that is done until all of it is."""


def listen(config: Config) -> socket.socket:
    """The socket that the server listens at. Raises `WebError` (`port-taken`)."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + TRIED) if config.port is None else (config.port,)
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    for port in ports:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((config.host, port))
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            if error.errno != errno.EADDRINUSE or port == ports[-1]:
                raise WebError(WebCode.PORT_TAKEN, host=config.host, port=port, why=error.strerror) from None
        else:
            return listening
    raise AssertionError


@asynccontextmanager
async def running(settings: Settings, config: Config, *, warm: bool = False) -> AsyncIterator[tuple["ListeningServer", Base]]:
    """The server, ready to `serve` at its socket; afterwards the tables are closed. `warm`: the processes that compute get ready
    meanwhile. Raises `WebError`, `StoreError`."""
    with alone(settings.database), closing(listen(config)) as listening:
        beginning = base(config, listening.getsockname()[1])
        hub = await Hub.open(settings)
        try:
            if warm:
                hub.warm()
            yield ListeningServer(_uvicorn(App(Desk.of(hub, config, beginning)), config), listening), beginning
        finally:
            await hub.close()


def run_in_loop(work: Coroutine[Any, Any, None]) -> None:
    """Until it is done, in the quickest event loop that there is for this system."""
    quickest = asyncio.new_event_loop if sys.platform == "win32" else uvloop.new_event_loop
    with asyncio.Runner(loop_factory=quickest) as runner:
        runner.run(work)


def _uvicorn(app: App, config: Config) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=config.proxies,
        ws=Protocol,
        ws_max_size=config.body_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        backlog=BACKLOG,
        timeout_graceful_shutdown=SHUTDOWN,
    )


class ListeningServer(uvicorn.Server):
    """Serves at a socket that listens already: connections that come before it is ready wait. A signal ends it, and after that
    what is around it: uvicorn itself would raise the signal once more, before the tables are closed."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.listening = listening

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets or [self.listening])


async def spare_collections() -> None:
    """For a process that does nothing but serve, until it is cancelled. Searching all objects for cycles holds every table up, and tables
    make none: what is there is set aside again and again, which costs nothing, and searched once in a while, for what connections
    that ended left."""
    gc.set_threshold(YOUNG)
    while True:
        gc.collect()
        for _ in range(SEARCHED):
            gc.freeze()
            await asyncio.sleep(SET_ASIDE)
        gc.unfreeze()
