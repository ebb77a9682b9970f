"""The outbox: notices that other rooms put there in the transaction of what they tell, and their
way to the channels of a person, once.

A worker claims notices that are due for `LEASE` seconds, decides what becomes of each, and saves
the decision with its deliveries in one transaction. A decision about a notice that was replaced
meanwhile has no effect.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, select, tuple_, update

from dicecup.hosting.people.notices import NoticeKind, notice
from dicecup.hosting.store import Notice, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import CHANNELS, DELIVERIES, INVITATIONS, MUTES, NOTICES
from dicecup.hosting.store.statements import upsert

LEASE: Final = 30.0
"""Seconds that a worker has for what it claimed."""
BATCH: Final = 100
"""Notices that a worker claims at once."""
KEEP_TRYING: Final = 86_400.0
"""Seconds for which it is tried to deliver a notice."""


class Delivery(NamedTuple):
    """What is to be sent to a channel about a topic; see `NOTICES` for the fields of a notice."""

    channel: str
    topic: str
    key: str
    kind: str
    details: str
    due: float
    expires: float
    attempts: int = 0


class Claimed(NamedTuple):
    """A notice that this worker decides about. `told`: its identity was told something about the
    topic that was not withdrawn since."""

    notice: Notice
    told: bool


class Decision(NamedTuple):
    """What becomes of a claimed notice: its deliveries, and the notice that follows it, `None` for
    none."""

    notice: Notice
    next: Notice | None
    told: bool = False
    deliveries: Sequence[Delivery] = ()
    dropped: Sequence[str] = ()
    """Channels whose waiting delivery about the topic is deleted."""


# --- What other rooms call, in their transactions -------------------------------------------------


def invitation(connection: Connection, *, to: str, by: str, table: str, game: str, path: str, now: float) -> None:
    """Tell an identity that a person named `by` invites it to a table. `game` is the name of the
    game, and `path` the page that opens. Nothing is saved for an identity that wants no notices."""
    put(connection, notice(to, table, NoticeKind.INVITATION, now, now, {"path": path, "game": game, "names": [by]}))


def tournament_round(
    connection: Connection, *, to: str, tournament: str, name: str, number: int, path: str, now: float
) -> None:
    """Tell an identity that round `number` of a tournament begins. `name` is its name, and `path`
    the page that opens."""
    put(connection, notice(to, tournament, NoticeKind.ROUND, now, now, {"path": path, "name": name, "round": number}))


def withdraw(connection: Connection, *, to: str, topic: str, now: float) -> None:
    """Withdraw what an identity was told or is to be told about a topic: a table or a
    tournament."""
    row = notice(to, topic, NoticeKind.WITHDRAWN, now, now, {})
    connection.execute(update(NOTICES).where(NOTICES.c.identity == to, NOTICES.c.topic == topic).values(row._asdict()))


def withdraw_invitations(
    connection: Connection, *, now: float, by: str | None = None, to: str | None = None, table: str | None = None
) -> None:
    """Withdraw what people were told of invitations: of those by and to an identity and to a table,
    if these are given."""
    given = {INVITATIONS.c.inviter: by, INVITATIONS.c.invited: to, INVITATIONS.c.table_id: table}
    sent = (
        select(INVITATIONS.c.invited, INVITATIONS.c.table_id)
        .join(NOTICES, (NOTICES.c.identity == INVITATIONS.c.invited) & (NOTICES.c.topic == INVITATIONS.c.table_id))
        .where(NOTICES.c.kind == NoticeKind.INVITATION)
        .where(*(column == value for column, value in given.items() if value is not None))
    )
    for invited, topic in connection.execute(sent).all():
        withdraw(connection, to=invited, topic=topic, now=now)


def put(connection: Connection, new: Notice) -> None:
    """Put a notice into the outbox if its identity has a channel."""
    if connection.execute(select(_HAS_CHANNEL), {"identity": new.identity}).scalar_one():
        connection.execute(upsert(NOTICES, connection.dialect.name, unchanged=("told",)), new._asdict() | {"told": False})


def decide_again(connection: Connection, identity: str, now: float) -> None:
    """Let it be decided now about what is to be told to an identity later, since its wishes have
    changed."""
    connection.execute(update(NOTICES).where(NOTICES.c.identity == identity, NOTICES.c.due > now).values(due=now))


def forget(connection: Connection, identity: str) -> None:
    """Delete what is to be told to an identity, and the tables that it muted."""
    connection.execute(delete(NOTICES).where(NOTICES.c.identity == identity))
    connection.execute(delete(MUTES).where(MUTES.c.identity == identity))


# --- What workers call ----------------------------------------------------------------------------


async def is_any_due(store: Store, now: float) -> bool:
    """Return whether a notice is due. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(select(NOTICES.c.topic).where(NOTICES.c.due <= now).limit(1))
            return found.first() is not None


async def claim(store: Store, now: float, limit: int = BATCH) -> list[Claimed]:
    """Return notices that are due, and keep other workers from them for `LEASE` seconds. Raises
    `StoreError`."""
    keys = NOTICES.c.identity, NOTICES.c.topic
    due = select(*keys).where(NOTICES.c.due <= now).order_by(NOTICES.c.due).limit(limit).with_for_update(skip_locked=True)
    claimed = update(NOTICES).where(tuple_(*keys).in_(due)).values(due=now + LEASE).returning(*_NOTICE, NOTICES.c.told)

    def work(connection: Connection) -> list[Claimed]:
        return [Claimed(Notice(*row[:-1]), row.told) for row in connection.execute(claimed)]

    return await store.writer.work(work)


async def decide(store: Store, decisions: Iterable[Decision]) -> None:
    """Save decisions with their deliveries, unless their notices were replaced meanwhile. Raises
    `StoreError`."""
    ordered = sorted(decisions, key=lambda decision: decision.notice)

    def work(connection: Connection) -> None:
        made = [decision for decision in ordered if _is_made(connection, decision)]
        for decision in made:
            if decision.dropped:
                topic = DELIVERIES.c.topic == decision.notice.topic
                connection.execute(delete(DELIVERIES).where(topic, DELIVERIES.c.channel.in_(decision.dropped)))
        # in the order of their keys, so that two workers never deadlock
        if rows := [delivery._asdict() for delivery in sorted(each for decision in made for each in decision.deliveries)]:
            connection.execute(upsert(DELIVERIES, connection.dialect.name), rows)

    if ordered:
        await store.writer.work(work)


def _is_made(connection: Connection, decision: Decision) -> bool:
    """Save what follows a notice, and return whether the notice was still there."""
    before, after = decision.notice, decision.next
    same = [NOTICES.c[name] == getattr(before, name) for name in ("identity", "topic", "key", "kind")]
    if after is None:
        return connection.execute(delete(NOTICES).where(*same)).rowcount > 0
    told = {"told": True} if decision.told else {}
    return connection.execute(update(NOTICES).where(*same).values(after._asdict() | told)).rowcount > 0


def details_of(told: Notice | Delivery) -> dict[str, Any]:
    """Return the details of a notice or a delivery."""
    details: dict[str, Any] = json.loads(told.details)
    return details


def json_of(details: dict[str, Any]) -> str:
    """Return details as a notice holds them."""
    return json.dumps(details, ensure_ascii=False)


_NOTICE: Final = tuple(NOTICES.c[name] for name in Notice._fields)
_HAS_CHANNEL: Final = exists().where(CHANNELS.c.identity == bindparam("identity"), CHANNELS.c.confirmed.is_not(None))
