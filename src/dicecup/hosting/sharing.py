"""Finished games that people share: each has a link with a key, which opens nothing else of the
table (docs/decisions/0047)."""

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.link_keys import is_key, share_key
from dicecup.hosting.table_host import TableHost
from dicecup.record import Record
from dicecup.table.permissions import check, share_refusal
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of


async def share(host: TableHost, table: str, identity: str | None, key: str | None = None) -> tuple[str, Record]:
    """Return the key of the link to a finished game and the game, for those who may see its table
    or have that link.

    Raises as `TableHost.look`, and `TableError` (`game-not-over`, `game-not-begun`,
    `table-closed`).
    """
    state = await host.cache.state_of(table)
    if not _opens(host, state, key):
        state = await host.visible_state(table, identity, key)
    check(share_refusal(state))
    return share_key(host.settings.host_key, table, state.links), record_of(state)


async def shared_game(host: TableHost, table: str, key: str | None) -> Record:
    """Return the game of a table for everybody who has the key of its link. Raises `HostingError`
    (`no-such-table`) and `StoreError`."""
    state = await host.cache.state_of(table)
    if not _opens(host, state, key):
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    return record_of(state)


async def record_text(host: TableHost, table: str, identity: str | None, key: str | None) -> str:
    """Return the record of a table as a text, for those who may see the table and for everybody who
    has the key of its shared game. Raises as `TableHost.look`."""
    state = await host.cache.state_of(table)
    return record_of(state).to_text() if _opens(host, state, key) else await host.record(table, identity, key)


def _opens(host: TableHost, state: TableState, key: str | None) -> bool:
    """Return whether this is the key of the link to the finished game of a table."""
    return share_refusal(state) is None and is_key(key, share_key(host.settings.host_key, state.table, state.links))
