"""Reading of stored events, without delaying other tables.

The first event of a table may hold a record of 60 000 characters from which the game goes on.
Replaying it takes 0.2 seconds, so it is done in another process.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Final

from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.fair_queue import REQUESTING
from dicecup.hosting.pool import Pool
from dicecup.hosting.store import EventRow
from dicecup.table.events import Stored
from dicecup.table.sections import PlayedOnDevice
from dicecup.table.state import TableState

LONGEST_IN_LOOP: Final = 4096
"""Characters of an event, or bytes of a request, that are read in the event loop."""


class EventReader:
    """Reads events, long ones in the processes of a pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def events(self, rows: Sequence[EventRow]) -> list[Stored]:
        """Return the events of consecutive rows of a table. A long one is read in the turn of the
        client that asks for it.

        Raises `TableError` (`not-an-event`) and what `Pool.run_for` raises.
        """
        if not rows or len(rows[0].body) <= LONGEST_IN_LOOP:
            return events_of_rows(rows)
        client = REQUESTING.get()._replace(identity=rows[0].identity or rows[0].table)
        return [await self._pool.run_for(client, event_of_row, rows[0]), *events_of_rows(rows[1:])]

    async def state_after(self, known: TableState | None, events: Sequence[Stored]) -> TableState:
        """Return the state after events that follow `known`, `None` for all events of a table.

        A long section is played again in the other process. Raises `TableError` (`not-an-event`)
        and what `Pool.run_for` raises.
        """
        sections = (stored.event for stored in events if isinstance(stored.event, PlayedOnDevice))
        if sum(len(step) + 1 for event in sections for step in event.steps) <= LONGEST_IN_LOOP:
            return _state_after(known, events)
        return await self._pool.run_for(REQUESTING.get(), _state_after, known, events)


def _state_after(known: TableState | None, events: Sequence[Stored]) -> TableState:
    return TableState.from_events(events) if known is None else reduce(TableState.apply, events, known)


def events_of_rows(rows: Sequence[EventRow]) -> list[Stored]:
    """Return the events of rows. Raises `TableError` (`not-an-event`)."""
    return [event_of_row(row) for row in rows]
