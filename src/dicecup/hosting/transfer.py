"""Tables on their way from one database to another, and what whoever runs a server does to them without playing.

An export is JSON Lines, one table a line: `{"table": ID, "events": [{"number": 1, "time": …, "event": {…}}, …]}`; the first event has
the `identity` of whoever made the table, the last of each command `identity` and `command`; `"exported"` says when: from then until
it is taken in no clock runs. It says who sits where, so that they can play on, and holds no host key, no secret of a game that is still
open, no token (of those `people` writes the hashes).
"""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from enum import Enum, auto
from itertools import pairwise
from math import isfinite
from typing import Any, Final

from dicecup.hosting.digest import digest_of, digest_of_rows, stored
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.keeper import first_append, rows_of
from dicecup.hosting.store import Append, Raced, Row, Store
from dicecup.hosting.store.hints import GONE
from dicecup.table import fairness
from dicecup.table.clock import Gap
from dicecup.table.events import Stored, event_from_json
from dicecup.table.handlers import close as close_table
from dicecup.table.handlers import due, hold_clock, open_next_table
from dicecup.table.replay import replay
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a line that is read."""
LONGEST_NAME: Final = 100
AHEAD: Final = 3600.0
"""Seconds by which another server's clock may be ahead."""
_EVENT: Final = {"number", "time", "event"}
_KNOWN: Final = {"identity", "command"}


class Came(Enum):
    """What an import did with a table."""

    NEW = auto()
    LONGER = auto()
    """It was there, and went on."""
    KNOWN = auto()


# --- Out ----------------------------------------------------------------------------------------------------------------------


async def exported(store: Store, tables: Sequence[str] = (), now: float | None = None) -> AsyncIterator[str]:
    """A line for each of these tables, or for all, without its newline; `now` stands in it. Raises `HostingError` (`no-such-table`) and
    `StoreError`."""
    for table in tables:
        rows = await store.events(table)
        if not rows:
            raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
        yield _line(rows, now)
    if not tables:
        async for table in store.all_tables():
            yield _line(await store.events(table), now)


def _line(rows: Sequence[Row], now: float | None) -> str:
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


# --- In -----------------------------------------------------------------------------------------------------------------------


async def imported(store: Store, host_key: bytes, line: bytes, now: float) -> Came:
    """Takes the table of a line in, whole or not at all. A game that is open goes on under this server's key: its commitment is ended
    and a new one begun, on record.

    Raises `HostingError`: `not-an-export`, `not-an-event` for what cannot have happened, `table-differs` where another state of that
    table is here; what the rules refuse; and `StoreError`."""
    rows, left = _rows(line, now)
    table = rows[0].table
    here = await store.events(table)
    for ours, theirs in zip(here, rows, strict=False):
        if ours._replace(body="") != theirs._replace(body="") or json.loads(ours.body) != json.loads(theirs.body):
            raise HostingError(HostingCode.TABLE_DIFFERS, text=table, number=theirs.number)
    if len(rows) <= len(here):
        return Came.KNOWN
    rows += _held(rows, left, now)
    try:
        await store.append(Append(tuple(rows[len(here) :]), digest_of_rows(rows)))
    except Raced:
        raise HostingError(HostingCode.TABLE_DIFFERS, text=table, number=len(here) + 1) from None
    await store.notify({table: len(rows)})
    secret = fairness.secret_of(host_key, table)
    await _happen(store, host_key, table, lambda state, at: due(state, at, secret), now)
    return Came.LONGER if here else Came.NEW


def _held(rows: Sequence[Row], left: float, now: float) -> tuple[Row, ...]:
    """Where a clock runs, that it did not while the table was on its way."""
    state = TableState.from_events(stored(row) for row in rows)
    at = max(now, state.time)
    told = [
        Stored(state.number + number, at, event) for number, event in enumerate(hold_clock(state, at, Gap(left, at)).events, 1)
    ]
    return rows_of(state.table, told, None) if told else ()


def _rows(line: bytes, now: float) -> tuple[list[Row], float]:
    """The rows of a line, every event checked, and when the table left; where that is not said, after its last event."""
    try:
        data = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _not_an_export("JSON") from None
    known = isinstance(data, dict) and {"table", "events"} <= set(data) <= {"table", "events", "exported"}
    if not known or not isinstance(data["events"], list):
        raise _not_an_export("table")
    table = data["table"]
    if not isinstance(table, str) or not data["events"]:
        raise _not_an_export("table")
    events = [_stored(given, number, now) for number, given in enumerate(data["events"], 1)]
    if any(before.time > after.time for before, after in pairwise(events)):
        raise _not_an_export("time")
    if replay(events).table != table:
        raise _not_an_export("table")
    taken = [
        row._replace(identity=given.get("identity"), command_id=given.get("command"))
        for row, given in zip(rows_of(table, events, None), data["events"], strict=True)
    ]
    return taken, _time(data.get("exported", events[-1].time), "exported", now)


def _stored(given: object, number: int, now: float) -> Stored:
    if not isinstance(given, dict) or not _EVENT <= set(given) <= _EVENT | _KNOWN or given["number"] != number:
        raise _not_an_export(f"events.{number}")
    time = _time(given["time"], f"events.{number}.time", now)
    for name in _KNOWN & set(given):
        text = given[name]
        if not isinstance(text, str) or not text.isprintable() or not 1 <= len(text) <= LONGEST_NAME:
            raise _not_an_export(f"events.{number}.{name}")
    return Stored(number, time, event_from_json(given["event"]))


def _time(time: object, where: str, now: float) -> float:
    if isinstance(time, bool) or not isinstance(time, int | float) or not isfinite(time) or not 0 <= time <= now + AHEAD:
        raise _not_an_export(where)
    return float(time)


def _not_an_export(where: str) -> HostingError:
    return HostingError(HostingCode.NOT_AN_EXPORT, text=where)


# --- Closing ------------------------------------------------------------------------------------------------------------------


async def close(store: Store, host_key: bytes, table: str, now: float) -> bool:
    """Ends an open game as abandoned and publishes its secret; `False` where it was over. Raises `HostingError` (`no-such-table`) and
    `StoreError`."""
    secret = fairness.secret_of(host_key, table)
    return await _happen(store, host_key, table, lambda state, at: close_table(state, at, secret), now)


async def delete(store: Store, table: str) -> None:
    """Nothing is left of the table, and whoever follows it is told. Raises `HostingError` (`no-such-table`) and `StoreError`."""
    if not await store.newest([table]):
        raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
    await store.delete(table)
    await store.notify({table: GONE})


async def _happen(
    store: Store, host_key: bytes, table: str, make: Callable[[TableState, float], Transition], now: float
) -> bool:
    """Lets something happen at a table that nobody in this process looks at; whether anything did."""
    while True:
        rows = await store.events(table)
        if not rows:
            raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
        told = [stored(row) for row in rows]
        state = TableState.from_events(told)
        at = max(now, state.time)
        events, after = make(state, at)
        if not events:
            return False
        new = [Stored(state.number + number, at, event) for number, event in enumerate(events, 1)]
        appends = [Append(rows_of(table, new, None), digest_of(after, rows[0].identity, [*told, *new]))]
        following = after.next if after.next != state.next else None
        if following is not None and not await store.newest([following]):
            opening = open_next_table(after, fairness.secret_of(host_key, following), at)
            appends.append(first_append(following, opening, at, None))
        try:
            await store.append(*appends)
        except Raced:
            continue
        await store.notify({table: state.number + len(events)})
        return True
