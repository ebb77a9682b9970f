"""HTTP client of a server: `async with Client(url) as client`."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from ssl import SSLContext
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote, urlencode

import httpx

from dicecup.client.client_errors import ClientCode, ClientError, ServerRefusal
from dicecup.client.events import Events
from dicecup.client.links import TableLink
from dicecup.client.mistakes import Mistakes
from dicecup.client.opponent import find_opponent, open_tables
from dicecup.client.remote_table import RemoteTable
from dicecup.client.seat_agent import Choose
from dicecup.client.tournaments import RemoteTournament
from dicecup.core.shown_url import shown_url
from dicecup.table.setup import Clock, Setup, setup_to_json
from dicecup.tournament.setup import TournamentSetup, tournament_setup_to_json

TIMEOUT: Final = httpx.Timeout(30, connect=10, read=300)
"""Seconds. An answer takes as long as a computation; the server ends one that takes too long, and
says so."""
LIMITS: Final = httpx.Limits(keepalive_expiry=2)
"""Seconds after which an idle connection is not used again. Servers close it after 5 s, and a
request that is sent at that moment would fail."""

Answer = TypeVar("Answer", "TableLinks", "TransferLink", "OutcomeCount")


@dataclass(frozen=True, slots=True)
class TableLinks:
    """Id of a table, the links to join and to watch it, their keys, and where the links work.

    `reach` is `everywhere`, `local-network` or `this-device`.
    """

    table: str
    join: str
    watch: str
    join_key: str
    watch_key: str
    reach: str


@dataclass(frozen=True, slots=True)
class TransferLink:
    """Link that gives another device or program this identity, once, until `expires` (seconds since
    1970).

    `secret` is the secret in the link. `reach` says where the link works.
    """

    link: str
    secret: str
    expires: float
    reach: str


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """Number of finished games of one kind with one outcome: `won`, `drawn` or `lost`."""

    game: str
    outcome: str
    games: int


@cache
def _certificates() -> SSLContext:
    """Return the certificates that all clients trust. Reading them takes longer than a request."""
    return httpx.create_ssl_context()


class Client:
    """Client with one identity: that of `token`, or a new one. Save `client.token` to use the same
    identity again."""

    def __init__(self, url: str, *, token: str | None = None, language: str = "en") -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._language = language
        self._http = self._connections()
        self.events = Events(self._ask, self._content)
        """Duplicate events, whose entrants all have the same dice."""
        self.mistakes = Mistakes(self._ask, self._content, self._answer)
        """Cards of your own mistakes."""

    async def __aenter__(self) -> Self:
        """Get a token if there is none. Raises `ClientError` (`unreachable`) and
        `ServerRefusal`."""
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

    # --- Tables -----------------------------------------------------------------------------------

    async def create(self, setup: Setup, *, name: str = "", seats: Sequence[tuple[int, str]] = ()) -> TableLinks:
        """Create a table and sit down as `name` on its first open seat, or on all of `seats` with
        their names.

        Raises `ServerRefusal`.
        """
        named = [{"seat": seat, "name": called} for seat, called in seats]
        body = {"setup": setup_to_json(setup), "name": name, "seats": named}
        return _read(TableLinks, await self._ask("POST", "/api/tables", body))

    def table(self, table: str, *, key: str | None = None, since: int | None = None) -> RemoteTable:
        """Return a table to follow and to act at.

        `key` is the key of a link, for people without a seat there. `since` is the number of the
        last known event; 0 asks for all events.
        """
        return RemoteTable(f"{self._sockets}/ws/tables/{table}", self._headers, key, since)

    async def play(self, table: str, choose: Choose) -> Mapping[str, Any]:
        """Play the seats of this identity at a table until the game is over, and return the last
        view.

        `choose` returns one of `view["actions"]`, or `None` to resign. Raises `ServerRefusal` and
        `ClientError`.
        """
        async with self.table(table) as remote:
            return await remote.play(choose)

    async def find_opponent(self, game: str, clock: Clock | None = None, *, name: str, rated: bool = False) -> str:
        """Wait in the lobby until an opponent is found who wants the same game and clock, rated or
        not, and both have come. Return the id of their table.

        The options in the game id are a wish (docs/protocol.md). Raises `ServerRefusal` and
        `ClientError`.
        """
        return await find_opponent(f"{self._sockets}/ws/lobby", self._headers, game, clock, name, rated=rated)

    async def tables(self) -> list[Mapping[str, Any]]:
        """Return the tables of this identity, the newest first (docs/protocol.md)."""
        found: list[Mapping[str, Any]] = (await self._ask("GET", "/api/tables"))["tables"]
        return found

    async def look(self, table: str, *, key: str | None = None) -> Mapping[str, Any]:
        """Return the view of a table (docs/protocol.md). Raises `ServerRefusal`."""
        found: Mapping[str, Any] = (await self._ask("GET", f"/api/tables/{table}", key=key))["view"]
        return found

    async def links(self, table: str) -> TableLinks:
        """Return the links of a table at which this identity sits. Raises `ServerRefusal`."""
        return _read(TableLinks, await self._ask("GET", f"/api/tables/{table}/links"))

    async def next(self, table: str, *, key: str | None = None) -> TableLink:
        """Return the link to watch the next table: a rematch or the next game of a match. Raises
        `ServerRefusal`."""
        return TableLink.read((await self._ask("GET", f"/api/tables/{table}/next", key=key))["watch"])

    async def record(self, table: str, *, key: str | None = None) -> str:
        """Return the record of a table as a text. Raises `ServerRefusal`."""
        return (await self._answer("GET", f"/api/tables/{table}/record", key=key)).text

    async def report(
        self,
        table: str,
        reason: str,
        *,
        seat: int | None = None,
        event: int | None = None,
        remark: str = "",
        key: str | None = None,
    ) -> None:
        """Report the person on a seat, or what was said with event number `event`, to the
        administrators: `insult`, `name`, `stalling`, `cheating` or `other`, with a `remark` of at
        most 500 characters. Raises `ServerRefusal`."""
        sent = {"table": table, "seat": seat, "event": event, "reason": reason, "remark": remark}
        await self._answer("POST", "/api/reports", sent, key=key)

    async def announcement(self) -> Mapping[str, Any] | None:
        """Return the message that the host shows to everybody now, `None` if there is none
        (docs/protocol.md)."""
        found: Mapping[str, Any] | None = (await self._ask("GET", "/api/announcement"))["announcement"]
        return found

    # --- Tournaments ------------------------------------------------------------------------------

    async def create_tournament(self, setup: TournamentSetup) -> RemoteTournament:
        """Create a tournament, of which this identity is the organiser. Raises `ServerRefusal`."""
        made = await self._ask("POST", "/api/tournaments", {"setup": tournament_setup_to_json(setup)})
        return self.tournament(made["tournament"])

    def tournament(self, tournament: str) -> RemoteTournament:
        """Return a tournament to look at, to follow and to send commands to."""
        socket = f"{self._sockets}/ws/tournaments/{tournament}"
        return RemoteTournament(tournament, self._ask, self._content, self.table, socket, self._headers)

    async def tournaments(self) -> Mapping[str, Any]:
        """Return the tournaments of this identity (`own`), and public ones that are not over
        (`listed`)."""
        return await self._ask("GET", "/api/tournaments")

    # --- People -----------------------------------------------------------------------------------

    async def open_tables(self) -> list[Mapping[str, Any]]:
        """Return the public tables with free seats, the newest first, each with its id as `table`
        and the `key` to join it (docs/protocol.md). Raises `ServerRefusal` and `ClientError`."""
        return await open_tables(f"{self._sockets}/ws/lobby", self._headers)

    async def lobby(self) -> Mapping[str, Any]:
        """Return how many `people` are in the lobby, the `invitations` to this identity, and in
        `declined` the ids of tables whose invitation by this identity was declined
        (docs/protocol.md)."""
        return await self._ask("GET", "/api/lobby")

    async def known_people(self) -> Mapping[str, Any]:
        """Return the people whom this identity has played, and those whom it has blocked, each with
        an `id` (docs/protocol.md)."""
        return await self._ask("GET", "/api/lobby/people")

    async def show_online(self, *, shows: bool) -> None:
        """Show people whom this identity has played when it is in the lobby, or do not."""
        await self._answer("PUT", "/api/lobby/online", {"shows": shows})

    async def invite(self, table: str, person: str) -> None:
        """Invite a person, by the id in `known_people`, to a table at which this identity sits.
        Raises `ServerRefusal`."""
        await self._answer("POST", "/api/lobby/invitations", {"table": table, "person": person})

    async def decline(self, table: str) -> None:
        """Decline the invitation to a table. Raises `ServerRefusal`."""
        await self._answer("DELETE", f"/api/lobby/invitations/{table}")

    async def block(self, person: str) -> None:
        """Block a person by the id in `known_people`. Raises `ServerRefusal`."""
        await self._answer("POST", "/api/lobby/blocks", {"person": person})

    async def block_at_table(self, table: str, seat: int) -> None:
        """Block the person on a seat of a table at which this identity sits. Raises
        `ServerRefusal`."""
        await self._answer("POST", "/api/lobby/blocks", {"table": table, "seat": seat})

    async def unblock(self, person: str) -> None:
        """End the block of a person by the id in `known_people`. Raises `ServerRefusal`."""
        await self._answer("DELETE", f"/api/lobby/blocks/{person}")

    # --- Notices ----------------------------------------------------------------------------------

    async def notices(self) -> Mapping[str, Any]:
        """Return how this identity is notified while it is away, and what the server offers
        (docs/protocol.md)."""
        return await self._ask("GET", "/api/notices")

    async def tell_by_mail(self, address: str, *, daily: bool = False) -> Mapping[str, Any]:
        """Be told by mail, with `daily` once a day, and return the channel. A new address has to
        be confirmed by the link in a mail to it. Raises `ServerRefusal`."""
        body = {"address": address, "daily": daily, "language": self._language}
        return await self._ask("PUT", "/api/notices/mail", body)

    async def confirm_mail(self, token: str) -> Mapping[str, Any]:
        """Confirm a mail address with the token in the link of the mail, and return the channel.
        Raises `ServerRefusal`."""
        return await self._ask("POST", "/api/notices/mail/confirm", {"token": token})

    async def change_mail(self, *, daily: bool | None = None, language: str | None = None) -> None:
        """Change whether this identity gets one mail a day, or the language of its mails. What is
        `None` stays. Raises `ServerRefusal`."""
        await self._answer("PATCH", "/api/notices/mail", {"daily": daily, "language": language})

    async def stop_mails(self) -> None:
        """Let the server forget the mail address of this identity."""
        await self._answer("DELETE", "/api/notices/mail")

    async def tell_by_push(self, subscription: Mapping[str, Any]) -> Mapping[str, Any]:
        """Be told by web push and return the channel. `subscription` has the `endpoint` and the
        `keys` of a `PushSubscription`. Raises `ServerRefusal`."""
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        body = {"endpoint": endpoint, "keys": {name: keys[name] for name in ("p256dh", "auth")}, "language": self._language}
        return await self._ask("POST", "/api/notices/push", body)

    async def stop_push(self, channel: str) -> None:
        """End a push subscription by the id of its channel. Raises `ServerRefusal`."""
        await self._answer("DELETE", f"/api/notices/push/{channel}")

    async def set_quiet_hours(self, zone: str, begins: int, ends: int) -> None:
        """Be told nothing between two times of the day, in minutes since midnight in a time zone of
        IANA. Equal ones: never. Raises `ServerRefusal`."""
        await self._answer("PUT", "/api/notices/quiet-hours", {"zone": zone, "begins": begins, "ends": ends})

    async def is_muted(self, table: str) -> bool:
        """Return whether this identity gets no messages about a table."""
        muted: bool = (await self._ask("GET", f"/api/tables/{table}/mute"))["muted"]
        return muted

    async def mute(self, table: str, *, muted: bool = True) -> None:
        """Be told nothing of a table at which this identity sits, or be told of it again. Raises
        `ServerRefusal`."""
        await self._answer("PUT" if muted else "DELETE", f"/api/tables/{table}/mute")

    # --- Identity ---------------------------------------------------------------------------------

    async def outcomes(self) -> list[OutcomeCount]:
        """Return how many games of this identity ended in which way."""
        return [_read(OutcomeCount, found) for found in (await self._ask("GET", "/api/me"))["outcomes"]]

    async def statistics(self) -> Mapping[str, Any]:
        """Return the finished games of this identity with losses, luck and dice
        (docs/protocol.md)."""
        return await self._ask("GET", "/api/statistics")

    async def dice(self) -> Mapping[str, Any]:
        """Return what all of the server's dice showed, with confidence bands (docs/protocol.md)."""
        return await self._ask("GET", "/api/dice")

    async def transfer(self) -> TransferLink:
        """Return a new link that gives another device this identity."""
        return _read(TransferLink, await self._ask("POST", "/api/transfers"))

    async def redeem(self, secret: str) -> str:
        """Take the identity of a transfer link by its secret and return the new token.

        Raises `ServerRefusal`; then the identity is unchanged.
        """
        return await self._take_identity("/api/transfers/redeem", {"secret": secret})

    async def account(self) -> Mapping[str, Any] | None:
        """Return the account of this identity, `None` without one (docs/protocol.md)."""
        found: Mapping[str, Any] | None = (await self._ask("GET", "/api/account"))["account"]
        return found

    async def archive(self, **search: str | float) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the finished games of this identity that a search finds, the newest first
        (docs/protocol.md)."""
        after: str | None = ""
        while after is not None:
            page = await self._ask("GET", f"/api/archive?{urlencode({**search, 'after': after})}")
            for game in page["games"]:
                yield game
            after = page["next"]

    async def profile(self, handle: str) -> Mapping[str, Any]:
        """Return the profile of a person (docs/protocol.md). Raises `ServerRefusal`."""
        return await self._ask("GET", f"/api/people/{quote(handle, safe='')}")

    async def ratings(self, handle: str | None = None) -> Mapping[str, Any]:
        """Return the ratings and the accuracy of a person with a public account, by default the
        own ones (docs/protocol.md). Raises `ServerRefusal`."""
        path = "ratings/mine" if handle is None else f"people/{quote(handle, safe='')}/ratings"
        return await self._ask("GET", f"/api/{path}")

    async def leaderboard(self, pool: str) -> Mapping[str, Any]:
        """Return the people with the highest ratings in a pool, such as `yamm:open:duel:fast`
        (docs/protocol.md). Raises `ServerRefusal`."""
        return await self._ask("GET", f"/api/ratings/{quote(pool, safe='')}")

    async def table_ratings(self, table: str, *, key: str | None = None) -> Mapping[str, Any]:
        """Return the ratings at a rated table, after the end with what the game changed
        (docs/protocol.md). Raises `ServerRefusal`."""
        return await self._ask("GET", f"/api/tables/{table}/ratings", key=key)

    async def sign_in(self, code: str) -> str:
        """Take the identity of an account with a recovery code, which is used up, and return the
        new token.

        Raises `ServerRefusal`; then the identity is unchanged.
        """
        return await self._take_identity("/api/sign-in/code", {"code": code})

    async def _take_identity(self, path: str, proof: Mapping[str, str]) -> str:
        """Return a token of the identity that the server gives for a proof. Raises
        `ServerRefusal`."""
        # the server gives a new device its identity in a cookie
        async with self._connections() as device:
            await self._answer("POST", path, proof, http=device)
            token: str = (await self._answer("POST", "/api/tokens", http=device)).json()["token"]
        self.token = token
        self._http.headers["Authorization"] = f"Bearer {token}"
        return token

    # --- Analyses ---------------------------------------------------------------------------------

    async def odds(self, game: str = "yam-master", **moment: Any) -> Mapping[str, Any]:
        """Return what `dicecup odds --json` prints. Raises `ServerRefusal`."""
        return await self._ask("POST", "/api/odds", {"game": game, **moment})

    async def analysis(self, game: str, position: str) -> Mapping[str, Any]:
        """Return what `dicecup analyse POSITION --json` prints. Raises `ServerRefusal`."""
        return await self._ask("POST", "/api/analysis", {"game": game, "position": position})

    async def review(self, record: str) -> Mapping[str, Any]:
        """Return what `dicecup analyse RECORD --json` prints for a finished game. Raises
        `ServerRefusal`."""
        return await self._ask("POST", "/api/review", {"record": record})

    # --- Requests ---------------------------------------------------------------------------------

    @property
    def _sockets(self) -> str:
        """Return the beginning of the addresses of WebSockets."""
        return re.sub("^http", "ws", self.url)

    @property
    def _headers(self) -> dict[str, str]:
        """Return the headers of a WebSocket."""
        return {"Authorization": f"Bearer {self.token}", "Accept-Language": self._language}

    def _connections(self) -> httpx.AsyncClient:
        headers = {"Accept-Language": self._language}
        return httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT, limits=LIMITS, headers=headers, verify=_certificates())

    async def _ask(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = (await self._answer(method, path, body, key=key)).json()
        return answer

    async def _content(self, path: str) -> bytes:
        return (await self._answer("GET", path)).content

    async def _answer(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, http: httpx.AsyncClient | None = None
    ) -> httpx.Response:
        """Send a request and return its successful answer.

        `key`: the key of a link to a table. `http`: the connections to use instead of the client's
        own. Raises `ServerRefusal`, and `ClientError` (`unreachable`) if no server of Dicecup
        answers.
        """
        headers = {} if key is None else {"Dicecup-Key": key}
        try:
            answer = await (http or self._http).request(method, path, json=body, headers=headers)
        except httpx.HTTPError as error:
            raise ClientError(ClientCode.UNREACHABLE, text=shown_url(self.url), why=type(error).__name__) from None
        if answer.is_success:
            return answer
        try:
            refusal = answer.json()["error"]
        except (ValueError, KeyError, TypeError):
            raise ClientError(ClientCode.UNREACHABLE, text=shown_url(self.url), why=answer.status_code) from None
        raise ServerRefusal.from_json(refusal)


def _read(kind: type[Answer], found: Mapping[str, Any]) -> Answer:
    """Return a server's answer as a value, without members that a later server may add."""
    return kind(**{field.name: found[field.name] for field in fields(kind)})
