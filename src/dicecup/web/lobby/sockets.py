"""The lobby over WebSocket (docs/protocol.md)."""

from typing import ClassVar, Final

import structlog
from pydantic import BaseModel, TypeAdapter

from dicecup.core.errors import DicecupError
from dicecup.hosting.lobby.visitor import seek_message
from dicecup.hosting.people.accounts import check_account
from dicecup.hosting.quotas import COMMAND_BYTES, Quota
from dicecup.web.connection import Connection
from dicecup.web.guard import LIMITS
from dicecup.web.lobby.messages import LOBBY_FROM_CLIENT, Arrive, CancelSeek, LobbyHello, SeekOpponent
from dicecup.web.refusals import WebCode, WebError

PATH: Final = "/ws/lobby"

log = structlog.get_logger()


class LobbyConnection(Connection):
    """One connection to the lobby."""

    FROM_CLIENT: ClassVar[TypeAdapter[LobbyHello | SeekOpponent | CancelSeek | Arrive]] = LOBBY_FROM_CLIENT  # type: ignore[assignment]
    HELLO: ClassVar[type[BaseModel]] = LobbyHello
    __slots__ = ()

    async def serve(self, _: LobbyHello) -> None:
        """Send what happens in the lobby and handle requests."""
        lobby = self.context.tables.lobby
        async with lobby.visit(self.credential and self.credential.identity) as visitor:
            await self.exchange(visitor.messages(lambda: lobby.board))

    async def handle(self, message: SeekOpponent | CancelSeek | Arrive) -> None:
        """Carry out a request. Its outcome is a message about the seek, or a refusal."""
        lobby = self.context.tables.lobby
        request = message.id if isinstance(message, SeekOpponent) else None
        try:
            if self.credential is None:
                raise WebError(WebCode.NO_IDENTITY)  # noqa: TRY301 answered like any refusal
            identity = self.credential.identity
            match message:
                case SeekOpponent():
                    self._check_rate(is_new=not lobby.has_request(identity, message.id))
                    tables = self.context.tables
                    await check_account(tables.store, tables.settings, identity, rated=message.rated)
                    seek = await lobby.seek(
                        identity, message.id, message.game, message.clock, message.name, rated=message.rated
                    )
                    if not seek.is_open:  # a request that comes again after its end
                        await self.send(seek_message(seek, self.context.tables.clock()))
                case CancelSeek():
                    await lobby.cancel(identity)
                case Arrive():
                    await lobby.arrive(identity, message.table)
        except DicecupError as error:
            await self.refuse(request, error)
        except Exception:
            log.exception("fault", connection="lobby")
            await self.refuse(request, WebError(WebCode.FAULT))

    def _check_rate(self, *, is_new: bool) -> None:
        """Raise `DicecupError` if the address asked for opponents too often: `too-many-requests` in
        a short time, `too-much-today` if it may make no more tables. A request that comes again,
        because the connection was lost, makes no further table."""
        if not self.context.seeks.allows(self.address):
            self.context.reached(LIMITS["too-many-requests"], self.address)
            raise WebError(WebCode.TOO_MANY_REQUESTS)
        if is_new:
            self.context.take(Quota.BYTES, self.address, COMMAND_BYTES)
            self.context.take(Quota.TABLES, self.address)
