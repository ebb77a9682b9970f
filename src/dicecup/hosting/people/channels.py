"""The channels by which people are told what happens while they are away, their quiet hours, and
the tables that they muted.

A channel belongs to an identity, with or without an account. A browser has one subscription, so it
moves to the identity that the browser has now. Until a mail address is confirmed, it gets one mail,
which asks for that.
"""

import hashlib
from collections.abc import Collection, Iterable
from secrets import token_hex
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, tuple_, update

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import outbox
from dicecup.hosting.people.outbox import Delivery
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import UNCHANGED, AuditEntry, note
from dicecup.hosting.store.devices import Credential, is_ended
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import CHANNELS, DELIVERIES, MUTES, QUIET_HOURS
from dicecup.hosting.store.statements import insert_if_missing, upsert

PUSH: Final = "push"
MAIL: Final = "mail"
CONFIRM: Final = "confirm"
"""Kind of the delivery that asks for the confirmation of a mail address."""
MOST_PUSHES: Final = 20
"""Browsers in which an identity may be told something."""
HASH_DIGITS: Final = 16
CONFIRM_WITHIN: Final = 86_400.0
"""Seconds in which a mail address must be confirmed."""


class Channel(NamedTuple):
    """A row of `CHANNELS`."""

    id: str
    identity: str
    kind: str
    address: str
    secrets: str
    language: str
    daily: bool
    created: float
    confirmed: float | None
    device: str | None = None


class QuietHours(NamedTuple):
    """The hours of the day in which a person gets no messages, in minutes since midnight in a time
    zone. Equal ones: never."""

    zone: str
    begins: int
    ends: int


class Added(NamedTuple):
    """A saved push subscription, and the identity that it belonged to before, if any."""

    channel: Channel
    earlier: str | None


class Wishes(NamedTuple):
    """How an identity wants to be told something: its channels, and its quiet hours if it has
    any."""

    channels: tuple[Channel, ...]
    quiet: QuietHours | None


async def add_push(store: Store, owner: Credential, endpoint: str, secrets: str, language: str, now: float) -> Added:
    """Save the subscription of a browser, which belongs to this identity alone from now on.

    Raises `HostingError` (`too-many-channels`, `signed-out`) and `StoreError`.
    """
    identity, device = owner.identity, owner.device or None
    id_ = hashlib.sha256(endpoint.encode()).hexdigest()[:32]
    channel = Channel(id_, identity, PUSH, endpoint, secrets, language, False, now, now, device)

    def work(connection: Connection) -> Added:
        if device is not None and is_ended(connection, identity, device):
            raise HostingError(HostingCode.SIGNED_OUT)
        others = CHANNELS.c.identity == identity, CHANNELS.c.kind == PUSH, CHANNELS.c.id != id_
        if connection.execute(select(func.count()).select_from(CHANNELS).where(*others)).scalar_one() >= MOST_PUSHES:
            raise HostingError(HostingCode.TOO_MANY_CHANNELS, most=MOST_PUSHES)
        earlier: str | None = connection.execute(select(CHANNELS.c.identity).where(CHANNELS.c.id == id_)).scalar_one_or_none()
        if earlier not in (None, identity):
            _delete(connection, [id_])  # with what was to be told to the earlier person
        connection.execute(upsert(CHANNELS, connection.dialect.name), channel._asdict())
        return Added(channel, earlier)

    return await store.writer.work(work)


async def set_mail(store: Store, identity: str, address: str, language: str, *, daily: bool, now: float) -> Channel:
    """Save the mail address of an identity. A new one replaces the earlier when it is confirmed,
    and is asked for that at once. Raises `StoreError`."""

    def work(connection: Connection) -> Channel:
        own = CHANNELS.c.identity == identity, CHANNELS.c.kind == MAIL
        same = connection.execute(select(*_CHANNEL).where(*own, CHANNELS.c.address == address)).first()
        if same is not None and same.confirmed is not None:
            kept = Channel(*same)._replace(language=language, daily=daily)
            connection.execute(upsert(CHANNELS, connection.dialect.name), kept._asdict())
            return kept
        _delete(connection, connection.execute(select(CHANNELS.c.id).where(*own, CHANNELS.c.confirmed.is_(None))).scalars())
        channel = Channel(_hash(address) + token_hex(8), identity, MAIL, address, "", language, daily, now, None)
        connection.execute(insert(CHANNELS), channel._asdict())
        asked = Delivery(channel.id, CONFIRM, channel.id, CONFIRM, "{}", now, now + CONFIRM_WITHIN)
        connection.execute(insert(DELIVERIES), asked._asdict())
        return channel

    return await store.writer.work(work)


