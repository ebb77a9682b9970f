"""Tournaments of a server, as `Client.tournament` returns them."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from random import uniform
from secrets import token_hex
from typing import Any, Final, TypeAlias

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from dicecup.client.client_errors import ClientCode, ClientError, ServerRefusal
from dicecup.client.remote_table import RemoteTable
from dicecup.client.seat_agent import Choose
from dicecup.tournament.commands import Enter, Finish, StartRound, TournamentCommand, tournament_command_to_json

Ask: TypeAlias = Callable[..., Awaitable[dict[str, Any]]]
"""Function that sends a request and returns the answer."""
Fetch: TypeAlias = Callable[[str], Awaitable[bytes]]
"""Function that returns the body of an answer."""
Open: TypeAlias = Callable[[str], RemoteTable]
"""Function that returns a table by its id."""
DELAY: Final = 1.0
"""Seconds after which a client connects again at the latest."""
FINAL: Final = frozenset({4400, 4401, 4403, 4404})
"""Codes with which the server closes a connection for good."""


class RemoteTournament:
    """A tournament of a server. `number` is that of the newest event that this client has seen."""

    def __init__(self, tournament: str, ask: Ask, fetch: Fetch, table: Open, socket: str, headers: Mapping[str, str]) -> None:
        self.tournament = tournament
        self.number = 0
        self._path = f"/api/tournaments/{tournament}"
        self._ask = ask
        self._fetch = fetch
        self._table = table
        self._socket = socket
        self._headers = headers

    async def look(self) -> Mapping[str, Any]:
        """Return the members `view` and `you` (docs/protocol.md). Raises `ServerRefusal`."""
        seen = await self._ask("GET", self._path)
        self.number = max(self.number, seen["view"]["number"])
        return seen

    async def do(self, command: TournamentCommand, *, version: int | None = None) -> int:
        """Send a command for the newest event that was seen, or for event `version`, and return the
        number of its last event. Raises `ServerRefusal`."""
        body = {
            "id": token_hex(8),
            "version": self.number if version is None else version,
            "command": tournament_command_to_json(command),
        }
        number: int = (await self._ask("POST", f"{self._path}/commands", body))["number"]
        self.number = max(self.number, number)
        return number

    async def round(self, number: int) -> Mapping[str, Any]:
        """Return a round with all its pairings. Raises `ServerRefusal`."""
        return await self._ask("GET", f"{self._path}/rounds/{number}")

    async def crosstable(self) -> Mapping[str, Any]:
        """Return what each entrant did in each round. Raises `ServerRefusal`."""
        return await self._ask("GET", f"{self._path}/crosstable")

    async def log(self, since: int = 0) -> list[Mapping[str, Any]]:
        """Return the events after a number. Raises `ServerRefusal`."""
        found: list[Mapping[str, Any]] = (await self._ask("GET", f"{self._path}/log?since={since}"))["events"]
        return found

    async def pdf(self, page: str, language: str = "en", *, number: int | None = None) -> bytes:
        """Return the page `pairings`, `standings` or `crosstable` as PDF; pairings of round
        `number`, by default of the last one. Raises `ServerRefusal`."""
        which = "" if number is None else f"&round={number}"
        return await self._fetch(f"{self._path}/{page}.pdf?lang={language}{which}")

    async def changes(self) -> AsyncIterator[Mapping[str, Any]]:
        """Yield what concerns you, at first and whenever the tournament changes (docs/protocol.md,
        `TournamentChanged`), until the tournament is over.

        Connects again when the connection breaks. Raises `ServerRefusal`, and `ClientError`
        (`left`, `unreachable`) if the server ends the connection for good.
        """
        while True:
            try:
                async with connect(
                    self._socket, additional_headers=self._headers, compression=None, user_agent_header=None
                ) as connection:
                    await connection.send(json.dumps({"type": "hello"}))
                    while True:
                        message: Mapping[str, Any] = json.loads(await connection.recv())
                        if message["type"] == "refused":
                            raise ServerRefusal.from_json(message["error"])
                        if message["type"] != "tournament":
                            continue
                        self.number = max(self.number, message["number"])
                        yield message
                        if message["stage"] == "over":
                            return
            except ConnectionClosed as error:
                if error.rcvd is not None and error.rcvd.code in FINAL:
                    raise ClientError(ClientCode.LEFT, why=error.rcvd.code) from None
            except InvalidStatus as error:
                if error.response.status_code in (401, 403, 404):
                    raise ClientError(ClientCode.UNREACHABLE, text=self._socket, why=error.response.status_code) from None
            except (OSError, InvalidHandshake):  # a timeout is an OSError
                pass
            await asyncio.sleep(uniform(DELAY / 2, DELAY))

    async def play(self, name: str, choose: Choose) -> None:
        """Enter as `name`, and play at each table of the tournament until it is over.

        `choose` returns one of `view["actions"]`, or `None` to resign. Raises `ServerRefusal` and
        `ClientError`.
        """
        await self.look()
        await self.do(Enter(name))
        async for change in self.changes():
            table = change["you"]["table"]
            if table is not None and change["stage"] != "over":
                async with self._table(table) as remote:
                    await remote.play(choose)

    async def hold(self, entrants: int, *, games: int | None = None) -> list[Mapping[str, Any]]:
        """Lead the tournament: begin its first round when `entrants` people have entered, and
        return the standings when it is over.

        Its setup says when further rounds begin. With `games` it is finished after that many
        results; without them an arena lasts its time. Raises `ServerRefusal` and `ClientError`.
        """
        view: Mapping[str, Any] = {}
        async for _ in self.changes():
            view = (await self.look())["view"]
            command: TournamentCommand | None = None
            if view["stage"] == "open" and len(view["entrants"]) >= entrants:
                command = StartRound()
            elif view["stage"] == "running" and games is not None and _results(view) >= games:
                command = Finish()
            try:
                if command is not None:
                    await self.do(command)
            except ServerRefusal as refusal:
                if refusal.code != "stale-version":  # the next change shows what came between
                    raise
        found: list[Mapping[str, Any]] = (await self.look())["view"]["standings"]
        return found


def _results(view: Mapping[str, Any]) -> int:
    return sum(pairing["result"] is not None for pairing in view["pairings"])
