"""Tables that an administrator looks for."""

import json
from collections.abc import Collection
from typing import Final

from sqlalchemy import Select, exists, or_, select

from dicecup.hosting.people.search import like
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import EVENTS, SEATS, TABLES
from dicecup.hosting.store.rows import Digest, SeatedIdentity
from dicecup.hosting.store.store import Store
from dicecup.table.events import AdmissionSet

MOST_FOUND: Final = 50
"""Tables in an answer."""
_ADMISSION: Final = AdmissionSet(admits=True).type


async def tables_found(store: Store, text: str, state: str | None, identity: str | None, before: float | None) -> list[Digest]:
    """Return the newest tables, at most `MOST_FOUND`, with the people at them. Raises `StoreError`.

    `text` begins the id of a table or of its game, or is part of a name. `identity` sits at the
    table. `before`: the time of creation of the last table of the answer before.
    """
    query: Select[tuple[object, ...]] = select(TABLES).order_by(TABLES.c.created.desc(), TABLES.c.table_id).limit(MOST_FOUND)
    if text:
        begins, contains = like(text, begins=True), like(text, as_json=True)
        query = query.where(
            or_(
                TABLES.c.table_id.like(begins, escape="\\"),
                TABLES.c.game.ilike(begins, escape="\\"),
                TABLES.c.summary.ilike(contains, escape="\\"),
            )
        )
    if state is not None:
        query = query.where(TABLES.c.state == state)
    if identity is not None:
        query = query.where(exists().where(SEATS.c.table_id == TABLES.c.table_id, SEATS.c.identity == identity))
    if before is not None:
        query = query.where(TABLES.c.created < before)
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = (await connection.execute(query)).all()
            seated: dict[str, list[SeatedIdentity]] = {row.table_id: [] for row in rows}
            for held in await connection.execute(select(SEATS).where(SEATS.c.table_id.in_(list(seated)))):
                seats = tuple(int(seat) for seat in held.seats.split(",") if seat)
                seated[held.table_id].append(SeatedIdentity(held.identity, seats, held.outcome))
    return [
        Digest(row.table_id, row.game, row.state, row.created, row.creator, row.wake, row.summary, tuple(seated[row.table_id]))
        for row in rows
    ]


async def closed_to_newcomers(store: Store, tables: Collection[str]) -> set[str]:
    """Return those of some tables that let nobody in. Raises `StoreError`."""
    changes = (
        select(EVENTS.c.table_id, EVENTS.c.body)
        .where(EVENTS.c.table_id.in_(tables), EVENTS.c.body.contains(_ADMISSION))
        .order_by(EVENTS.c.number)
    )
    with translated():
        async with store.engines.readers.connect() as connection:
            found = [(row.table_id, json.loads(row.body)) for row in await connection.execute(changes)]
    admits = {table: body["admits"] for table, body in found if body["type"] == _ADMISSION}
    return {table for table in admits if not admits[table]}
