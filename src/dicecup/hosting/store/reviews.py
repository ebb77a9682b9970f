"""What reviews of finished games found, kept so that each game is reviewed once. It derives from the events: what another version made
is made anew."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, delete, insert, select

from dicecup import __version__
from dicecup.hosting.store.faults import translated
from dicecup.hosting.store.models import REVIEWS
from dicecup.hosting.store.store import Store

_KEPT = select(REVIEWS.c.table_id, REVIEWS.c.facts).where(
    REVIEWS.c.table_id.in_(bindparam("tables", expanding=True)), REVIEWS.c.made_by == __version__
)


async def reviews_of(store: Store, tables: Iterable[str]) -> dict[str, str]:
    """Table → what its review found, of those that were reviewed."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(_KEPT, {"tables": list(tables)})
            return {row.table_id: row.facts for row in found}


async def keep_review(store: Store, table: str, facts: str) -> None:
    """In place of what was kept before."""

    def work(connection: Connection) -> None:
        connection.execute(delete(REVIEWS).where(REVIEWS.c.table_id == table))
        connection.execute(insert(REVIEWS).values(table_id=table, made_by=__version__, facts=facts))

    await store.writer.work(work)
