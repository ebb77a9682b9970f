"""What is to be sent to the channels: claimed by one worker, sent at least once, and tried again
with growing pauses."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, select, tuple_, update

from dicecup.hosting.people.channels import CONFIRM_WITHIN, Channel
from dicecup.hosting.people.outbox import LEASE, Delivery
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import CHANNELS, DELIVERIES, MAIL_USE

BATCH: Final = 50
"""Channels to which a worker sends at once."""
FIRST_PAUSE: Final = 15.0
LONGEST_PAUSE: Final = 3600.0
"""Seconds until a failed delivery is tried again: the first one, four times as many after each
further failure, and the longest."""
HOUR: Final = 3600


class Parcel(NamedTuple):
    """What is sent to a channel at once."""

    channel: Channel
    deliveries: Sequence[Delivery]


class Postponed(NamedTuple):
    """A delivery that is sent at a later time."""

    delivery: Delivery
    due: float


def pause_after(attempts: int) -> float:
    """Return the seconds until a delivery is tried again that has failed so often."""
    return min(FIRST_PAUSE * 4.0 ** (attempts - 1), LONGEST_PAUSE)


async def is_any_due(store: Store, now: float) -> bool:
    """Return whether anything is to be sent. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(select(DELIVERIES.c.channel).where(DELIVERIES.c.due <= now).limit(1))
            return found.first() is not None


async def claim_parcels(store: Store, kinds: Collection[str], now: float, limit: int = BATCH) -> list[Parcel]:
    """Return what is to be sent to channels of these kinds, and keep other workers from it for
    `LEASE` seconds.

    A worker claims all that is due to a channel: a daily mail is one mail. What has expired is
    deleted. Raises `StoreError`.
    """
    due = DELIVERIES.c.due <= now

    def work(connection: Connection) -> list[Parcel]:
        connection.execute(delete(DELIVERIES).where(due, DELIVERIES.c.expires < now))
        waiting = select(DELIVERIES.c.channel).where(due)
        locked = select(*_CHANNEL).where(CHANNELS.c.id.in_(waiting), CHANNELS.c.kind.in_(kinds)).order_by(CHANNELS.c.id)
        rows = connection.execute(locked.limit(limit).with_for_update(skip_locked=True))
        channels = [Channel(*row) for row in rows]
        listed = [channel.id for channel in channels]
        keys = DELIVERIES.c.channel, DELIVERIES.c.topic
        # in this order, as `outbox.decide` does
        connection.execute(select(*keys).where(due, DELIVERIES.c.channel.in_(listed)).order_by(*keys).with_for_update())
        change = update(DELIVERIES).where(due, DELIVERIES.c.channel.in_(listed))
        claimed = connection.execute(change.values(due=now + LEASE, attempts=DELIVERIES.c.attempts + 1).returning(*_DELIVERY))
        parts: dict[str, list[Delivery]] = defaultdict(list)
        for row in claimed:
            parts[row.channel].append(Delivery(*row))
        return [parcel for channel in channels for parcel in _parcels(channel, sorted(parts[channel.id]))]

    return await store.writer.work(work)


def _parcels(channel: Channel, claimed: Sequence[Delivery]) -> list[Parcel]:
    """Return what is sent at once: all of a daily mail, else each by itself."""
    if channel.daily and claimed:
        return [Parcel(channel, claimed)]
    return [Parcel(channel, (delivery,)) for delivery in claimed]


async def finish(store: Store, sent: Iterable[Delivery], postponed: Iterable[Postponed]) -> None:
    """Save that deliveries were sent or are to be sent later, unless they were replaced meanwhile.
    Raises `StoreError`."""
    done, later = sorted(sent), sorted(postponed)

    def work(connection: Connection) -> None:
        if done:
            keys = [(delivery.channel, delivery.topic, delivery.key) for delivery in done]
            connection.execute(delete(DELIVERIES).where(tuple_(*_KEY).in_(keys)))
        for delivery, due in later:
            same = [column == getattr(delivery, column.name) for column in _KEY]
            connection.execute(update(DELIVERIES).where(*same).values(due=due))

    if done or later:
        await store.writer.work(work)


async def delete_unconfirmed(store: Store, now: float) -> None:
    """Delete mail addresses that nobody has confirmed in time, and counts of mails of earlier
    hours. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        connection.execute(delete(CHANNELS).where(CHANNELS.c.confirmed.is_(None), CHANNELS.c.created < now - CONFIRM_WITHIN))
        connection.execute(delete(MAIL_USE).where(MAIL_USE.c.hour < now // HOUR))

    await store.writer.work(work)


_CHANNEL: Final = tuple(CHANNELS.c[name] for name in Channel._fields)
_DELIVERY: Final = tuple(DELIVERIES.c[name] for name in Delivery._fields)
_KEY: Final = (DELIVERIES.c.channel, DELIVERIES.c.topic, DELIVERIES.c.key)
