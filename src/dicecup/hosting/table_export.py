"""Export of tables and import into another database.

An export is JSON Lines, one table a line: `{"table": ID, "exported": …, "events": [{"number": 1,
"time": …, "event": {…}}, …]}`. The first event has the `identity` of the table's creator, the last
event of each command its `identity` and `command`. No clock runs from `exported` until the import.
An export names the identity on each seat, so that people can play on. It holds no host key, no
token and no secret of an open game. `token_export` exports the hashes of tokens.
"""

import json
from collections.abc import AsyncIterator, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Any, Final

from dicecup.hosting.administration import change_saved
from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import digest_of_rows, event_of_row, event_rows, numbered
from dicecup.hosting.outages import last_served
from dicecup.hosting.store import Append, AppendConflict, EventRow, Store
from dicecup.hosting.store.notifications import Change
from dicecup.table import fairness
from dicecup.table.clock import Gap
from dicecup.table.duplicate import event_secret
from dicecup.table.events import CommitmentBegun, Created, Stored, event_from_json
from dicecup.table.handlers import due, hold_clock
from dicecup.table.replay import is_table_id, replay
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

LONGEST_LINE: Final = 64 * 1024 * 1024
"""Bytes."""
LONGEST_NAME: Final = 100
"""Characters of an identity or of a command's id."""
CLOCK_TOLERANCE: Final = 3600.0
"""Seconds by which the clock of the exporting server may be ahead."""
_REQUIRED: Final = {"number", "time", "event"}
_OPTIONAL: Final = {"identity", "command"}


class ImportResult(Enum):
    """What an import did with a table."""

    NEW = auto()
    LONGER = auto()
    """The table was here with fewer events."""
    KNOWN = auto()


# --- Export ---------------------------------------------------------------------------------------


async def export_tables(store: Store, tables: Sequence[str] = (), now: float | None = None) -> AsyncIterator[str]:
    """Yield a line without its newline for each of these tables, or for all tables.

    `now` is the time of the export. Raises `HostingError` (`no-such-table`) and `StoreError`.
    """
    for table in tables:
        rows = await store.events(table)
        if not rows:
            raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
        yield _line(rows, now)
    if not tables:
        async for table in store.all_tables():
            yield _line(await store.events(table), now)


def _line(rows: Sequence[EventRow], now: float | None) -> str:
    """Return the events of one table as a line of JSON.

    `now`: the time of the export, omitted if `None`.
    """
    events = []
    for row in rows:
        event: dict[str, Any] = {"number": row.number, "time": row.time, "event": json.loads(row.body)}
        if row.identity is not None:
            event["identity"] = row.identity
        if row.command_id is not None:
            event["command"] = row.command_id
        events.append(event)
    at = {} if now is None else {"exported": now}
    return json.dumps({"table": rows[0].table, **at, "events": events}, ensure_ascii=False, separators=(",", ":"))


# --- Import ---------------------------------------------------------------------------------------


async def import_table(store: Store, host_key: bytes, line: bytes, now: float) -> ImportResult:
    """Import the table of a line, as a whole or not at all.

    An open game of another host key gets a new commitment under this one, on record. With the same
    key it goes on with its commitment, so that a later export can be imported too. If the other
    server ran on after the export, dice that were seen there fall again, unless
    `timeline.begin_timeline` follows.

    Raises `HostingError` (`not-an-export`; `table-differs` if other events of the table are here),
    `TableError` (`not-an-event`), `FairnessError` for dice that contradict their published secret
    or this server's, what the rules refuse, and `StoreError`.
    """
    rows, exported = _rows(line, host_key, now)
    table = rows[0].table
    here = await store.events(table)
    for ours, theirs in zip(here, rows, strict=False):
        if ours._replace(body="") != theirs._replace(body="") or json.loads(ours.body) != json.loads(theirs.body):
            raise HostingError(HostingCode.TABLE_DIFFERS, text=table, number=theirs.number)
    if len(rows) <= len(here):
        return ImportResult.KNOWN
    rows += _clock_held_rows(rows, exported, now)
    try:
        await store.append(Append(tuple(rows[len(here) :]), digest_of_rows(rows)))
    except AppendConflict:
        raise HostingError(HostingCode.TABLE_DIFFERS, text=table, number=len(here) + 1) from None
    await store.notify({table: Change(len(rows))})

    def begin_commitment(state: TableState, at: float) -> Transition:
        return due(state, at, secret_of(host_key, state), earlier=earlier_secrets(host_key, state))

    await change_saved(store, host_key, table, begin_commitment, await last_served(store, now))
    return ImportResult.LONGER if here else ImportResult.NEW


