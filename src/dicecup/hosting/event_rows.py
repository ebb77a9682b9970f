"""Conversion between events and the rows of the store."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from dicecup.hosting.digest import digest_of
from dicecup.hosting.store import Append, Digest, EventRow
from dicecup.table.codec import to_json
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import Event, Stored, event_from_json
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


class CommandKey(NamedTuple):
    """Identity and id of a command, stored with its last event to make retries idempotent."""

    identity: str
    id: str


def event_of_row(row: EventRow) -> Stored:
    """Return the event of a row. Raises `TableError` (`not-an-event`)."""
    try:
        data = json.loads(row.body)
    except (ValueError, RecursionError):
        raise TableError(TableCode.NOT_AN_EVENT, text=f"{row.table} {row.number}", why="JSON") from None
    return Stored(row.number, row.time, event_from_json(data))


def numbered(events: Sequence[Event], first: int, time: float) -> list[Stored]:
    """Return events with consecutive numbers from `first`, all at the same time."""
    return [Stored(number, time, event) for number, event in enumerate(events, first)]


def event_rows(table: str, events: Sequence[Stored], command: CommandKey | None = None) -> tuple[EventRow, ...]:
    """Return the rows of events. The last row gets the key of the command that made them.

    The text of an event is the one of `event_to_text`, which the library writes faster.
    """
    *earlier, last = [EventRow(table, number, time, orjson.dumps(to_json(event)).decode()) for number, time, event in events]
    return (*earlier, last if command is None else last._replace(identity=command.identity, command_id=command.id))


def first_append(table: str, transition: Transition, now: float, creator: str | None) -> Append:
    """Return the append that creates a table. `creator` is `None` for the next table of a match or
    a rematch."""
    events = numbered(transition.events, 1, now)
    first, *others = event_rows(table, events)
    return Append((first._replace(identity=creator), *others), digest_of(transition.state, creator, events))


def digest_of_rows(rows: Sequence[EventRow]) -> Digest:
    """Return the digest of a table from all its rows. Raises `TableError` (`not-an-event`)."""
    events = [event_of_row(row) for row in rows]
    return digest_of(TableState.from_events(events), rows[0].identity, events)
