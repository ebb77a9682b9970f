"""The server process: port, tables and application, until a signal ends it."""

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

import structlog
import uvicorn

from dicecup.hosting import quotas, retention
from dicecup.hosting.competition import duplicates
from dicecup.hosting.competition.organising import Organising
from dicecup.hosting.people import challenges, notifier
from dicecup.hosting.people.notifier import Notifier
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import Settings
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.web.app import App
from dicecup.web.base_url import BaseUrl, base_url
from dicecup.web.config import DEFAULT_PORT, Config
from dicecup.web.context import AppContext
from dicecup.web.http_protocol import HttpProtocol
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.single_server import locked
from dicecup.web.websocket_protocol import WebSocketProtocol

if sys.platform != "win32":
    import resource
with suppress(ModuleNotFoundError):  # of the extra `hosting`
    import uvloop

TRIED_PORTS: Final = 20
"""Ports from the default port on that are tried if no port is configured."""
BACKLOG: Final = 4096
"""Connections that may wait to be accepted. After a restart all clients connect at once."""
READ_BUFFER: Final = 32 * 1024
"""Bytes that the kernel receives for a connection before the server reads them."""
OTHER_DESCRIPTORS: Final = 256
"""Descriptors for everything but connections: files, the database, processes."""
CLIENT_MISTAKES: Final = ("Invalid HTTP request received.",)
"""Warnings of uvicorn that `HttpProtocol` counts instead."""
SHUTDOWN: Final = 10
"""Seconds that requests may take to finish after a signal."""
PING: Final = 20.0
"""Seconds between two pings, until a connection without a pong is closed, and until a closing
connection is aborted."""
YOUNG_OBJECTS: Final = 10_000
"""Threshold of the youngest generation of the garbage collector."""
FREEZE_INTERVAL: Final = 1.0
"""Seconds between two freezes of all objects."""
FREEZES: Final = 3_600
"""Freezes between two full collections. One of those stops a worker with 500 tables for up to 0.8
seconds."""
MOST_MORE: Final = 2_000_000
"""How many blocks of memory there may be besides twice as many as after the last collection, until
all objects are collected. A worker has 800 000 after its start and 1 800 000 with 500 tables, 100
bytes each in the mean."""

SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which a thread gives the interpreter to the event loop; Python's default is ten
times as long."""

log = structlog.get_logger()


def listen(config: Config) -> socket.socket:
    """Return a listening socket. Raises `WebError` (`port-taken`)."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + TRIED_PORTS) if config.port is None else (config.port,)
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    for port in ports:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, READ_BUFFER)
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
async def running(
    settings: Settings, config: Config, *, warm: bool = False, clock: ServerClock | None = None
) -> AsyncIterator[tuple["ListeningServer", BaseUrl]]:
    """Open the tables and yield a server that is ready to `serve`. Close the tables at the end of
    the block.

    With `warm` the processes of the pools load their tables meanwhile. `clock`: another clock than
    that of the system. Raises `WebError` and
    `StoreError`.
    """
    config = replace(config, connections=min(config.connections, raise_descriptor_limit() - OTHER_DESCRIPTORS))
    with locked(settings.database), closing(listen(config)) as listening:
        base = base_url(config, listening.getsockname()[1])
        tables = await TableHost.open(settings, clock)
        context = AppContext.of(tables, config, base)
        try:
            tables.tasks.repeat(context.quotas.synchronise, quotas.INTERVAL)
            tables.tasks.repeat(context.metrics.watch_event_loop, 0)
            tables.tasks.repeat(context.retention.sweep, retention.INTERVAL)
            tables.tasks.repeat(lambda: challenges.delete_expired(tables.store, tables.clock()), challenges.INTERVAL)
            tables.tasks.repeat(Organising(tables, context.tournaments).run, 0)
            tables.tasks.repeat(context.duplicates.tick, duplicates.TICK)
            if context.offer.senders:
                await tables.recipients.begin()
                telling = Notifier(tables, context.offer.senders, config.telling.limits)
                tables.tasks.repeat(telling.run, notifier.INTERVAL)
            if warm:
                tables.warm()
            yield ListeningServer(_uvicorn(context), listening), base
        finally:
            with suppress(StoreError):
                await context.quotas.synchronise()
            await tables.close()
            await context.close()


def run_in_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` to its end in the fastest event loop that is installed.

    Threads that compute meanwhile delay it by at most `SWITCH_INTERVAL`.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    fastest = uvloop.new_event_loop if "uvloop" in sys.modules else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=fastest) as runner:
        runner.run(work)


def raise_descriptor_limit() -> int:
    """Raise the number of descriptors that this process may open to the most that the system
    allows, log it and return it."""
    if sys.platform == "win32":
        return 2**31
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # macOS refuses a limit above its own of all processes
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    log.info("descriptors", before=before, limit=limit)
    return 2**31 if limit == resource.RLIM_INFINITY else limit


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether a log record of uvicorn is no mistake of a client."""
    return record.msg not in CLIENT_MISTAKES


def _uvicorn(context: AppContext) -> uvicorn.Config:
    """Return the settings of uvicorn. `Guard` writes the log of requests instead of uvicorn."""
    config = context.config
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    return uvicorn.Config(
        App(context),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=config.proxies,
        http=partial(HttpProtocol, context=context),  # type: ignore[arg-type]
        ws=partial(WebSocketProtocol, context=context),  # type: ignore[arg-type]
        ws_max_size=config.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        backlog=BACKLOG,
        timeout_graceful_shutdown=SHUTDOWN,
    )


class ListeningServer(uvicorn.Server):
    """Server at a socket that listens already, so that early connections wait.

    A signal ends `serve`. Uvicorn would raise the signal again afterwards and end the process
    before the tables are closed.
    """

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.listening = listening

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle SIGINT and SIGTERM by ending the server, and restore the earlier handlers
        afterwards. Outside the main thread no signal is handled."""
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


async def avoid_collector_pauses() -> None:
    """Avoid pauses by the garbage collector until cancelled, in a process that does nothing but
    serve.

    A full collection stops all tables, and tables make no reference cycles. So all objects are
    frozen again and again, which is cheap, and collected rarely or when they have become many more,
    for the cycles of ended connections.
    """
    gc.set_threshold(YOUNG_OBJECTS)
    while True:
        gc.collect()
        gc.freeze()
        most = 2 * sys.getallocatedblocks() + MOST_MORE
        for _ in range(FREEZES):
            gc.freeze()
            await asyncio.sleep(FREEZE_INTERVAL)
            if sys.getallocatedblocks() > most:  # a count of the frozen objects would take 0.1 s
                break
        gc.unfreeze()
