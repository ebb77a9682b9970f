"""Requests about duplicate events, whose entrants all have the same dice: `client.events`."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from dicecup.table.codec import to_json
from dicecup.table.setup import Clock


class Events:
    """The duplicate events of a server, for the identity of a client.

    `ask` returns the JSON of an answer, `content` its bytes. All methods raise `ServerRefusal`; the
    answers are those of docs/protocol.md.
    """

    def __init__(self, ask: Callable[..., Awaitable[dict[str, Any]]], content: Callable[[str], Awaitable[bytes]]) -> None:
        self._ask = ask
        self._content = content

    async def today(self) -> Mapping[str, Any]:
        """Return the challenges of today, with your entries."""
        return await self._ask("GET", "/api/events/today")

    async def calendar(self, first: str, last: str) -> Mapping[str, Any]:
        """Return the challenges from one day to another, as `2026-11-24`."""
        return await self._ask("GET", f"/api/events/calendar?{urlencode({'first': first, 'last': last})}")

    async def look(self, event: str) -> Mapping[str, Any]:
        """Return an event with its results."""
        return await self._ask("GET", _path(event))

    async def enter(self, event: str, *, name: str, key: str | None = None) -> str | None:
        """Enter an event, once, and return the id of your table; `None` in a pair or at a table of
        four until all have come.

        `key`: the key of the link to a pair or a table of four.
        """
        table: str | None = (await self._ask("POST", f"{_path(event)}/entries", {"name": name, "key": key}))["table"]
        return table

    async def practise(self, event: str, *, name: str) -> str:
        """Play the dice of a past challenge out of competition, and return the id of the table."""
        table: str = (await self._ask("POST", f"{_path(event)}/practice", {"name": name}))["table"]
        return table

    async def invite(
        self, kind: str, game: str, clock: Clock | None = None, *, name: str, rated: bool = False
    ) -> Mapping[str, Any]:
        """Make a pair of duels (`pair`) or a table of four (`four`), enter it, and return it with
        the link for the others. `rated`: its games together change the ratings of its people."""
        body = {"kind": kind, "game": game, "clock": clock and to_json(clock), "rated": rated, "name": name}
        return await self._ask("POST", "/api/events", body)

    async def file(self, event: str) -> str:
        """Return all games of an event that is over, for `dicecup verify`."""
        return (await self._content(f"{_path(event)}/file")).decode()


def _path(event: str) -> str:
    return f"/api/events/{quote(event, safe='')}"
