"""Tells people what the outbox holds: decides about notices that are due, and hands them to the
senders of the channels. Any worker does it, and each notice is decided once."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final, Protocol

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import channels, deliveries, mail_limits, outbox
from dicecup.hosting.people.channels import CONFIRM, MAIL, Channel
from dicecup.hosting.people.decisions import AT_TABLE, Circumstances, decision, following
from dicecup.hosting.people.deliveries import Parcel, Postponed, pause_after
from dicecup.hosting.people.mail_limits import MailLimits
from dicecup.hosting.people.notices import CLOCK_KINDS, NoticeKind, clock_marks
from dicecup.hosting.people.outbox import Claimed, Decision, Delivery
from dicecup.hosting.people.quiet_hours import quiet_until
from dicecup.hosting.presence import OFFLINE_AFTER
from dicecup.hosting.store import Notice
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import TableHost

LOG: Final = logging.getLogger(__name__)

INTERVAL: Final = 1.0
"""Seconds between two looks into the outbox."""
CLEANING_INTERVAL: Final = 3600.0
WITHHELD_FOR: Final = 3600.0
"""Seconds until a notice to a banned person is looked at again: the ban may have been lifted. So is
one that could not be decided because of a fault."""
SETTLING: Final = OFFLINE_AFTER
"""Seconds after the start in which nothing is decided: the pages connect again first."""


class Outcome(StrEnum):
    """How an attempt to send ended."""

    SENT = "sent"
    FAILED = "failed"
    """It is to be tried again."""
    GONE = "gone"
    """The receiver does not exist any more."""


class Sender(Protocol):
    """Sends to the channels of a kind. It raises no error for what receivers do."""

    async def send(self, channel: Channel, told: Sequence[Delivery]) -> Outcome: ...

    async def close(self) -> None: ...


class Notifier:
    """The worker of the outbox in this process. `senders` are by kind of channel."""

    def __init__(self, host: TableHost, senders: Mapping[str, Sender], limits: MailLimits) -> None:
        self.senders = senders
        self._host = host
        self._store = host.store
        self._limits = limits
        self._settled = host.clock() + SETTLING
        self._cleaned = 0.0

    async def run(self) -> None:
        """Decide about all notices that are due, and send what is to be sent. Raises
        `StoreError`."""
        now = self._host.clock()
        if now >= self._cleaned + CLEANING_INTERVAL:
            self._cleaned = now
            await deliveries.delete_unconfirmed(self._store, now)
        while now >= self._settled and await outbox.is_any_due(self._store, now):
            await self._decide(now)
        while await deliveries.is_any_due(self._store, now) and await self._send(now):
            now = self._host.clock()

    async def _decide(self, now: float) -> None:
        claimed = await outbox.claim(self._store, now)
        wishes = await channels.wishes_of_all(self._store, {each.notice.identity for each in claimed})
        muted = await channels.muted(self._store, {(each.notice.identity, each.notice.topic) for each in claimed})
        await self._host.read_presence({each.notice.topic for each in claimed if each.notice.kind in AT_TABLE})
        decided = []
        for each in claimed:
            identity, topic = each.notice.identity, each.notice.topic
            seen = self._host.presence.last_seen(topic, identity, now)
            wanted = wishes[identity]
            wanted = wanted._replace(channels=tuple(each for each in wanted.channels if each.kind in self.senders))
            at = Circumstances(wanted, (identity, topic) in muted, seen, now, self._withheld(identity, now))
            decided.append(await self._decision(each, at))
        await outbox.decide(self._store, decided)

    async def _decision(self, claimed: Claimed, at: Circumstances) -> Decision:
        """Return what becomes of a notice. A fault puts off this notice alone. Raises
        `StoreError`."""
        try:
            if await self._is_taken(claimed.notice):
                return Decision(claimed.notice, None)
            return await self._too_early(claimed, at.now) or decision(claimed, at)
        except StoreError:
            raise
        except Exception:
            LOG.exception("a notice of kind %s cannot be decided", claimed.notice.kind)
            return Decision(claimed.notice, claimed.notice._replace(due=at.now + WITHHELD_FOR))

    def _withheld(self, identity: str, now: float) -> float | None:
        """Return until when a person gets no messages, because the person is banned."""
        ban = self._host.credentials.bans.ban_of(identity)
        return None if ban is None else min(ban.until, now + WITHHELD_FOR)

    async def _is_taken(self, notice: Notice) -> bool:
        """Return whether it is an invitation to a table at which nobody can sit down any more."""
        if notice.kind != NoticeKind.INVITATION:
            return False
        with suppress(HostingError):  # deleted: its notices go with it
            state = await self._host.cache.state_of(notice.topic)
            return state.is_full or state.started or state.end is not None
        return False

    async def _too_early(self, claimed: Claimed, now: float) -> Decision | None:
        """Return what becomes of a warning whose clock does not show that time now, `None` for all
        else: outages have moved the clock, or the table is deleted."""
        notice = claimed.notice
        if notice.kind not in CLOCK_KINDS:
            return None
        try:
            state = await self._host.cache.state_of(notice.topic)
        except HostingError as error:
            if error.code is not HostingCode.NO_SUCH_TABLE:
                raise
            return Decision(notice, None)
        marks = clock_marks(state, notice.identity)
        if any(mark.kind == notice.kind and mark.time <= now for mark in marks):
            return None
        details = outbox.details_of(notice) | {"marks": marks}
        return Decision(notice, following(notice._replace(details=outbox.json_of(details)), now))

    async def _send(self, now: float) -> bool:
        """Send to some channels, and return whether there were any."""
        parcels = await deliveries.claim_parcels(self._store, list(self.senders), now)
        outcomes = await asyncio.gather(*(self._send_parcel(parcel, now) for parcel in parcels))
        sent, postponed = list[Delivery](), list[Postponed]()
        for parcel, outcome in zip(parcels, outcomes, strict=True):
            if outcome is Outcome.GONE:
                LOG.info("a channel of kind %s is gone", parcel.channel.kind)
                await channels.remove(self._store, parcel.channel.id)
                await self._host.recipients.changed(parcel.channel.identity)
            elif outcome is Outcome.SENT:
                sent += parcel.deliveries
            else:
                postponed += await self._postponed(parcel, outcome, now)
        await deliveries.finish(self._store, sent, postponed)
        return bool(parcels)

    async def _postponed(self, parcel: Parcel, outcome: Outcome | float, now: float) -> list[Postponed]:
        """Return when a parcel is tried again: not in quiet hours, apart from the mail that its
        reader waits for."""
        quiet = (await channels.wishes_of(self._store, parcel.channel.identity)).quiet
        postponed = []
        for each in parcel.deliveries:
            due = outcome if isinstance(outcome, float) else now + pause_after(each.attempts)
            postponed.append(Postponed(each, due if each.kind == CONFIRM else quiet_until(quiet, due) or due))
        return postponed

    async def _send_parcel(self, parcel: Parcel, now: float) -> Outcome | float:
        """Send a parcel. Return the outcome, or the time until which it waits."""
        channel = parcel.channel
        if (withheld := self._withheld(channel.identity, now)) is not None:
            return withheld
        if channel.kind == MAIL and not await mail_limits.take(self._store, self._limits, channel.address, now):
            return mail_limits.next_hour(now)
        try:
            return await self.senders[channel.kind].send(channel, parcel.deliveries)
        except Exception:  # of one channel; the other parcels are sent
            LOG.exception("a channel of kind %s cannot be told", channel.kind)
            return Outcome.FAILED
