"""People whom a person has played: their list, who of them is in the lobby, and invitations.

Nobody learns another person's identity. A person is named by a key that is valid for one other
person alone.
"""

import hmac
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from dicecup.core.ids import split_id
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.link_keys import keys_of
from dicecup.hosting.lobby.person_blocks import blocked_by, blocks_among
from dicecup.hosting.people import outbox
from dicecup.hosting.people.accounts import handles_of
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import INVITATIONS, PRESENCE, SEATS, SHOWN_ONLINE, TABLES
from dicecup.hosting.store.statements import insert_if_missing, presence_statement
from dicecup.hosting.store.steps import Steps, statement

MOST_READ: Final = 500
"""The newest seats of others that are read for the list."""
MOST_LISTED: Final = 50
MOST_INVITATIONS: Final = 20
"""Open invitations that one person may have sent."""
VALID: Final = 7 * 86_400.0
"""Seconds for which an invitation is valid."""
IN_LOBBY: Final = "lobby"
"""Table of the presence of people in the lobby."""
SEEN_WITHIN: Final = 20.0
"""Seconds without a sign of a person in the lobby after which the person is not there."""


class Acquaintance(NamedTuple):
    """A person with whom another has played: the name, and the last game with its time in seconds
    since 1970. `online` is `None` unless both show when they are in the lobby."""

    identity: str
    name: str
    game: str
    played: float
    online: bool | None = None


class Invitation(NamedTuple):
    """An invitation of a person to a table, by a person called `name`. `links` is how often the
    links of the table were replaced before, `declined` the time when the invited person declined
    it."""

    table_id: str
    invited: str
    inviter: str
    name: str
    game: str
    links: int
    created: float
    declined: float | None = None


def person_key(host_key: bytes, identity: str, other: str) -> str:
    """Return the key by which a person names another."""
    return hmac.digest(derived_key(host_key, "people"), f"{identity} {other}".encode(), "sha256").hex()[:22]


async def acquaintances(store: Store, identity: str, now: float) -> list[Acquaintance]:
    """Return the people whom a person has played, the last one first, without those on either side
    of a block. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = (await connection.execute(_OTHERS, {"identity": identity})).all()
            found: dict[str, Acquaintance] = {}
            for row in rows:
                seat = int(row.seats.split(",")[0])
                name = json.loads(row.summary)["seats"][seat]["name"]
                found.setdefault(row.identity, Acquaintance(row.identity, name, row.game, row.created))
            everyone = [identity, *found]
            apart = await connection.run_sync(lambda sync: blocks_among(sync, everyone))
            shown = await shown_among(connection, everyone)
            seen = {"identities": everyone, "seen": now - SEEN_WITHIN}
            online = set((await connection.execute(_ONLINE, seen)).scalars())
    listed = [each for each in found.values() if frozenset((identity, each.identity)) not in apart][:MOST_LISTED]
    handles = await handles_of(store, [each.identity for each in listed])
    return [
        each._replace(
            name=handles.get(each.identity, each.name),
            online=each.identity in online if identity in shown and each.identity in shown else None,
        )
        for each in listed
    ]


async def known_person(store: Store, host_key: bytes, identity: str, key: str, now: float) -> tuple[str, str]:
    """Return identity and name of a person whom another has played or blocked, by key.

    Raises `HostingError` (`no-such-person`) and `StoreError`.
    """
    known: list[tuple[str, str]] = [(each.identity, each.name) for each in await acquaintances(store, identity, now)]
    known += [(each.other, each.name) for each in await blocked_by(store, identity)]
    for other, name in known:
        if hmac.compare_digest(person_key(host_key, identity, other).encode(), key.encode()):
            return other, name
    raise HostingError(HostingCode.NO_SUCH_PERSON, text=key)


async def is_shown(store: Store, identity: str) -> bool:
    """Return whether a person shows to others when it is in the lobby. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return identity in await shown_among(connection, [identity])


async def shown_among(connection: AsyncConnection, identities: Iterable[str]) -> frozenset[str]:
    """Return those of some people who show to others when they are in the lobby."""
    rows = await connection.exec_driver_sql(*statement(connection.dialect.name, _SHOWN, list(identities)))
    return frozenset(rows.scalars())


