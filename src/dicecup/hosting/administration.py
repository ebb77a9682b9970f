"""Changes of saved tables by the administrator of a server, without loading the tables in this
process."""

from collections.abc import Callable

from dicecup.hosting.digest import digest_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import event_of_row, event_rows, first_append, numbered
from dicecup.hosting.store import Append, AppendConflict, Store
from dicecup.hosting.store.identities import issue_transfer
from dicecup.hosting.store.notifications import DELETED
from dicecup.table import fairness, handlers
from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


async def close_table(store: Store, host_key: bytes, table: str, now: float) -> bool:
    """Abandon an open game and publish its secret. Returns whether the game was open.

    Raises `HostingError` (`no-such-table`) and `StoreError`.
    """
    secret = fairness.secret_of(host_key, table)
    return await change_saved(store, host_key, table, lambda state, at: handlers.close(state, at, secret), now)


async def delete_table(store: Store, table: str) -> None:
    """Delete a table and end its subscribers in all workers. Raises `HostingError`
    (`no-such-table`) and `StoreError`."""
    if not await store.newest([table]):
        raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
    await store.delete(table)
    await store.notify({table: DELETED})


async def transfer_for(store: Store, table: str, seat: int, now: float) -> str:
    """Return the secret of a transfer link for the person on a seat.

    Raises `HostingError` (`no-such-table`; `nobody-sits-there` for a free seat or a computer's),
    `TableError` (`no-such-seat`) and `StoreError`.
    """
    rows = await store.events(table)
    if not rows:
        raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
    seats = TableState.from_events(event_of_row(row) for row in rows).seats
    if not 0 <= seat < len(seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=seat + 1)
    identity = seats[seat].identity
    if identity is None:
        raise HostingError(HostingCode.NOBODY_SITS_THERE, text=seat + 1)
    return await issue_transfer(store, identity, now)


async def change_saved(
    store: Store, host_key: bytes, table: str, handler: Callable[[TableState, float], Transition], now: float
) -> bool:
    """Save the events of a handler, again with the newer state if a worker changed the table first.

    Returns whether there were events. Raises `HostingError` (`no-such-table`) and `StoreError`.
    """
    while True:
        rows = await store.events(table)
        if not rows:
            raise HostingError(HostingCode.NO_SUCH_TABLE, text=table)
        earlier = [event_of_row(row) for row in rows]
        state = TableState.from_events(earlier)
        at = max(now, state.time)
        transition = handler(state, at)
        if not transition.events:
            return False
        after = transition.state
        events = numbered(transition.events, state.number + 1, at)
        digest = digest_of(after, rows[0].identity, [*earlier, *events])
        appends = [Append(event_rows(table, events), digest)]
        next_table = after.next if after.next != state.next else None
        if next_table is not None and not await store.newest([next_table]):
            opening = handlers.open_next_table(after, fairness.secret_of(host_key, next_table), at)
            appends.append(first_append(next_table, opening, at, None))
        try:
            await store.append(*appends)
        except AppendConflict:
            continue
        await store.notify({table: after.number})
        return True
