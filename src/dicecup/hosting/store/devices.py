"""Browsers that are signed in as an identity: seen, listed and signed out. Signing a browser out
deletes its push subscription.

The first cookie of an identity needs no row here, because it is signed. A row says when the browser
was seen, or that it was signed out. Every further browser of an identity has a row from the moment
in which its cookie is made, so that signing out all others finds it. Rows stay for ever, because a
stolen cookie never expires.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, or_, select, tuple_, update

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import CHANNELS, DELIVERIES, DEVICES, TOKENS
from dicecup.hosting.store.statements import insert_if_missing, upsert
from dicecup.hosting.store.store import Store

EARLIER: Final = "earlier"
"""Device of all cookies that were made before cookies named a device."""
MOST_LISTED: Final = 100
"""Devices in a list."""
MOST_CHECKED: Final = 500
"""Credentials that one query checks."""


class SeenDevice(NamedTuple):
    """A browser that is signed in. `agent` names the browser and the system. Times are seconds
    since 1970."""

    identity: str
    device: str
    agent: str
    created: float
    seen: float


class Credential(NamedTuple):
    """What a client proves its identity with.

    `device` is the id of a browser, and empty for a bearer token. `token` is the SHA-256 of a
    token, and empty for a browser.
    """

    identity: str
    device: str = ""
    token: str = ""


async def last_seen(store: Store, identity: str, device: str) -> float | None:
    """Return when a device was last seen, 0 if never, `None` if it was signed out. Raises
    `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            row = (await connection.execute(_DEVICE, {"identity": identity, "device": device})).first()
    if row is None:
        return 0.0
    return None if row.ended is not None else float(row.seen)


async def save_seen(store: Store, devices: Iterable[SeenDevice]) -> None:
    """Save when devices were seen. Raises `StoreError`."""
    rows = [{**device._asdict(), "ended": None} for device in sorted(devices)]

    def work(connection: Connection) -> None:
        connection.execute(upsert(DEVICES, connection.dialect.name, unchanged=("created", "ended")), rows)

    if rows:
        await store.writer.work(work)


def insert_device(connection: Connection, device: SeenDevice) -> None:
    """Insert a device whose cookie is being made."""
    connection.execute(insert_if_missing(DEVICES, connection.dialect.name), {**device._asdict(), "ended": None})


async def replace_earlier(store: Store, device: SeenDevice) -> bool:
    """Save the device that a cookie without a device is replaced with, and return `True`, unless
    those cookies were signed out meanwhile. Raises `StoreError`."""

    def work(connection: Connection) -> bool:
        if is_ended(connection, device.identity, EARLIER):
            return False
        insert_device(connection, device)
        return True

    return await store.writer.work(work)


async def devices_of(store: Store, identity: str) -> list[SeenDevice]:
    """Return the devices that are signed in as an identity, the last one seen first, at most
    `MOST_LISTED`. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [SeenDevice(*row) for row in await connection.execute(_DEVICES_OF, {"identity": identity})]


async def end_device(store: Store, identity: str, device: str, now: float) -> None:
    """Sign out a device and delete its push subscription. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        _end(connection, identity, device, now)
        _delete_pushes(connection, identity, CHANNELS.c.device == device)

    await store.writer.work(work)


async def end_other_devices(store: Store, identity: str, kept: str, now: float) -> None:
    """Sign out all devices of an identity but one. Delete their push subscriptions, those of an
    unknown device, and the transfer links. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        # A link that is being redeemed is waited for, so that the update finds its device.
        connection.execute(delete(TOKENS).where(TOKENS.c.identity == identity, TOKENS.c.kind == "transfer"))
        end_devices(connection, identity, now, kept)
        _delete_pushes(connection, identity, or_(CHANNELS.c.device.is_(None), CHANNELS.c.device != kept))

    await store.writer.work(work)


def end_devices(connection: Connection, identity: str, now: float, kept: str = "") -> None:
    """Sign out all devices of an identity but `kept`."""
    others = [DEVICES.c.identity == identity, DEVICES.c.device != kept, DEVICES.c.ended.is_(None)]
    connection.execute(update(DEVICES).where(*others).values(ended=now))
    if kept != EARLIER:
        _end(connection, identity, EARLIER, now)


def is_ended(connection: Connection, identity: str, device: str) -> bool:
    """Return whether a device was signed out."""
    row = connection.execute(_DEVICE, {"identity": identity, "device": device}).first()
    return row is not None and row.ended is not None


async def ended_among(store: Store, credentials: Sequence[Credential]) -> set[Credential]:
    """Return those credentials that are not valid any more. Raises `StoreError`."""
    ended: set[Credential] = set()
    with translated():
        async with store.engines.readers.connect() as connection:
            for start in range(0, len(credentials), MOST_CHECKED):
                part = credentials[start : start + MOST_CHECKED]
                keys = [(each.identity, each.device) for each in part if each.device]
                found = await connection.execute(_ENDED, {"devices": keys}) if keys else ()
                signed_out = {(row.identity, row.device) for row in found}
                tokens = [each.token for each in part if each.token]
                valid = set((await connection.execute(_TOKENS, {"tokens": tokens})).scalars()) if tokens else set()
                ended |= {
                    each
                    for each in part
                    if (each.token not in valid if each.token else (each.identity, each.device) in signed_out)
                }
    return ended


def _end(connection: Connection, identity: str, device: str, now: float) -> None:
    row = {"identity": identity, "device": device, "agent": "", "created": now, "seen": now, "ended": now}
    if not connection.execute(insert_if_missing(DEVICES, connection.dialect.name), row).rowcount:
        own = [DEVICES.c.identity == identity, DEVICES.c.device == device, DEVICES.c.ended.is_(None)]
        connection.execute(update(DEVICES).where(*own).values(ended=now))


def _delete_pushes(connection: Connection, identity: str, which: ColumnElement[bool]) -> None:
    """Delete push subscriptions of an identity, and what is to be sent to them."""
    own = CHANNELS.c.identity == identity, CHANNELS.c.kind == "push", which
    connection.execute(delete(DELIVERIES).where(DELIVERIES.c.channel.in_(select(CHANNELS.c.id).where(*own))))
    connection.execute(delete(CHANNELS).where(*own))


_DEVICE: Final = select(DEVICES.c.seen, DEVICES.c.ended).where(
    DEVICES.c.identity == bindparam("identity"), DEVICES.c.device == bindparam("device")
)
_DEVICES_OF: Final = (
    select(*(DEVICES.c[name] for name in SeenDevice._fields))
    .where(DEVICES.c.identity == bindparam("identity"), DEVICES.c.ended.is_(None))
    .order_by(DEVICES.c.seen.desc(), DEVICES.c.device)
    .limit(MOST_LISTED)
)
_ENDED: Final = select(DEVICES.c.identity, DEVICES.c.device).where(
    tuple_(DEVICES.c.identity, DEVICES.c.device).in_(bindparam("devices", expanding=True)), DEVICES.c.ended.is_not(None)
)
_TOKENS: Final = select(TOKENS.c.hash).where(TOKENS.c.hash.in_(bindparam("tokens", expanding=True)), TOKENS.c.kind == "bearer")