def _clock_held_rows(rows: Sequence[EventRow], exported: float, now: float) -> tuple[EventRow, ...]:
    """Return the event that gives the running clock back the time between export and import.

    A table without a clock gets none, so that a later export of it can be imported too.
    """
    state = TableState.from_events(event_of_row(row) for row in rows)
    if state.clocks.deadline is None:
        return ()
    at = max(now, state.time)
    held = hold_clock(state, at, [Gap(exported, at)])
    return event_rows(state.table, numbered(held.events, state.number + 1, at)) if held.events else ()


def _rows(line: bytes, host_key: bytes, now: float) -> tuple[list[EventRow], float]:
    """Return the rows of a line, all checked, and the time of the export, by default that of the
    last event."""
    try:
        data = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _not_an_export("JSON") from None
    known = isinstance(data, dict) and {"table", "events"} <= set(data) <= {"table", "events", "exported"}
    if not known or not isinstance(data["events"], list):
        raise _not_an_export("table")
    table = data["table"]
    if not isinstance(table, str) or not is_table_id(table) or not data["events"]:
        raise _not_an_export("table")
    events = [_stored(given, number, now) for number, given in enumerate(data["events"], 1)]
    commands = [(given.get("identity"), given["command"]) for given in data["events"] if "command" in given]
    if len(commands) != len(set(commands)):
        raise _not_an_export("command")
    if any(before.time > after.time for before, after in pairwise(events)):
        raise _not_an_export("time")
    salts = {"", *(stored.event.salt for stored in events if isinstance(stored.event, CommitmentBegun))}
    duplicates = (stored.event.setup.duplicate for stored in events if isinstance(stored.event, Created))
    secrets = [fairness.secret_of(host_key, table, salt) for salt in salts]
    secrets += [event_secret(host_key, duplicate.event) for duplicate in duplicates if duplicate is not None]
    if replay(events, secrets).table != table:
        raise _not_an_export("table")
    complete = [
        row._replace(identity=given.get("identity"), command_id=given.get("command"))
        for row, given in zip(event_rows(table, events), data["events"], strict=True)
    ]
    return complete, _time(data.get("exported", events[-1].time), "exported", now)


def _stored(given: object, number: int, now: float) -> Stored:
    """Return event number `number` of a line after checking its members.

    Raises `HostingError` (`not-an-export`) and what reading an event raises.
    """
    if not isinstance(given, dict) or not _REQUIRED <= set(given) <= _REQUIRED | _OPTIONAL or given["number"] != number:
        raise _not_an_export(f"events.{number}")
    time = _time(given["time"], f"events.{number}.time", now)
    for name in _OPTIONAL & set(given):
        text = given[name]
        if not isinstance(text, str) or not text.isprintable() or not 1 <= len(text) <= LONGEST_NAME:
            raise _not_an_export(f"events.{number}.{name}")
    return Stored(number, time, event_from_json(given["event"]))


def _time(time: object, where: str, now: float) -> float:
    """Return a time of a line as a float.

    Raises `HostingError` (`not-an-export`) unless it is a number from 0 to `now` plus
    `CLOCK_TOLERANCE`.
    """
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time <= now + CLOCK_TOLERANCE:
        raise _not_an_export(where)
    return float(time)


def _not_an_export(where: str) -> HostingError:
    return HostingError(HostingCode.NOT_AN_EXPORT, text=where)
