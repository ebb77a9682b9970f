"""Networks that may not use the server."""

from typing import Final, NamedTuple

from sqlalchemy import select

from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.audited_rows import delete_row, save_row
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import BLOCKS
from dicecup.hosting.store.store import Store


class Block(NamedTuple):
    """A network in CIDR form that is blocked until a time in seconds since 1970, `None` for
    ever."""

    network: str
    until: float | None


async def save_block(store: Store, block: Block, entry: AuditEntry) -> None:
    """Block a network, or change the end of its block. Raises `StoreError`."""
    await save_row(store, BLOCKS, block._asdict(), entry)


async def delete_block(store: Store, network: str, entry: AuditEntry) -> bool:
    """End the block of a network, and return whether it was blocked. Raises `StoreError`."""
    return await delete_row(store, BLOCKS, BLOCKS.c.network == network, entry)


async def blocks_of(store: Store) -> list[Block]:
    """Return all blocks, also those that have ended. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [Block(*row) for row in await connection.execute(_BLOCKS)]


_BLOCKS: Final = select(BLOCKS.c.network, BLOCKS.c.until).order_by(BLOCKS.c.network)
