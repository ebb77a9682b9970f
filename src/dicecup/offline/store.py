"""The store of a room without a server: the events of its tables, a line of each for lists, and the
finished games that a server has not got yet.

The browser keeps them in IndexedDB (`ui/src/device/browserStore.ts`).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol

from dicecup.offline.errors import OfflineCode, OfflineError


class Row(NamedTuple):
    """A stored event.

    `body` is its JSON text; `time` in seconds since 1970; `command` the id of the command that made
    it and the events before it, empty for events without a command and for all but the last.
    """

    number: int
    time: float
    body: str
    command: str


@dataclass(frozen=True, slots=True)
class Append:
    """New events of a table, and its new line in the list as JSON text. `joins`: where they end the
    game, the body of the request that adds it to the statistics on a server (docs/protocol.md).
    `origin`: the table of a server whose game goes on here, if any. `returns`: the body of the
    request that hands the game back to it as it is now, where that is possible now."""

    table: str
    rows: tuple[Row, ...]
    line: str
    joins: str | None = None
    origin: str | None = None
    returns: str | None = None


class Store(Protocol):
    """A place that keeps the events of tables. All methods raise `OfflineError` (`device-full`,
    `device-refused`); then nothing has changed."""

    async def append(self, appends: Sequence[Append]) -> bool:
        """Save events, lines and finished games, all or none of them.

        A game with an `origin` joins nothing before the server has refused to take it back.

        Return `False`, and save nothing, if an event with one of these numbers exists: another page
        has changed the table.
        """

    async def rows(self, table: str, after: int) -> list[Row]:
        """Return the events of a table after a number, in order; none for an unknown table."""

    async def lines(self) -> list[str]:
        """Return the lines of all tables, in any order."""


class BrowserStore(Protocol):
    """What a browser offers to `JsonStore`: the methods of `Store` with JSON texts. An answer
    `{"refused": code}` stands for an error."""

    async def append(self, appends: str) -> str:
        """Save a list of `{"table", "rows", "line", "joins", "origin", "returns"}`. Return a truth
        value."""

    async def rows(self, table: str, after: int) -> str:
        """Return a list of `[number, time, body, command]`."""

    async def lines(self) -> str:
        """Return a list of texts."""


class JsonStore:
    """A `Store` in a browser. Texts cross between the languages, and nothing else, so that nothing
    keeps an object of the other one alive."""

    def __init__(self, browser: BrowserStore) -> None:
        self._browser = browser

    async def append(self, appends: Sequence[Append]) -> bool:
        listed = [asdict(each) for each in appends]
        return bool(_answer(await self._browser.append(json.dumps(listed))))

    async def rows(self, table: str, after: int) -> list[Row]:
        return [Row(*row) for row in _answer(await self._browser.rows(table, after))]

    async def lines(self) -> list[str]:
        lines: list[str] = _answer(await self._browser.lines())
        return lines


def _answer(text: str) -> Any:
    """Return the value of an answer. Raises `OfflineError` for a refusal."""
    found = json.loads(text)
    if isinstance(found, dict):
        raise OfflineError(OfflineCode(found["refused"]))
    return found