async def confirm(store: Store, channel: str, now: float) -> Channel | None:
    """Confirm a mail address, in place of the earlier one of its identity, and return its channel;
    `None` if it is unknown or was asked too long ago. Raises `StoreError`."""

    def work(connection: Connection) -> Channel | None:
        row = connection.execute(select(*_CHANNEL).where(CHANNELS.c.id == channel, CHANNELS.c.kind == MAIL)).first()
        if row is None:
            return None
        found = Channel(*row)
        if found.confirmed is not None:
            return found
        if found.created + CONFIRM_WITHIN < now:
            return None
        others = CHANNELS.c.identity == found.identity, CHANNELS.c.kind == MAIL, CHANNELS.c.id != found.id
        _delete(connection, connection.execute(select(CHANNELS.c.id).where(*others)).scalars())
        connection.execute(update(CHANNELS).where(CHANNELS.c.id == found.id).values(confirmed=now))
        connection.execute(delete(DELIVERIES).where(DELIVERIES.c.channel == found.id, DELIVERIES.c.topic == CONFIRM))
        return found._replace(confirmed=now)

    return await store.writer.work(work)


async def remove(store: Store, channel: str, identity: str | None = None) -> str | None:
    """Delete a channel and what is to be sent to it, of this identity if one is given. Return its
    identity, `None` for an unknown channel. Raises `StoreError`."""

    def work(connection: Connection) -> str | None:
        query = select(CHANNELS.c.identity).where(CHANNELS.c.id == channel)
        owner: str | None = connection.execute(query).scalar_one_or_none()
        if owner is None or (identity is not None and owner != identity):
            return None
        _delete(connection, [channel])
        return owner

    return await store.writer.work(work)


async def stop_mails(store: Store, channel: str) -> list[str]:
    """Delete all channels of the mail address that this channel has or had, and return their
    identities: who has a mail to the address owns it. Raises `StoreError`."""

    def work(connection: Connection) -> list[str]:
        address = select(func.lower(CHANNELS.c.address)).where(CHANNELS.c.id == channel).scalar_subquery()
        same = or_(CHANNELS.c.id.startswith(channel[:HASH_DIGITS], autoescape=True), func.lower(CHANNELS.c.address) == address)
        query = select(CHANNELS.c.id, CHANNELS.c.identity).where(CHANNELS.c.kind == MAIL, same)
        found = connection.execute(query).all()
        _delete(connection, [row.id for row in found])
        return sorted({row.identity for row in found})

    return await store.writer.work(work)


async def change_mail(store: Store, identity: str, language: str | None, *, daily: bool | None) -> bool:
    """Change the mails to the addresses of an identity, confirmed or not, where a value is given.
    Return whether it has an address. Raises `StoreError`."""
    given = {"language": language, "daily": daily}
    changed = {name: value for name, value in given.items() if value is not None}

    def work(connection: Connection) -> bool:
        own = CHANNELS.c.identity == identity, CHANNELS.c.kind == MAIL
        if changed:
            return bool(connection.execute(update(CHANNELS).where(*own).values(changed)).rowcount)
        return connection.execute(select(CHANNELS.c.id).where(*own)).first() is not None

    return await store.writer.work(work)


