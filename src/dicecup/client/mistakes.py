"""Requests about cards of your own mistakes: `client.mistakes`."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote, urlencode


class Mistakes:
    """The cards of a client's identity (docs/learning.md).

    `ask` returns the JSON of an answer, `content` its bytes; `send` sends a request whose answer is
    empty. Days are counted from 1970. All methods raise `ServerRefusal`; the answers are those of
    docs/protocol.md.
    """

    def __init__(
        self,
        ask: Callable[..., Awaitable[dict[str, Any]]],
        content: Callable[[str], Awaitable[bytes]],
        send: Callable[[str, str], Awaitable[object]],
    ) -> None:
        self._ask = ask
        self._send = send
        self._content = content

    async def portion(self, day: int | None = None) -> dict[str, Any]:
        """Return the cards of a day, by default of today in UTC, and the loss by theme. While games
        are `waiting`, a later call returns more."""
        return await self._ask("GET", "/api/mistakes" + ("" if day is None else f"?{urlencode({'day': day})}"))

    async def drill(self, game: str, theme: str) -> dict[str, Any]:
        """Return cards of one theme of a game, due or not."""
        return await self._ask("GET", f"/api/mistakes?{urlencode({'game': game, 'theme': theme})}")

    async def puzzles(self, language: str = "en") -> bytes:
        """Return ten of your costliest mistakes as a PDF with the solutions overleaf."""
        return await self._content(f"/api/mistakes/puzzles.pdf?{urlencode({'lang': language})}")

    async def answer(self, card: str, day: int, played: str, seconds: float = 30.0) -> int | None:
        """Save the answer to a card, and return the day on which it returns; `None` for an unknown
        card. The first answer on a day counts."""
        given = {"card": card, "day": day, "played": played, "seconds": seconds}
        due: dict[str, int] = (await self._ask("POST", "/api/mistakes/answers", {"answers": [given]}))["due"]
        return due.get(card)

    async def remove(self, card: str) -> None:
        """Remove a card: it is not asked again, and its mistake makes no new one."""
        await self._send("DELETE", f"/api/mistakes/cards/{quote(card, safe='')}")
