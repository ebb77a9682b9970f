"""A tournament over WebSocket: clients learn that it has changed, and ask for the view
(docs/protocol.md).

Views of large tournaments are long, and all connections of a tournament change at once.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar, Final

from pydantic import BaseModel, TypeAdapter
from starlette.types import Receive, Scope, Send

from dicecup.hosting.store.devices import Credential
from dicecup.tournament.state import TournamentState
from dicecup.tournament.views import own_view, stage
from dicecup.web.competition.tournament_messages import TOURNAMENT_FROM_CLIENT, TournamentHello
from dicecup.web.connection import Connection
from dicecup.web.context import AppContext

PATH: Final = "/ws/tournaments/"
PAUSE: Final = 1.0
"""Seconds between two messages of a connection."""


class TournamentConnection(Connection):
    """One connection to one tournament."""

    FROM_CLIENT: ClassVar[TypeAdapter[Any]] = TOURNAMENT_FROM_CLIENT
    HELLO: ClassVar[type[BaseModel]] = TournamentHello
    __slots__ = ("_tournament",)

    def __init__(self, context: AppContext, scope: Scope, credential: Credential | None, receive: Receive, send: Send) -> None:
        super().__init__(context, scope, credential, receive, send)
        self._tournament = scope["path"].removeprefix(PATH)

    async def serve(self, _: TournamentHello) -> None:
        """Send what changes."""
        async with self.context.tournaments.follow(self._tournament) as states:
            await self.exchange(self._messages(states))

    async def handle(self, message: object) -> None:
        """No message but a ping can come."""
        raise AssertionError(message)

    async def _messages(self, states: AsyncIterator[TournamentState]) -> AsyncIterator[Mapping[str, Any]]:
        """Yield a message for each state, with a pause after each."""
        async for state in states:
            identity = self.credential and self.credential.identity
            yield {
                "type": "tournament",
                "number": state.number,
                "stage": stage(state),
                "round": len(state.rounds),
                "you": own_view(state, identity, self.context.tables.clock()),
            }
            await asyncio.sleep(PAUSE)
