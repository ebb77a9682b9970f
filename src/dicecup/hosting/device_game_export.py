"""Export of the games that people played on their devices, with all tables of a server.

A line of an export is `{"device_game": {"identity": …, "table": …, "created": …, "joined": …,
"record": …}}` for each game. An import checks the record as the server did when the game joined.
"""

import json
from collections.abc import AsyncIterator
from typing import Any, Final

from sqlalchemy import bindparam, select, tuple_

from dicecup.hosting.device_games import LONGEST_RECORD, digest_of_record, read_game
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.device_games import save_game
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import DEVICE_GAMES
from dicecup.hosting.table_export import LONGEST_NAME
from dicecup.table.replay import is_table_id

PAGE: Final = 100
"""Games that a query returns at most."""
GAME_LINE: Final = b'{"device_game":'
"""The beginning of every line of a game, and of no line of a table or of tokens."""
_MEMBERS: Final = {"identity", "table", "created", "joined", "record"}


async def export_device_games(store: Store) -> AsyncIterator[str]:
    """Yield a line without its newline for each game. Raises `StoreError`."""
    last = {"identity": "", "table": ""}
    while True:
        with translated():
            async with store.engines.readers.connect() as connection:
                rows = (await connection.execute(_AFTER, last)).all()
        for row in rows:
            last = {"identity": row.identity, "table": row.table_id}
            game = last | {"created": row.created, "joined": row.joined, "record": row.record}
            yield json.dumps({"device_game": game}, ensure_ascii=False, separators=(",", ":"))
        if len(rows) < PAGE:
            return


def is_device_game(line: bytes) -> bool:
    """Return whether a line of an export holds a game that was played on a device."""
    return line.startswith(GAME_LINE)


async def import_device_game(store: Store, line: bytes, now: float) -> int:
    """Import the game of a line and return 1, or 0 for a known game, which stays as it is.

    Raises `HostingError` (`not-an-export`), `RecordError`, `TableError` (`game-not-over`) and
    `StoreError`.
    """
    game = _read(line)
    times = {name: min(_time(game[name], name), now) for name in ("created", "joined")}
    digest = digest_of_record(read_game(game["record"]), game["table"], game["identity"], times["created"])
    return int(await save_game(store, digest, times["joined"], game["record"]))


def _read(line: bytes) -> dict[str, Any]:
    """Return the members of a game. Raises `HostingError` (`not-an-export`)."""
    try:
        game: Any = json.loads(line.decode("utf-8")).get("device_game")
    except (ValueError, RecursionError):
        raise _not_an_export("JSON") from None
    if not isinstance(game, dict) or set(game) != _MEMBERS:
        raise _not_an_export("device_game")
    identity, table, record = game["identity"], game["table"], game["record"]
    if not isinstance(identity, str) or not identity.isprintable() or not 1 <= len(identity) <= LONGEST_NAME:
        raise _not_an_export("identity")
    if not isinstance(table, str) or not is_table_id(table):
        raise _not_an_export("table")
    if not isinstance(record, str) or len(record) > LONGEST_RECORD:
        raise _not_an_export("record")
    return game


def _time(time: object, where: str) -> float:
    """Return a time as a float. Raises `HostingError` (`not-an-export`)."""
    if isinstance(time, bool) or not isinstance(time, int | float) or not time >= 0:
        raise _not_an_export(where)
    return float(time)


def _not_an_export(where: str) -> HostingError:
    return HostingError(HostingCode.NOT_AN_EXPORT, text=where)


_KEY: Final = (DEVICE_GAMES.c.identity, DEVICE_GAMES.c.table_id)
_AFTER: Final = (
    select(*_KEY, DEVICE_GAMES.c.created, DEVICE_GAMES.c.joined, DEVICE_GAMES.c.record)
    .where(tuple_(*_KEY) > tuple_(bindparam("identity"), bindparam("table")))
    .order_by(*_KEY)
    .limit(PAGE)
)
