"""Tables over WebSocket: a hello, then commands from the client and updates from the server
(docs/protocol.md). The lobby has connections of its own (`lobby.sockets`)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Final

import structlog
from pydantic import TypeAdapter
from starlette.types import Receive, Scope, Send

from dicecup.core.errors import DicecupError
from dicecup.hosting.store.devices import Credential
from dicecup.hosting.subscribers import PublishedUpdate
from dicecup.web.competition import tournament_sockets
from dicecup.web.competition.tournament_sockets import TournamentConnection
from dicecup.web.connection import Connection
from dicecup.web.context import AppContext
from dicecup.web.guard import LIMITS, address_of, respond
from dicecup.web.identity import identify
from dicecup.web.lobby import sockets as lobby
from dicecup.web.messages import FROM_CLIENT, Do, Done, Hello, Invited
from dicecup.web.origins import Origins
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.tables import TABLE

PATH: Final = "/ws/tables/"

log = structlog.get_logger()


class Sockets:
    """The ASGI application for WebSocket connections."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._origins = Origins(context.config)
        self._open: set[Connection] = set()
        context.tables.blocks.on_change.append(self._end_blocked)
        context.tables.announcements.on_change.append(self._tell)
        context.tables.lobby.on_change.append(self._tell_of_invitations)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        context, address = self._context, address_of(scope)
        try:
            if not context.requests.allows(address):
                raise WebError(WebCode.TOO_MANY_REQUESTS)
            credential = await self._check_handshake(scope)
            if not context.sockets.enter(address):
                raise WebError(WebCode.TOO_MANY_SOCKETS)
        except DicecupError as error:
            if error.code in LIMITS:
                context.reached(LIMITS[error.code], address)
            await respond(error, scope, send, "websocket.http.response")
            return
        connection = _kind(scope["path"])(context, scope, credential, receive, send)
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

    def _tell_of_invitations(self, identity: str) -> None:
        """Tell the pages at which a person plays that its invitations may have changed. The lobby
        sends the invitations themselves."""
        for connection in self._open:
            if connection.credential is not None and connection.credential.identity == identity:
                connection.invitations_changed()

    async def _check_handshake(self, scope: Scope) -> Credential | None:
        """Return the credential of a connection. Raises `DicecupError` if the handshake is
        refused."""
        self._origins.check(scope)
        path = scope["path"]
        named = path.removeprefix(PATH) if path.startswith(PATH) else path.removeprefix(tournament_sockets.PATH)
        if path != lobby.PATH and (named == path or not TABLE.fullmatch(named)):
            raise WebError(WebCode.NO_SUCH_PAGE)
        self._origins.check_origin(scope)
        return await identify(self._context.tables, self._context.signer, scope["headers"])


def _kind(path: str) -> type[Connection]:
    """Return the kind of connection that a path asks for."""
    if path == lobby.PATH:
        return lobby.LobbyConnection
    return TournamentConnection if path.startswith(tournament_sockets.PATH) else TableConnection


class TableConnection(Connection):
    """One connection to one table."""

    FROM_CLIENT: ClassVar[TypeAdapter[Any]] = FROM_CLIENT
    __slots__ = ("_key", "_table")

    def __init__(self, context: AppContext, scope: Scope, credential: Credential | None, receive: Receive, send: Send) -> None:
        super().__init__(context, scope, credential, receive, send)
        self._table = scope["path"].removeprefix(PATH)
        self._key: str | None = None

    def invitations_changed(self) -> None:
        """Tell the client to ask for its invitations."""
        self.tell_soon(Invited(type="invited"))

    async def serve(self, hello: Hello) -> None:
        """Send the updates of the table and carry out commands."""
        self._key = hello.key
        identity = self.credential and self.credential.identity
        tables = self.context.tables
        async with tables.subscribe(self._table, identity, hello.key, hello.since, self._deliver) as updates:
            await self.exchange(_messages(updates))

    def _deliver(self, update: PublishedUpdate) -> bool:
        """Send an update now, or return `False` if it has to wait."""
        return not self._closed and self._write_now is not None and self._write_now(update.text)

    async def handle(self, sent: Do) -> None:
        """Carry out a command and answer it with `Done` or a refusal.

        Every answer is counted in the metrics.
        """
        commands = self.context.metrics.commands
        try:
            if self.credential is None:
                raise WebError(WebCode.NO_IDENTITY)  # noqa: TRY301 answered like any refusal
            with self.context.metrics.seconds.time():
                number = await self.context.tables.send(
                    self._table,
                    self.credential.identity,
                    sent.command,
                    version=sent.version,
                    command_id=sent.id,
                    key=self._key,
                    budget=self.context.budget(self.address),
                )
                # subscribers get the update before the actor gets the answer
                await asyncio.sleep(0)
        except DicecupError as error:
            commands.labels(str(error.code)).inc()
            await self.refuse(sent.id, error)
        except Exception:
            commands.labels(WebCode.FAULT).inc()
            log.exception("fault", table=self._table)
            await self.refuse(sent.id, WebError(WebCode.FAULT))
        else:
            commands.labels("done").inc()
            await self.send(Done(type="done", id=sent.id, number=number))


async def _messages(updates: AsyncIterator[PublishedUpdate]) -> AsyncIterator[str]:
    """Yield each update as a message."""
    async for update in updates:
        yield update.text
        del update  # no view is kept in memory while the next update is awaited
