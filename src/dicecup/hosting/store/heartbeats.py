"""Heartbeats of the servers and the outages between them.

One heartbeat is kept for all workers, because people can reach the tables while any of them runs.
Outages are never forgotten by a restart: a table that is loaded later still gets their time back.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from dicecup.hosting.store.models import OUTAGES, PRESENCE
from dicecup.hosting.store.statements import upsert
from dicecup.hosting.store.store import Store

SERVER: Final = ""
"""Table and identity of the heartbeat among the presence of people."""
KEEP: Final = 400 * 86_400.0
"""Seconds for which outages are kept: longer than any table waits for its people."""
_PROBE: Final = "probe" * 8192
"""A key that fills eight pages. Writing it shows whether the file can grow."""

Outage = tuple[float, float]
"""The first and the last second of an outage, since 1970."""


class Heartbeat(NamedTuple):
    """Time of a heartbeat, and the outages that ended after a given time, in order.

    `saved`: whether it was written, not only read.
    """

    time: float
    outages: tuple[Outage, ...]
    saved: bool = False


async def beat(
    store: Store, clock: Callable[[], float], reached: Callable[[float], None], last: float | None, known: float,
    *, silence: float, save_after: float, probe: bool = False
) -> Heartbeat:  # fmt: skip
    """Save the outage since the last heartbeat if it was longer than `silence`, and the new
    heartbeat if the saved one is older than `save_after`.

    `last` is the last heartbeat that this process knows. `reached` is called with the saved one, so
    that `clock` does not fall behind other workers. Outages that ended after `known` are returned.
    With `probe` the database has to prove that it can grow. Raises `StoreError`.
    """

    def work(connection: Connection) -> Heartbeat:
        saved = connection.execute(_SAVED).scalar_one_or_none()
        if saved is not None:
            reached(saved)
        now = clock()
        since = max((time for time in (saved, last) if time is not None), default=now)
        if now - since > silence:
            connection.execute(delete(OUTAGES).where(OUTAGES.c.until < now - KEEP))
            connection.execute(upsert(OUTAGES, connection.dialect.name), {"until": now, "since": since})
        if probe and connection.dialect.name == "sqlite":
            row = {"table_id": SERVER, "identity": _PROBE, "seen": now}
            connection.execute(insert(PRESENCE), row)
            connection.execute(delete(PRESENCE).where(PRESENCE.c.table_id == SERVER, PRESENCE.c.identity == _PROBE))
        saves = probe or saved is None or now - since > silence or now - saved >= save_after
        if saves:
            row = {"table_id": SERVER, "identity": SERVER, "seen": now}
            connection.execute(upsert(PRESENCE, connection.dialect.name), row)
        return Heartbeat(now, _outages_after(connection, known), saves)

    made = await store.writer.work(work)
    if made.saved:
        store.faults.succeeded()
    return made


async def save_outage(store: Store, outage: Outage) -> None:
    """Save an outage during which there were heartbeats. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        since, until = outage
        connection.execute(upsert(OUTAGES, connection.dialect.name), {"until": until, "since": since})

    await store.writer.work(work)


async def heartbeat(store: Store) -> Heartbeat | None:
    """Return the saved heartbeat with all outages, `None` before the first. Raises `StoreError`."""

    def work(connection: Connection) -> Heartbeat | None:
        saved = connection.execute(_SAVED).scalar_one_or_none()
        return None if saved is None else Heartbeat(saved, _outages_after(connection, 0.0))

    return await store.writer.work(work)


def _outages_after(connection: Connection, known: float) -> tuple[Outage, ...]:
    query = select(OUTAGES.c.since, OUTAGES.c.until).where(OUTAGES.c.until > known).order_by(OUTAGES.c.until)
    return tuple((row.since, row.until) for row in connection.execute(query))


_SAVED: Final = select(PRESENCE.c.seen).where(PRESENCE.c.table_id == SERVER, PRESENCE.c.identity == SERVER).with_for_update()
"""The lock lets one worker at a time decide whether there was an outage. SQLite locks the file."""
