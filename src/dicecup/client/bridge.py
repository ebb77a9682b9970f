"""An engine at a table: it sits down as a person would, and plays until its games are over."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from dicecup.client.client import Client
from dicecup.client.client_errors import ClientCode, ClientError, ServerRefusal
from dicecup.client.links import TableLink
from dicecup.client.remote_table import TOO_LATE, RemoteTable, TableUpdate
from dicecup.client.seat_agent import SeatAgent
from dicecup.core.errors import DicecupError
from dicecup.table.commands import AnswerDraw, Command, Rematch, Resign, Sit

View: TypeAlias = Mapping[str, Any]
Found = TypeVar("Found")

MARGIN: Final = 0.5
"""Seconds of the table's clock that are kept for the way to the server."""
LEAST: Final = 0.05
"""The shortest time for a decision, in seconds."""


class TextEngine(Protocol):
    """An engine that chooses among texts. `OutsideEngine` is one."""

    def new_game(self, game_id: str, seed: str = "") -> None:
        """Begin a game."""

    def choose_in_turn(self, number: int, position: str, actions: Sequence[str]) -> str:
        """Return one of the actions within the engine's own time for a turn."""

    def decide(self, position: str, actions: Sequence[str], seconds: float) -> str:
        """Return one of the actions within some seconds."""

    def kill(self) -> None:
        """End the engine while another thread waits for it."""


class Bridge:
    """A program that plays one person's seat with an engine. `name` is the name at the table."""

    def __init__(self, client: Client, engine: TextEngine, name: str) -> None:
        self._client = client
        self._engine = engine
        self._name = name
        self._agent = SeatAgent()
        self._chosen: tuple[str, str] | None = None
        """The last position that the engine was asked about, and its choice."""

    async def play(self, link: TableLink, games: int) -> AsyncIterator[View]:
        """Play `games` games, and the games of a match to their end.

        Yields the view of each table when the engine sits there, and when the game is over. After a
        game the engine asks for a rematch if more are wanted. Raises `DicecupError`: an error of
        the engine after it has resigned, and what the server refuses.
        """
        table: str | None = link.table
        key = link.key
        while table is not None:
            games -= 1
            async with self._client.table(table, key=key) as remote:
                updates = aiter(remote)
                view = await self._sit(remote, updates)
                if view["result"] is None:
                    yield view
                    view = await self._play_game(remote, updates, view)
                yield view
                table, key = await self._following(remote, updates, view, games), None

    async def _sit(self, remote: RemoteTable, updates: AsyncIterator[TableUpdate]) -> View:
        """Take a seat and return the view from there. A seat of before is taken again."""
        async for update in updates:
            view = update.view
            if not view or update.number < remote.number:
                continue
            if view["dice_of"] == "table":
                raise ClientError(ClientCode.ENGINE_AT_REAL_DICE)
            if view["you"]:
                return view
            await self._send(remote, Sit(self._name), update.number)
        raise AssertionError

    async def _play_game(self, remote: RemoteTable, updates: AsyncIterator[TableUpdate], view: View) -> View:
        """Play until the game is over and return the last view."""
        self._chosen = None
        await self._ask(lambda: self._engine.new_game(view["game"]))
        number = view["number"]
        while view["result"] is None:
            if number >= remote.number and (command := await self._command(remote, view)) is not None:
                await self._send(remote, command, number)
            update = await anext(updates)
            while not update.view:
                update = await anext(updates)
            view, number = update.view, update.number
        return view

    async def _command(self, remote: RemoteTable, view: View) -> Command | None:
        """Return the command that the table waits for, `None` for none.

        Raises an error of the engine, after the engine has resigned.
        """
        if "answer-draw" in view["may"]:
            return AnswerDraw(accept=False)
        pending = view["demand"]
        if pending["what"] == "action" and (pending["seats"][0] not in view["you"] or not view["actions"]):
            return None  # the partner has not ended the throws yet
        if pending["what"] == "action" and (self._chosen is None or self._chosen[0] != view["position"]):
            try:
                self._chosen = view["position"], await self._ask(lambda: self._choose(view))
            except DicecupError:
                with suppress(ServerRefusal, ClientError):
                    await remote.send(Resign())
                raise
        return self._agent.command(view, lambda _: self._chosen[1] if self._chosen else "")

    def _choose(self, view: View) -> str:
        """Return the engine's action. The table's clock counts, if it has one."""
        actions = [listed["action"] for listed in view["actions"]]
        deadline = view["demand"]["deadline"]
        if deadline is None:
            return self._engine.choose_in_turn(view["turn"]["number"], view["position"], actions)
        return self._engine.decide(view["position"], actions, max(LEAST, deadline - view["now"] - MARGIN))

    async def _ask(self, question: Callable[[], Found]) -> Found:
        """Return the engine's answer. The connection stays open meanwhile."""
        try:
            return await asyncio.to_thread(question)
        except asyncio.CancelledError:
            self._engine.kill()  # ends the thread
            raise

    async def _following(self, remote: RemoteTable, updates: AsyncIterator[TableUpdate], view: View, games: int) -> str | None:
        """Return the table of the next game, `None` if no more games are wanted."""
        match = view["match"]
        goes_on = match is not None and match["game"] < match["games"]
        if games <= 0 and not goes_on:
            return None
        number = view["number"]
        while (following := view["next"]) is None:
            if "rematch" in view["may"] and not all(view["seats"][seat]["wants_rematch"] for seat in view["you"]):
                await self._send(remote, Rematch(), number)
            update = await anext(updates)
            if update.view:
                view, number = update.view, update.number
        return str(following)

    async def _send(self, remote: RemoteTable, command: Command, number: int) -> None:
        """Send a command. One that came too late is decided anew with the next update."""
        try:
            await remote.send(command, version=number)
        except ServerRefusal as error:
            if error.code not in TOO_LATE:
                raise
