"""Reporting a person at a table to the administrators."""

from enum import StrEnum
from typing import Any

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store.reports import Report, save_report
from dicecup.hosting.table_host import TableHost
from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState


class Reason(StrEnum):
    """Why a person is reported."""

    INSULT = "insult"
    NAME = "name"
    STALLING = "stalling"
    CHEATING = "cheating"
    OTHER = "other"


async def report(host: TableHost, reporter: str, table: str, key: str | None, seat: int, reason: Reason) -> bool:
    """Report the person on a seat, with what the server knows of the table now. Returns whether the
    report is new.

    `key` is the key of a link, for people without a seat. Raises as `TableHost.look`,
    `HostingError` (`nobody-sits-there`, `not-yourself`), `TableError` (`no-such-seat`) and
    `StoreError`.
    """
    state = await host.visible_state(table, reporter, key)
    if not 0 <= seat < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=seat + 1)
    reported = state.seats[seat].identity
    if reported is None:
        raise HostingError(HostingCode.NOBODY_SITS_THERE, text=seat + 1)
    if reported == reporter:
        raise HostingError(HostingCode.NOT_YOURSELF)
    made = Report(0, host.clock(), reporter, reported, reason.value, table, None, _context(state, seat))
    return await save_report(host.store, made)


def _context(state: TableState, seat: int) -> dict[str, Any]:
    """Return the game, the number of the last event, the seat and the names on all seats."""
    return {
        "game": state.setup.game,
        "number": state.number,
        "seat": seat,
        "names": [held.name for held in state.seats],
    }