async def remove_mail(store: Store, identity: str) -> None:
    """Delete the mail addresses of an identity. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        own = CHANNELS.c.identity == identity, CHANNELS.c.kind == MAIL
        _delete(connection, connection.execute(select(CHANNELS.c.id).where(*own)).scalars())

    await store.writer.work(work)


async def remove_address(store: Store, address: str, entry: AuditEntry) -> bool:
    """Delete all channels of a mail address, whatever its case, and return whether there were any.
    `entry` is added to the audit log. Raises `StoreError`."""

    def work(connection: Connection) -> bool:
        same = CHANNELS.c.kind == MAIL, func.lower(CHANNELS.c.address) == address.lower()
        found = list(connection.execute(select(CHANNELS.c.id).where(*same)).scalars())
        _delete(connection, found)
        note(connection, entry if found else entry._replace(outcome=UNCHANGED))
        return bool(found)

    return await store.writer.work(work)


async def wishes_of(store: Store, identity: str) -> Wishes:
    """Return how an identity wants to be told something. Raises `StoreError`."""
    return (await wishes_of_all(store, [identity]))[identity]


async def wishes_of_all(store: Store, identities: Collection[str]) -> dict[str, Wishes]:
    """Return how each of these identities wants to be told something. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = await connection.execute(
                select(*_CHANNEL).where(CHANNELS.c.identity.in_(identities)).order_by(CHANNELS.c.created)
            )
            channels = [Channel(*row) for row in rows]
            rows = await connection.execute(select(QUIET_HOURS).where(QUIET_HOURS.c.identity.in_(identities)))
            quiet = {row.identity: QuietHours(row.zone, row.begins, row.ends) for row in rows}
    return {
        identity: Wishes(tuple(each for each in channels if each.identity == identity), quiet.get(identity))
        for identity in identities
    }


async def set_quiet_hours(store: Store, identity: str, quiet: QuietHours, now: float) -> None:
    """Save the quiet hours of an identity. What waits for the end of the earlier ones is decided
    again at `now`. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        connection.execute(upsert(QUIET_HOURS, connection.dialect.name), {"identity": identity, **quiet._asdict()})
        outbox.decide_again(connection, identity, now)

    await store.writer.work(work)


async def set_muted(store: Store, identity: str, table: str, *, muted: bool) -> None:
    """Mute a table for an identity, or end that. Raises `StoreError`."""
    row = {"identity": identity, "table_id": table}

    def work(connection: Connection) -> None:
        if muted:
            connection.execute(insert_if_missing(MUTES, connection.dialect.name), row)
        else:
            connection.execute(delete(MUTES).where(MUTES.c.identity == identity, MUTES.c.table_id == table))

    await store.writer.work(work)


async def muted(store: Store, tables: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return those of these identities and tables that are muted. Raises `StoreError`."""
    query = select(MUTES.c.identity, MUTES.c.table_id).where(tuple_(MUTES.c.identity, MUTES.c.table_id).in_(tables))
    with translated():
        async with store.engines.readers.connect() as connection:
            return {(row.identity, row.table_id) for row in await connection.execute(query)}


def forget_person(connection: Connection, identity: str) -> None:
    """Delete everything that is kept to tell an identity something: channels with their addresses,
    quiet hours, muted tables, and what is to be told. The caller announces it with
    `Recipients.changed`."""
    _delete(connection, connection.execute(select(CHANNELS.c.id).where(CHANNELS.c.identity == identity)).scalars())
    connection.execute(delete(QUIET_HOURS).where(QUIET_HOURS.c.identity == identity))
    outbox.forget(connection, identity)


def _hash(address: str) -> str:
    """Return what the ids of all channels of a mail address begin with."""
    return hashlib.sha256(address.lower().encode()).hexdigest()[:HASH_DIGITS]


def _delete(connection: Connection, channels: Iterable[str]) -> None:
    """Delete channels and what is to be sent to them."""
    listed = list(channels)
    if listed:
        connection.execute(delete(DELIVERIES).where(DELIVERIES.c.channel.in_(listed)))
        connection.execute(delete(CHANNELS).where(CHANNELS.c.id.in_(listed)))


_CHANNEL: Final = tuple(CHANNELS.c[name] for name in Channel._fields)
