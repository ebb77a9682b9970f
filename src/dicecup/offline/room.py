"""The room: one object that answers the requests and the connections of a page without a server.

The caller waits for the end of a call before the next one, and calls `tick` when
`seconds_to_tick` says so. All arguments and answers are texts, numbers and `None`, so that they can
come from another language.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from dicecup.core.errors import DicecupError
from dicecup.locale import DEFAULT_LANGUAGE, LANGUAGES
from dicecup.offline.engine import Engine
from dicecup.offline.errors import OfflineCode, OfflineError, expected
from dicecup.offline.messages import Do, Hello, Ping, message_of
from dicecup.offline.requests import Requests
from dicecup.offline.store import Store
from dicecup.offline.tables import Json, Subscriber, Tables
from dicecup.sentences import refusal_json
from dicecup.table.errors import TableCode

STATUS: Final = {
    OfflineCode.NOT_A_MESSAGE: 400,
    OfflineCode.NO_SUCH_PAGE: 404,
    OfflineCode.NO_SUCH_TABLE: 404,
    TableCode.NO_SUCH_TURN: 404,
    OfflineCode.STALE_VERSION: 409,
    OfflineCode.BUSY: 503,
    OfflineCode.NO_TABLE_FILE: 503,
    OfflineCode.DEVICE_FULL: 507,
    OfflineCode.DEVICE_REFUSED: 503,
    OfflineCode.DEVICE_FAULT: 500,
}
"""HTTP status by code; 422 for all others."""
NO_HELLO: Final = 4400
NO_TABLE: Final = 4404
FAULT: Final = 1011
TRY_AGAIN: Final = 1013
CLOSED_WITH: Final = {
    OfflineCode.NO_SUCH_TABLE: NO_TABLE,
    OfflineCode.TABLE_INCOMPLETE: NO_TABLE,
    OfflineCode.BUSY: TRY_AGAIN,
    OfflineCode.DEVICE_FULL: TRY_AGAIN,
    OfflineCode.DEVICE_REFUSED: TRY_AGAIN,
    OfflineCode.DEVICE_FAULT: FAULT,
}
"""Close code of a connection whose first message is refused; 4400 for all other reasons."""


class Room:
    """Tables on one device.

    `send(connection, text)` sends a message to a connection, `close(connection, code)` closes it
    with a close code of docs/protocol.md. The other arguments are those of `Tables`.
    """

    def __init__(
        self,
        store: Store,
        key: bytes,
        engine: Engine,
        clock: Callable[[], float],
        new_id: Callable[[], str],
        send: Callable[[int, str], object],
        close: Callable[[int, int], object],
    ) -> None:
        self._tables = Tables(store, key, engine, clock, new_id)
        self._requests = Requests(self._tables, clock)
        self._send = send
        self._close = close
        self._connections: dict[int, Subscriber] = {}
        """The connections that have said hello."""
        self._opened: dict[int, str] = {}
        """The tables of the others."""
        self._languages: dict[int, str] = {}

    # --- Requests ---------------------------------------------------------------------------------

    async def request(self, method: str, path: str, body: str, language: str) -> str:
        """Return the answer to a request as JSON: `status`, and `text` or `json`."""
        try:
            status, answer = await self._requests.answer(method, path, body)
        except Exception as raised:  # noqa: BLE001 every request has an answer
            error = expected(raised)
            status = STATUS.get(error.code, 422)
            answer = {"error": refusal_json(error, _known(language))}
        return _text({"status": status, "text" if isinstance(answer, str) else "json": answer})

    # --- Connections ------------------------------------------------------------------------------

    def open(self, connection: int, table: str, language: str) -> None:
        """Open a connection to a table. `connection` is a number of the caller's choice."""
        self._opened[connection] = table
        self._languages[connection] = _known(language)

    async def receive(self, connection: int, text: str) -> None:
        """Handle a message of a connection."""
        try:
            message = message_of(text)
            if connection in self._opened:
                await self._greet(connection, message)
            elif connection in self._connections:
                await self._handle(connection, message)
        except Exception as raised:  # noqa: BLE001 every message has an answer
            error = expected(raised)
            self._refuse(connection, None, error)
            if connection in self._opened:
                self._end(connection, CLOSED_WITH.get(error.code, NO_HELLO))  # type: ignore[call-overload]  # any code

    def closed(self, connection: int) -> None:
        """Forget a connection that the page has closed."""
        self._opened.pop(connection, None)
        self._languages.pop(connection, None)
        if (subscriber := self._connections.pop(connection, None)) is not None:
            self._tables.unsubscribe(subscriber)

    async def _greet(self, connection: int, message: Hello | Do | Ping) -> None:
        """Answer the first message. Raises `DicecupError` if it is no hello, or for an unknown
        table."""
        if not isinstance(message, Hello):
            raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="type", why="hello")
        self._languages[connection] = _known(message.language or self._languages[connection])
        subscriber = Subscriber(self._opened[connection], lambda update: self._pass(connection, update))
        await self._tables.subscribe(subscriber, message.since)
        del self._opened[connection]
        self._connections[connection] = subscriber

    async def _handle(self, connection: int, message: Hello | Do | Ping) -> None:
        """Carry out a command, or answer a ping. Raises `OfflineError` for a second hello."""
        if isinstance(message, Hello):
            raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="type", why="hello")
        if isinstance(message, Ping):
            self._pass(connection, {"type": "pong"})
            return
        try:
            number = await self._tables.send(self._connections[connection].table, message)
        except Exception as raised:  # noqa: BLE001 every command has an answer
            self._refuse(connection, message.id, expected(raised))
        else:
            self._pass(connection, {"type": "done", "id": message.id, "number": number})

    def _refuse(self, connection: int, command: str | None, error: DicecupError) -> None:
        told = refusal_json(error, self._languages.get(connection, DEFAULT_LANGUAGE))
        self._pass(connection, {"type": "refused", "id": command, "error": told})

    def _end(self, connection: int, code: int) -> None:
        self.closed(connection)
        self._close(connection, code)

    def _pass(self, connection: int, message: Json) -> None:
        self._send(connection, _text(message))

    # --- Time and other pages ---------------------------------------------------------------------

    def seconds_to_tick(self) -> float | None:
        """Return after how many seconds `tick` has something to do, `None` for never."""
        return self._tables.seconds_to_tick()

    async def tick(self) -> None:
        """Let time pass and computers play, one step at each table."""
        await self._tables.tick()

    async def changed(self, table: str) -> None:
        """Take over what another page has saved at a table."""
        try:
            await self._tables.refresh(table)
        except Exception as error:  # noqa: BLE001 the next change of this page reads it
            expected(error)


def _known(language: str) -> str:
    return language if language in LANGUAGES else DEFAULT_LANGUAGE


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
