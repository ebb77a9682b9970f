"""A server's tables for a program: `async with Client(url) as client`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self, TypeVar

import httpx

from dicecup.client.errors import ClientCode, ClientError, Refused
from dicecup.client.links import TableLink
from dicecup.client.table import Table
from dicecup.table.setup import Setup, setup_to_json

PATIENCE: Final = httpx.Timeout(30, connect=10)
"""Seconds for an answer; the server's own limits are stricter but for reviews."""

Told = TypeVar("Told", "Made", "Transfer", "Outcome")


@dataclass(frozen=True, slots=True)
class Made:
    """A new table: its id, the links to sit down and to watch with their secrets, and where they work: everywhere, local-network or
    this-device."""

    table: str
    join: str
    watch: str
    join_key: str
    watch_key: str
    reach: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """How another device, or program, becomes you too: once, with the `link` or its `secret`, until `expires` (seconds since 1970).
    `reach`: where the link works."""

    link: str
    secret: str
    expires: float
    reach: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """So many of your games of this kind were `won`, `drawn` or `lost`."""

    game: str
    outcome: str
    games: int


class Client:
    """Speaks for one identity: that of the `token`, else a new one, whose token can be kept for the next time."""

    def __init__(self, url: str, *, token: str | None = None, language: str = "en") -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._language = language
        self._http = self._connections()

    async def __aenter__(self) -> Self:
        """Raises `ClientError` (`unreachable`) and `Refused`."""
        try:
            if self.token is None:
                self.token = (await self._ask("POST", "/api/tokens"))["token"]
        except BaseException:
            await self._http.aclose()
            raise
        self._http.cookies.clear()
        self._http.headers["Authorization"] = f"Bearer {self.token}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    # --- Tables --------------------------------------------------------------------------------------------------------------

    async def create(self, setup: Setup, *, name: str = "", seats: Sequence[tuple[int, str]] = ()) -> Made:
        """A new table. You sit down as `name` on its first open seat, or on all of `seats` with these names. Raises `Refused`."""
        named = [{"seat": seat, "name": called} for seat, called in seats]
        made = await self._ask("POST", "/api/tables", {"setup": setup_to_json(setup), "name": name, "seats": named})
        return _of(Made, made)

    def table(self, table: str, *, key: str | None = None, since: int | None = None) -> Table:
        """A table to follow and to act at. `key`: the secret of a link, for those who do not sit there; `since`: the number of the last
        event that is known, 0 for the whole story."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept-Language": self._language}
        return Table(f"{re.sub('^http', 'ws', self.url)}/ws/tables/{table}", headers, key, since)

    async def tables(self) -> list[Mapping[str, Any]]:
        """Your tables, the newest first (docs/protocol.md)."""
        found: list[Mapping[str, Any]] = (await self._ask("GET", "/api/tables"))["tables"]
        return found

    async def look(self, table: str, *, key: str | None = None) -> Mapping[str, Any]:
        """The view of a table now. Raises `Refused`."""
        found: Mapping[str, Any] = (await self._ask("GET", f"/api/tables/{table}", key=key))["view"]
        return found

    async def links(self, table: str) -> Made:
        """The links of a table at which you sit. Raises `Refused`."""
        return _of(Made, await self._ask("GET", f"/api/tables/{table}/links"))

    async def next(self, table: str, *, key: str | None = None) -> TableLink:
        """The link to watch what those play next who played here: a rematch, the next game of a match. Raises `Refused`."""
        return TableLink.read((await self._ask("GET", f"/api/tables/{table}/next", key=key))["watch"])

    async def record(self, table: str, *, key: str | None = None) -> str:
        """The record as a text. Raises `Refused`."""
        return (await self._answer("GET", f"/api/tables/{table}/record", key=key)).text

    # --- You -----------------------------------------------------------------------------------------------------------------

    async def outcomes(self) -> list[Outcome]:
        """How your games ended."""
        return [_of(Outcome, found) for found in (await self._ask("GET", "/api/me"))["outcomes"]]

    async def statistics(self) -> Mapping[str, Any]:
        """Your finished games with losses, luck and dice; `waiting`: how many are still being reviewed."""
        return await self._ask("GET", "/api/statistics")

    async def dice(self) -> Mapping[str, Any]:
        """What all of the server's dice showed, with confidence bands."""
        return await self._ask("GET", "/api/dice")

    async def transfer(self) -> Transfer:
        """What makes another device you too."""
        return _of(Transfer, await self._ask("POST", "/api/transfers"))

    async def redeem(self, secret: str) -> str:
        """Makes you whoever made the transfer with this secret; the new `token`. Raises `Refused`; then you are who you were."""
        async with self._connections() as device:  # the server tells a new device who it is by a cookie
            await self._answer("POST", "/api/transfers/redeem", {"secret": secret}, http=device)
            token: str = (await self._answer("POST", "/api/tokens", http=device)).json()["token"]
        self.token = token
        self._http.headers["Authorization"] = f"Bearer {token}"
        return token

    # --- Analyses ------------------------------------------------------------------------------------------------------------

    async def odds(self, game: str = "yam-master", **moment: Any) -> Mapping[str, Any]:
        """As `dicecup odds --json`. Raises `Refused`."""
        return await self._ask("POST", "/api/odds", {"game": game, **moment})

    async def analysis(self, game: str, position: str) -> Mapping[str, Any]:
        """As `dicecup analyse POSITION --json`. Raises `Refused`."""
        return await self._ask("POST", "/api/analysis", {"game": game, "position": position})

    async def review(self, record: str) -> Mapping[str, Any]:
        """As `dicecup analyse RECORD --json`, of a game that is over. Raises `Refused`."""
        return await self._ask("POST", "/api/review", {"record": record})

    # --- Requests ------------------------------------------------------------------------------------------------------------

    def _connections(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, headers={"Accept-Language": self._language})

    async def _ask(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = (await self._answer(method, path, body, key=key)).json()
        return answer

    async def _answer(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, http: httpx.AsyncClient | None = None
    ) -> httpx.Response:
        headers = {} if key is None else {"Dicecup-Key": key}
        try:
            answer = await (http or self._http).request(method, path, json=body, headers=headers)
        except httpx.HTTPError as error:
            raise ClientError(ClientCode.UNREACHABLE, text=self.url, why=type(error).__name__) from None
        if answer.is_success:
            return answer
        try:
            told = answer.json()["error"]
        except (ValueError, KeyError, TypeError):
            raise ClientError(ClientCode.UNREACHABLE, text=self.url, why=answer.status_code) from None
        raise Refused.of(told)


def _of(kind: type[Told], found: Mapping[str, Any]) -> Told:
    """What a server tells, without what a later one tells besides."""
    return kind(**{field.name: found[field.name] for field in fields(kind)})