async def show(store: Store, identity: str, *, shown: bool) -> None:
    """Save whether a person shows to others when it is in the lobby. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        if shown:
            connection.execute(insert_if_missing(SHOWN_ONLINE, connection.dialect.name), {"identity": identity})
        else:
            connection.execute(delete(SHOWN_ONLINE).where(SHOWN_ONLINE.c.identity == identity))
            connection.execute(delete(PRESENCE).where(PRESENCE.c.table_id == IN_LOBBY, PRESENCE.c.identity == identity))

    await store.writer.work(work)


def save_online(identities: Collection[str], now: float, dialect: str) -> Steps[None]:
    """Save that those of these people are in the lobby who show it, and forget those who left."""
    yield statement(dialect, "DELETE FROM presence WHERE table_id = $1 AND seen < $2", IN_LOBBY, now - SEEN_WITHIN)
    if not identities:
        return
    shown = yield statement(dialect, _SHOWN, list(identities))
    if shown:
        yield presence_statement([(IN_LOBBY, identity, now) for (identity,) in sorted(shown)], dialect)


async def invite(store: Store, host_key: bytes, new: Invitation) -> None:
    """Save an invitation, and the notice of it. Raises `HostingError` (`invitation-refused` if one
    has blocked the other, `too-many-invitations`) and `StoreError`."""
    path = f"/tables/{new.table_id}#join={keys_of(host_key, new.table_id, new.links).join}"

    def work(connection: Connection) -> None:
        if blocks_among(connection, [new.inviter, new.invited]):
            raise HostingError(HostingCode.INVITATION_REFUSED)
        connection.execute(delete(INVITATIONS).where(INVITATIONS.c.created < new.created - VALID))
        if connection.execute(_SENT, {"inviter": new.inviter}).scalar_one() >= MOST_INVITATIONS:
            raise HostingError(HostingCode.TOO_MANY_INVITATIONS, most=MOST_INVITATIONS)
        own = [INVITATIONS.c.table_id == new.table_id, INVITATIONS.c.invited == new.invited]
        connection.execute(delete(INVITATIONS).where(*own))
        connection.execute(insert(INVITATIONS), new._asdict())
        game = split_id(new.game)[0]
        outbox.invitation(connection, to=new.invited, by=new.name, table=new.table_id, game=game, path=path, now=new.created)

    await store.writer.work(work)


async def decline(store: Store, identity: str, table: str, now: float) -> str | None:
    """Decline an invitation, and withdraw its notice. Return the identity of the person who sent
    it, `None` if there is no open invitation. Raises `StoreError`."""

    def work(connection: Connection) -> str | None:
        own = [INVITATIONS.c.table_id == table, INVITATIONS.c.invited == identity, INVITATIONS.c.declined.is_(None)]
        inviter = connection.execute(select(INVITATIONS.c.inviter).where(*own)).scalar_one_or_none()
        if inviter is not None:
            connection.execute(update(INVITATIONS).where(*own).values(declined=now))
            outbox.withdraw(connection, to=identity, topic=table, now=now)
        return inviter

    return await store.writer.work(work)


async def end_invitations(store: Store, table: str, now: float) -> list[str]:
    """Withdraw what people were told of invitations to a table that is full, and return the invited
    people. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            query = select(INVITATIONS.c.invited).where(INVITATIONS.c.table_id == table)
            invited = list((await connection.execute(query)).scalars())
    if invited:
        await store.writer.work(lambda connection: outbox.withdraw_invitations(connection, table=table, now=now))
    return invited


async def declined_tables(store: Store, inviter: str) -> list[str]:
    """Return the ids of tables to which this person has invited another who declined, and whose
    game has not begun. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return list((await connection.execute(_DECLINED, {"inviter": inviter})).scalars())


async def invitations_of(
    connection: AsyncConnection, host_key: bytes, identities: Iterable[str], now: float
) -> Mapping[str, list[dict[str, Any]]]:
    """Return as JSON the invitations of each of these identities to tables that have not begun, at
    which there is a seat and the person has none."""
    rows = await connection.execute(_INVITED, {"identities": list(identities), "since": now - VALID})
    found: dict[str, list[dict[str, Any]]] = {}
    for *columns, summary in rows:
        invitation = Invitation(*columns)
        if all(seat["name"] or seat["level"] for seat in json.loads(summary)["seats"]):
            continue
        key = keys_of(host_key, invitation.table_id, invitation.links).join
        shown = {"table": invitation.table_id, "key": key, "name": invitation.name, "game": invitation.game}
        found.setdefault(invitation.invited, []).append(shown | {"created": invitation.created})
    return found


_MINE: Final = SEATS.alias("mine")
_OTHERS: Final = (
    select(SEATS.c.identity, SEATS.c.seats, TABLES.c.game, TABLES.c.created, TABLES.c.summary)
    .join(_MINE, _MINE.c.table_id == SEATS.c.table_id)
    .join(TABLES, TABLES.c.table_id == SEATS.c.table_id)
    .where(_MINE.c.identity == bindparam("identity"), SEATS.c.identity != bindparam("identity"), TABLES.c.state != "open")
    .order_by(TABLES.c.created.desc(), SEATS.c.identity)
    .limit(MOST_READ)
)
_SHOWN: Final = "SELECT identity FROM shown_online WHERE identity = ANY($1::text[])"
_ONLINE: Final = select(PRESENCE.c.identity).where(
    PRESENCE.c.table_id == IN_LOBBY,
    PRESENCE.c.identity.in_(bindparam("identities", expanding=True)),
    PRESENCE.c.seen > bindparam("seen"),
)
_SENT: Final = (
    select(func.count())
    .select_from(INVITATIONS)
    .join(TABLES, TABLES.c.table_id == INVITATIONS.c.table_id)
    .where(INVITATIONS.c.inviter == bindparam("inviter"), INVITATIONS.c.declined.is_(None), TABLES.c.state == "open")
)
_DECLINED: Final = (
    select(INVITATIONS.c.table_id)
    .distinct()
    .join(TABLES, TABLES.c.table_id == INVITATIONS.c.table_id)
    .where(INVITATIONS.c.inviter == bindparam("inviter"), INVITATIONS.c.declined.is_not(None), TABLES.c.state == "open")
)
_INVITED: Final = (
    select(INVITATIONS, TABLES.c.summary)
    .join(TABLES, TABLES.c.table_id == INVITATIONS.c.table_id)
    .where(
        INVITATIONS.c.invited.in_(bindparam("identities", expanding=True)),
        INVITATIONS.c.created > bindparam("since"),
        INVITATIONS.c.declined.is_(None),
        TABLES.c.state == "open",
        ~exists().where(SEATS.c.table_id == INVITATIONS.c.table_id, SEATS.c.identity == INVITATIONS.c.invited),
    )
    .order_by(INVITATIONS.c.created.desc())
)
