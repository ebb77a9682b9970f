"""The people of a server, for its administrators: found by handle or name, with what they have."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, func, select, union_all

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.accounts import account_by_handle, handles_of
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import ACCOUNTS, DEVICES, SEATS, TABLES, TOKENS
from dicecup.hosting.store.store import Store

MOST_FOUND: Final = 50
"""People in an answer."""
MOST_READ: Final = 1000
"""Seats that one search reads, those of the newest tables."""
MOST_NAMES: Final = 5
"""Names of one person in an answer, the newest."""


class Person(NamedTuple):
    """A person: the handle, empty without an account, the names at the newest tables, the numbers
    of tables and of signed-in devices, and the first and the last trace of the person, in seconds
    since 1970."""

    identity: str
    handle: str
    names: tuple[str, ...]
    tables: int
    devices: int
    since: float
    seen: float


async def person_of(store: Store, text: str) -> str:
    """Return the identity that a text is, or that has it as its handle. Raises `HostingError`
    (`no-such-person`) and `StoreError`."""
    if (account := await account_by_handle(store, text)) is not None:
        return account.identity
    with translated():
        async with store.engines.readers.connect() as connection:
            found = (await connection.execute(_KNOWN, {"identity": text})).scalar_one()
    if not found:
        raise HostingError(HostingCode.NO_SUCH_PERSON, text=text)
    return text


async def people_named(store: Store, text: str) -> list[Person]:
    """Return the people with a name or a handle that holds a text, or with this identity, the
    newest tables first. Raises `StoreError`.

    Capital letters beyond ASCII are found as they are written, since SQLite knows no others.
    """
    wanted = text.strip()
    if not wanted:
        return []
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = (await connection.execute(_NAMED, {"pattern": like(wanted, as_json=True)})).all()
            known = (await connection.execute(_KNOWN, {"identity": wanted})).scalar_one()
            handles = (await connection.execute(_HANDLES, {"pattern": like(wanted)})).scalars().all()
    named = [row.identity for row in rows if any(wanted.casefold() in name.casefold() for name in _names(row))]
    found = [*([wanted] if known else []), *handles, *named]
    return await people_of(store, list(dict.fromkeys(found))[:MOST_FOUND])


async def people_of(store: Store, identities: Sequence[str]) -> list[Person]:
    """Return what these people have, in their order. Raises `StoreError`."""
    if not identities:
        return []
    with translated():
        async with store.engines.readers.connect() as connection:
            asked = {"identities": list(identities)}
            tables = {row.identity: row for row in await connection.execute(_TABLES, asked)}
            devices = {row.identity: row for row in await connection.execute(_DEVICES, asked)}
            names = {identity: await _names_of(connection, identity) for identity in identities}
    handles, people = await handles_of(store, identities), []
    for identity in identities:
        own, signed_in = tables.get(identity), devices.get(identity)
        times = [row for row in (own, signed_in) if row is not None]
        people.append(
            Person(
                identity,
                handles.get(identity, ""),
                names[identity],
                own.many if own is not None else 0,
                signed_in.many if signed_in is not None else 0,
                min((row.first for row in times), default=0.0),
                max((row.last for row in times), default=0.0),
            )
        )
    return people


async def _names_of(connection: Any, identity: str) -> tuple[str, ...]:
    """Return the names of a person at the newest tables."""
    rows = await connection.execute(_NEWEST, {"identity": identity})
    return tuple(dict.fromkeys(name for row in rows for name in _names(row)))[:MOST_NAMES]


def _names(row: Any) -> Iterable[str]:
    """Return the names on the seats of an identity."""
    seats = json.loads(row.summary)["seats"]
    return (seats[int(seat)]["name"] for seat in row.seats.split(",") if seat)


def like(text: str, *, begins: bool = False, as_json: bool = False) -> str:
    """Return the pattern for `LIKE` of values that contain or begin with a text, with a backslash
    before each character that has a meaning in it. `as_json`: the values are in JSON texts."""
    if as_json:
        text = json.dumps(text, ensure_ascii=False)[1:-1]
    for character in "\\%_":
        text = text.replace(character, f"\\{character}")
    return f"{text}%" if begins else f"%{text}%"


_joined = select(SEATS.c.identity, SEATS.c.seats, TABLES.c.summary).join(TABLES, TABLES.c.table_id == SEATS.c.table_id)
_NAMED: Final = (
    _joined.where(TABLES.c.summary.ilike(bindparam("pattern"), escape="\\"))
    .order_by(TABLES.c.created.desc(), SEATS.c.table_id, SEATS.c.identity)
    .limit(MOST_READ)
)
_HANDLES: Final = (
    select(ACCOUNTS.c.identity)
    .where(ACCOUNTS.c.handle.ilike(bindparam("pattern"), escape="\\"))
    .order_by(ACCOUNTS.c.handle)
    .limit(MOST_FOUND)
)
_NEWEST: Final = (
    _joined.where(SEATS.c.identity == bindparam("identity"))
    .order_by(TABLES.c.created.desc(), SEATS.c.table_id)
    .limit(4 * MOST_NAMES)
)
_TABLES: Final = (
    select(
        SEATS.c.identity,
        func.count().label("many"),
        func.min(TABLES.c.created).label("first"),
        func.max(TABLES.c.created).label("last"),
    )
    .join(TABLES, TABLES.c.table_id == SEATS.c.table_id)
    .where(SEATS.c.identity.in_(bindparam("identities", expanding=True)))
    .group_by(SEATS.c.identity)
)
_DEVICES: Final = (
    select(
        DEVICES.c.identity,
        func.count().label("many"),
        func.min(DEVICES.c.created).label("first"),
        func.max(DEVICES.c.seen).label("last"),
    )
    .where(DEVICES.c.identity.in_(bindparam("identities", expanding=True)), DEVICES.c.ended.is_(None))
    .group_by(DEVICES.c.identity)
)
_KNOWN: Final = select(func.count()).select_from(
    union_all(
        *(
            select(kind.c.identity).where(kind.c.identity == bindparam("identity"))
            for kind in (SEATS, DEVICES, TOKENS, ACCOUNTS)
        )
    ).subquery()
)
