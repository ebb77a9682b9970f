"""The board of the lobby: how many people are there, and the open seats of public tables."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import bindparam, select

from dicecup.hosting.link_keys import keys_of
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import SEATS, TABLES
from dicecup.table.setup import ClockKind

MOST_LISTED: Final = 100
"""Tables on the board, the newest ones."""


class OpenTable(NamedTuple):
    """A public table with free seats. `shown` is the table as JSON, `people` maps its seats to
    identities."""

    shown: dict[str, Any]
    people: dict[int, str]

    @property
    def is_slow(self) -> bool:
        """Return whether the game has days for a turn, so that nobody has to be there now."""
        clock = self.shown["clock"]
        return clock is not None and clock["kind"] == ClockKind.DAYS


@dataclass(frozen=True, eq=False)
class Board:
    """What all people in the lobby see: the number of `people`, and the open tables by id.

    Two boards with the same content are different: comparing them takes as long as `message`.
    """

    people: int
    tables: Mapping[str, OpenTable]
    _messages: WeakKeyDictionary["Board", dict[str, Any] | None] = field(default_factory=WeakKeyDictionary)
    """The messages after earlier boards, which all people get who have seen those."""

    def seen_with(self, hidden: frozenset[str]) -> "Board":
        """Return the board without the tables of `hidden` people."""
        if not hidden:
            return self
        return Board(
            self.people, {table: each for table, each in self.tables.items() if hidden.isdisjoint(each.people.values())}
        )

    def message(self, before: "Board | None") -> dict[str, Any] | None:
        """Return the message with what has changed since another board, `None` if nothing has.
        The caller must not change it."""
        if before is not None and before in self._messages:
            return self._messages[before]
        message = self._compared(before)
        if before is not None:
            self._messages[before] = message
        return message

    def _compared(self, before: "Board | None") -> dict[str, Any] | None:
        known = {} if before is None else before.tables
        new = [each.shown for table, each in self.tables.items() if table not in known or known[table].shown != each.shown]
        gone = [table for table in known if table not in self.tables]
        if before is not None and not new and not gone and self.people == before.people:
            return None
        return {"type": "lobby", "people": self.people, "tables": new, "gone": gone}


async def open_tables(store: Store, host_key: bytes) -> dict[str, OpenTable]:
    """Return the public tables with free seats, the newest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = (await connection.execute(_LISTED)).all()
            seats = (await connection.execute(_SEATED, {"tables": [row.table_id for row in rows]})).all() if rows else ()
    people: dict[str, dict[int, str]] = {}
    for seat in seats:
        people.setdefault(seat.table_id, {}).update({int(number): seat.identity for number in seat.seats.split(",")})
    return {row.table_id: _open_table(row, people.get(row.table_id, {}), host_key) for row in rows}


def _open_table(row: Any, people: dict[int, str], host_key: bytes) -> OpenTable:
    listing, summary = json.loads(row.listing), json.loads(row.summary)
    shown = {
        "rated": False,
        "table": row.table_id,
        "key": keys_of(host_key, row.table_id, listing.pop("links")).join,
        "game": row.game,
        "created": row.created,
        "seats": summary["seats"],
        **listing,
    }
    return OpenTable(shown, people)


def present(tables: Mapping[str, OpenTable], offline: Mapping[str, Collection[int]]) -> dict[str, OpenTable]:
    """Return the tables with a person online, and those that need none. `offline`:
    by table the seats whose people are offline."""
    return {table: each for table, each in tables.items() if each.is_slow or set(each.people) - set(offline.get(table, ()))}


_LISTED: Final = (
    select(TABLES.c.table_id, TABLES.c.game, TABLES.c.created, TABLES.c.summary, TABLES.c.listing)
    .where(TABLES.c.listing.is_not(None))
    .order_by(TABLES.c.created.desc())
    .limit(MOST_LISTED)
)
_SEATED: Final = select(SEATS).where(SEATS.c.table_id.in_(bindparam("tables", expanding=True)))
