"""Reporting a person at a table, or what the person said there, to the administrators."""

from enum import StrEnum
from typing import Any, Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.on_seats import other_on_seat
from dicecup.hosting.store.reports import Report, save_report
from dicecup.hosting.table_host import TableHost
from dicecup.table.codec import to_json
from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState
from dicecup.table.talk import is_plain

MOST_LINES: Final = 10
"""Lines of talk in a report, the newest."""


class Reason(StrEnum):
    """Why a person is reported."""

    INSULT = "insult"
    NAME = "name"
    STALLING = "stalling"
    CHEATING = "cheating"
    OTHER = "other"


async def report(
    host: TableHost,
    reporter: str,
    table: str,
    key: str | None,
    seat: int | None,
    event: int | None,
    reason: Reason,
    remark: str = "",
) -> bool:
    """Report the person on a seat, with what the server knows of the table now, or the person who
    said event number `event`, with what it knew then. Returns whether the report is new.

    `key` is the key of a link, for people without a seat. `remark` may have several lines. Raises
    as `TableHost.look`, `HostingError` (`nobody-sits-there`, `not-yourself`, `nothing-said`),
    `TableError` (`no-such-seat`, `hidden-in-text`) and `StoreError`.
    """
    remark = "\n".join(line.rstrip() for line in remark.strip().splitlines())
    if not all(not line or is_plain(line) for line in remark.split("\n")):
        raise TableError(TableCode.HIDDEN_IN_TEXT, text=remark)
    state = await host.visible_state(table, reporter, key)
    if event is not None:
        state = await _state_at(host, state, event)
        seat = state.talk[-1].event.seat
    reported, context = other_on_seat(state, seat, reporter), _context(state, seat)
    made = Report(0, host.clock(), reporter, reported, reason.value, table, event, context, remark=remark)
    return await save_report(host.store, made)


async def _state_at(host: TableHost, state: TableState, event: int) -> TableState:
    """Return the state after an event with which a person said something: another person may sit
    there now. Raises `HostingError` (`nothing-said`) for any other event."""
    if 0 < event <= state.number:
        rows = [row for row in await host.store.events(state.table) if row.number <= event]
        then = await host.reader.state_after(None, await host.reader.events(rows))
        if then.talk and then.talk[-1].number == event:
            return then
    raise HostingError(HostingCode.NOTHING_SAID, text=event)


def _context(state: TableState, seat: int | None) -> dict[str, Any]:
    """Return the game, the number of the last event, the seat, the names on all seats, and what
    was said last."""
    return {
        "game": state.setup.game,
        "number": state.number,
        "seat": seat,
        "names": [held.name for held in state.seats],
        "talk": [
            {"number": line.number, "time": line.time, "name": line.name, **to_json(line.event)}
            for line in state.talk[-MOST_LINES:]
        ],
    }
