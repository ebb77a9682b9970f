"""Changes of saved tables by the administrator of a server, without loading the tables in this
process.

Each change is saved together with its entry of the audit log.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.digest import digest_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import digest_of_rows, event_of_row, event_rows, first_append, numbered
from dicecup.hosting.link_keys import TableKeys, keys_of
from dicecup.hosting.outages import LastServed, last_served
from dicecup.hosting.people.on_seats import identity_on_seat
from dicecup.hosting.store import Append, AppendConflict, EventRow, Store
from dicecup.hosting.store.audit import UNCHANGED, AuditEntry, append_noted, note, save_entry
from dicecup.hosting.store.identities import issue_transfer
from dicecup.hosting.store.notifications import DELETED, Change
from dicecup.table import fairness, handlers
from dicecup.table.events import Stored
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


async def close_table(store: Store, host_key: bytes, table: str, entry: AuditEntry) -> bool:
    """Abandon an open game and publish its secret. Returns whether the game was open.

    Raises `HostingError` (`no-such-table`) and `StoreError`.
    """

    def close(state: TableState, at: float) -> Transition:
        return handlers.close(state, at, secret_of(host_key, state), earlier_secrets(host_key, state))

    return await change_saved(store, host_key, table, close, await last_served(store, entry.time), entry)


async def delete_table(store: Store, table: str, entry: AuditEntry) -> None:
    """Delete a table and end its subscribers in all workers. Raises `HostingError`
    (`no-such-table`) and `StoreError`."""
    if not await store.newest([table]):
        raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
    await store.delete(table, partial(note, entry=entry))
    await store.notify({table: Change(DELETED)})


async def rebuild(store: Store, entry: AuditEntry) -> int:
    """Derive lists and statistics anew from the events and return the number of tables. Raises
    `StoreError`."""
    return await store.rebuild(digest_of_rows, partial(note, entry=entry))


async def free_seat(store: Store, host_key: bytes, table: str, seat: int, entry: AuditEntry) -> TableKeys:
    """Take a seat back from its person and return the keys of the new links.

    Raises `HostingError` (`no-such-table`), `TableError` (`no-such-seat`, `seat-kept`,
    `seat-vacant`, `game-over`) and `StoreError`.
    """

    def free(state: TableState, at: float) -> Transition:
        return handlers.free(state, seat, at, secret_of(host_key, state), earlier_secrets(host_key, state))

    await change_saved(store, host_key, table, free, await last_served(store, entry.time), entry)
    return keys_of(host_key, table, (await state_of(store, table)).links)


async def rotate_links(store: Store, host_key: bytes, table: str, entry: AuditEntry) -> TableKeys:
    """Replace the links of a table and return the keys of the new ones. Raises `HostingError`
    (`no-such-table`) and `StoreError`."""
    await change_saved(store, host_key, table, handlers.rotate_links, await last_served(store, entry.time), entry)
    return keys_of(host_key, table, (await state_of(store, table)).links)


async def set_admission(store: Store, host_key: bytes, table: str, entry: AuditEntry, *, admits: bool) -> bool:
    """Close a table to newcomers or open it again. Returns whether it changed. Raises
    `HostingError` (`no-such-table`) and `StoreError`."""
    handler = partial(handlers.set_admission, admits=admits)
    return await change_saved(store, host_key, table, handler, await last_served(store, entry.time), entry)


async def transfer_for(store: Store, table: str, seat: int, entry: AuditEntry) -> str:
    """Return the secret of a transfer link for the person on a seat.

    Raises `HostingError` (`no-such-table`; `nobody-sits-there` for a free seat or a computer's),
    `TableError` (`no-such-seat`) and `StoreError`.
    """
    identity = identity_on_seat(await state_of(store, table), seat)
    return await issue_transfer(store, identity, entry.time, partial(note, entry=entry), most=None)


async def state_of(store: Store, table: str) -> TableState:
    """Return the saved state of a table. Raises `HostingError` (`no-such-table`) and
    `StoreError`."""
    rows = await store.events(table)
    if not rows:
        raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
    return TableState.from_events(event_of_row(row) for row in rows)


async def change_saved(
    store: Store,
    host_key: bytes,
    table: str,
    handler: Callable[[TableState, float], Transition],
    served: LastServed,
    entry: AuditEntry | None = None,
) -> bool:
    """Save the events of a handler, again with the newer state if a worker changed the table first.

    They happen at the time of the last heartbeat. The handler gets the state after the time of the
    outages before it was given back, which is saved together with the events of the handler.

    Returns whether there were events. The `entry` of the audit log is saved with them, or alone as
    `unchanged`. Raises `HostingError` (`no-such-table`), `StoreError`, and what the handler raises.
    """
    while True:
        rows = await store.events(table)
        if not rows:
            raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
        earlier, state = await asyncio.to_thread(_read, rows)
        at = max(served.time, state.time)
        held = handlers.hold_clock(state, at, served.gaps, before_event=True)
        transition = handler(held.state, at)
        if not transition.events:
            if entry is not None:
                await save_entry(store, entry._replace(outcome=UNCHANGED))
            return False
        after = transition.state
        events = numbered((*held.events, *transition.events), state.number + 1, at)
        digest = digest_of(after, rows[0].identity, [*earlier, *events])
        appends = [Append(event_rows(table, events), digest)]
        next_table = after.next if after.next != state.next else None
        if next_table is not None and not await store.newest([next_table]):
            opening = handlers.open_next_table(after, fairness.secret_of(host_key, next_table), at)
            appends.append(first_append(next_table, opening, at, None))
        try:
            await append_noted(store, entry, *appends)
        except AppendConflict:
            continue
        await store.notify({table: Change(after.number)})
        return True


def _read(rows: Sequence[EventRow]) -> tuple[list[Stored], TableState]:
    """Return the events of a table and the state after them, which may take long."""
    events = [event_of_row(row) for row in rows]
    return events, TableState.from_events(events)
