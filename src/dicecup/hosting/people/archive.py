"""The archive of a person: all finished games, with a search, and an export of all of them with
tournaments, ratings and the cards of own mistakes.

Games at tables and games on devices without the server are one list, the newest first.
"""

import io
import json
import zipfile
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, or_, select

from dicecup.hosting.competition.own_competition import ratings_for_export, tournaments_of
from dicecup.hosting.event_reader import events_of_rows
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.store import EventRow
from dicecup.hosting.store.cards import cards_for_export
from dicecup.hosting.store.device_games import record_of_game
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import DEVICE_GAMES, SEATS, TABLES
from dicecup.hosting.store.store import Store
from dicecup.hosting.table_host import TableHost
from dicecup.table.names import name_key
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of

Json = dict[str, Any]
PAGE: Final = 50
"""Games of a page."""
MOST_READ: Final = 1000
"""Games that one search reads at most. A search for an opponent may find none among them."""
EXPORTS: Final = Client("exports")
"""The client in the queue of all exports, one at a time."""


class Search(NamedTuple):
    """What a person looks for. Empty values look for everything. `since` and `until` are seconds
    since 1970. `levels` are those of computers whose shown names have the text `opponent` in
    them."""

    game: str = ""
    opponent: str = ""
    outcome: str = ""
    since: float | None = None
    until: float | None = None
    levels: tuple[str, ...] = ()


class Place(NamedTuple):
    """A place in the list: after the game of this time and id."""

    created: float
    table: str


class Game(NamedTuple):
    """A finished game of a person. `you` are the person's seats, `summary` is that of the lists of
    tables."""

    table: str
    game: str
    created: float
    outcome: str | None
    on_device: bool
    you: tuple[int, ...]
    summary: Json


async def search(store: Store, identity: str, wanted: Search, after: Place | None = None) -> tuple[list[Game], Place | None]:
    """Return a page of the games of a person that a search finds, the newest first, and the place
    where the next page begins, `None` after the last one. Raises `StoreError`."""
    found: list[Game] = []
    read = 0
    while read < MOST_READ:
        games = await _page(store, identity, wanted, after)
        for game in games:
            after = Place(game.created, game.table)
            if _has_opponent(game, wanted):
                found.append(game)
                if len(found) == PAGE:
                    return found, after
        read += len(games)
        if len(games) < PAGE:
            return found, None
    return found, after


async def export(host: TableHost, identity: str) -> AsyncIterator[bytes]:
    """Yield a zip archive with the record of every game, `games.json`, the list of them,
    `tournaments.json`, `ratings.json` and `mistakes.json`.

    Raises `DicecupError`. Then the archive has no end, so no program opens it.
    """
    written = _Chunks()
    listed: list[Json] = []
    after: Place | None = None
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        while True:
            games, after = await search(host.store, identity, Search(), after)
            for game in games:
                name = f"records/{game.table}.txt"
                archive.writestr(name, await _record(host, identity, game))
                listed.append(game._asdict() | {"record": name})
                yield written.take()
            if after is None:
                break
        parts = {
            "games": listed,
            "tournaments": await tournaments_of(host, identity, EXPORTS),
            "ratings": await ratings_for_export(host, identity),
            "mistakes": await cards_for_export(host.store, identity),
        }
        for name, part in parts.items():
            archive.writestr(f"{name}.json", json.dumps({name: part}, ensure_ascii=False, indent=1))
    yield written.take()


def record_of_rows(rows: Sequence[EventRow]) -> str:
    """Return the record of a table as a text. Raises `TableError`."""
    return record_of(TableState.from_events(events_of_rows(rows))).to_text()


async def _record(host: TableHost, identity: str, game: Game) -> str:
    if game.on_device:
        return await record_of_game(host.store, identity, game.table) or ""
    return await host.pool.run_for(EXPORTS, record_of_rows, await host.store.events(game.table))


async def _page(store: Store, identity: str, wanted: Search, after: Place | None) -> list[Game]:
    """Return the newest games after a place, at most `PAGE`, with any opponents."""
    at_tables = (
        select(TABLES, SEATS.c.outcome, SEATS.c.seats)
        .join(SEATS, SEATS.c.table_id == TABLES.c.table_id)
        .where(SEATS.c.identity == identity, TABLES.c.state == "over", *_matches(TABLES, SEATS.c.outcome, wanted, after))
        .order_by(TABLES.c.created.desc(), TABLES.c.table_id)
        .limit(PAGE)
    )
    on_devices = (
        select(DEVICE_GAMES)
        .where(DEVICE_GAMES.c.identity == identity, *_matches(DEVICE_GAMES, DEVICE_GAMES.c.outcome, wanted, after))
        .order_by(DEVICE_GAMES.c.created.desc(), DEVICE_GAMES.c.table_id)
        .limit(PAGE)
    )
    with translated():
        async with store.engines.readers.connect() as connection:
            games = [_game(row, on_device=False) for row in await connection.execute(at_tables)]
            games += [_game(row, on_device=True) for row in await connection.execute(on_devices)]
    return sorted(games, key=lambda game: (-game.created, game.table))[:PAGE]


def _matches(table: Table, outcome: ColumnElement[Any], wanted: Search, after: Place | None) -> list[ColumnElement[bool]]:
    """Return the conditions of a search that the database checks."""
    conditions: list[ColumnElement[bool]] = []
    if wanted.game:
        parts = or_(table.c.game == wanted.game, table.c.game.startswith(f"{wanted.game}(", autoescape=True))
        conditions.append(parts)
    if wanted.outcome:
        conditions.append(outcome == wanted.outcome)
    if wanted.since is not None:
        conditions.append(table.c.created >= wanted.since)
    if wanted.until is not None:
        conditions.append(table.c.created < wanted.until)
    if after is not None:
        same = and_(table.c.created == after.created, table.c.table_id > after.table)
        conditions.append(or_(table.c.created < after.created, same))
    return conditions


def _game(row: Any, *, on_device: bool) -> Game:
    seats = tuple(int(seat) for seat in row.seats.split(",") if seat)
    return Game(row.table_id, row.game, row.created, row.outcome, on_device, seats, json.loads(row.summary))


def _has_opponent(game: Game, wanted: Search) -> bool:
    """Return whether the name of another player has the text in it, in capitals or not, or whether
    it is a computer of one of the levels."""
    key = name_key(wanted.opponent)
    others = [seat for number, seat in enumerate(game.summary["seats"]) if number not in game.you]
    return not key or any(seat["level"] in wanted.levels or key in name_key(seat["name"] or seat["level"]) for seat in others)


class _Chunks(io.RawIOBase):
    """A file that is only written, whose bytes are taken piece by piece."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._written += data
        return len(data)

    def take(self) -> bytes:
        """Return what was written since the last call."""
        taken, self._written = bytes(self._written), bytearray()
        return taken
