"""The lobby of a server: finding an opponent, and the open tables."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from random import uniform
from secrets import token_hex
from typing import Any, Final, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from dicecup.client.client_errors import ClientCode, ClientError, ServerRefusal
from dicecup.client.remote_table import FINAL_CLOSE_CODES
from dicecup.table.codec import to_json
from dicecup.table.setup import Clock

DELAY: Final = 1.0
"""Seconds between two attempts to connect."""

Answer = TypeVar("Answer")


async def find_opponent(
    url: str, headers: Mapping[str, str], game: str, clock: Clock | None, name: str, *, rated: bool = False
) -> str:
    """Wait until an opponent is found and both have come, and return the id of their table.

    `url` is that of the lobby's WebSocket. A broken connection is replaced; the request is the same
    one. Raises `ServerRefusal`, and `ClientError` (`left`) if the server ends the connection for
    good.
    """
    wanted = None if clock is None else to_json(clock)
    request = {"type": "seek", "id": token_hex(8), "game": game, "clock": wanted, "rated": rated, "name": name}
    return await _in_lobby(url, headers, [request], lambda connection: _table(connection, request["id"]))


async def open_tables(url: str, headers: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """Return the open tables of the lobby. Raises as `find_opponent`."""
    return await _in_lobby(url, headers, (), _first_board)


async def _in_lobby(
    url: str,
    headers: Mapping[str, str],
    requests: Iterable[Mapping[str, object]],
    receive: Callable[[ClientConnection], Awaitable[Answer]],
) -> Answer:
    """Send requests to the lobby and return what `receive` returns, on another connection if the
    first one breaks. Raises what `receive` raises, and `ClientError`."""
    while True:
        try:
            async with connect(url, additional_headers=headers, compression=None, user_agent_header=None) as connection:
                for message in ({"type": "hello"}, *requests):
                    await connection.send(json.dumps(message))
                return await receive(connection)
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.code in FINAL_CLOSE_CODES:
                raise ClientError(ClientCode.LEFT, why=error.rcvd.code) from None
        except InvalidStatus as error:
            if error.response.status_code in (401, 403, 404):
                raise ClientError(ClientCode.UNREACHABLE, text=url, why=error.response.status_code) from None
        except (OSError, InvalidHandshake):  # a timeout is an OSError
            pass
        await asyncio.sleep(uniform(DELAY / 2, DELAY))


async def _first_board(connection: ClientConnection) -> list[Mapping[str, Any]]:
    """Return the tables in the first message about the lobby. Raises `ServerRefusal` and
    `ConnectionClosed`."""
    while True:
        message: Mapping[str, Any] = json.loads(await connection.recv())
        if message["type"] == "refused":
            raise ServerRefusal.from_json(message["error"])
        if message["type"] == "lobby":
            return list(message["tables"])


async def _table(connection: ClientConnection, request: object) -> str:
    """Return the table of the pair once both people have come to it. Raises `ServerRefusal` if the
    request is refused, and `ConnectionClosed`."""
    table = ""
    while True:
        message: Mapping[str, Any] = json.loads(await connection.recv())
        if message["type"] == "refused":
            raise ServerRefusal.from_json(message["error"])
        if message["type"] != "seek":
            continue
        if (seek := message["seek"]) is not None and seek["id"] == request:
            if seek["table"] and seek["table"] != table:
                await connection.send(json.dumps({"type": "arrive", "table": seek["table"]}))
            table = seek["table"] or ""
        elif table:
            return table
