"""What becomes of a notice that is due: it is sent now, later or not at all."""

from typing import Final, NamedTuple

from dicecup.hosting.people.channels import MAIL, PUSH, Channel, Wishes
from dicecup.hosting.people.notices import AWAY, CLOCK_KINDS, NoticeKind
from dicecup.hosting.people.outbox import KEEP_TRYING, Claimed, Decision, Delivery, details_of, json_of
from dicecup.hosting.people.quiet_hours import next_daily_mail, quiet_until
from dicecup.hosting.presence import OFFLINE_AFTER
from dicecup.hosting.store import Notice

NEWS_AT_TABLE: Final = (NoticeKind.OVER, NoticeKind.REMATCH)
"""What a person knows who has seen the table since."""
AT_TABLE: Final = frozenset({NoticeKind.TURN, *CLOCK_KINDS, *NEWS_AT_TABLE})
"""Notices about a table at which the person sits."""


class Circumstances(NamedTuple):
    """What a decision depends on: the wishes of the identity, whether it muted the topic, when it
    was last seen at the table (0: never), and until when it may be told nothing because of a
    ban."""

    wishes: Wishes
    muted: bool
    seen: float
    now: float
    withheld: float | None = None


def decision(claimed: Claimed, at: Circumstances) -> Decision:
    """Return what becomes of a notice. The caller has compared warnings of clocks with their
    clock."""
    notice, now = claimed.notice, at.now
    if notice.kind == NoticeKind.WITHDRAWN:
        return _withdrawal(claimed, at)
    if at.muted:
        return _withdrawal(claimed, at) if notice.kind == NoticeKind.OVER else Decision(notice, following(notice, now))
    if notice.kind == NoticeKind.TURN and (due := max(at.seen, notice.created) + AWAY) > now:
        return Decision(notice, notice._replace(due=due))
    if notice.kind in CLOCK_KINDS and at.seen + AWAY > now:
        return Decision(notice, following(notice, now))
    if notice.kind in NEWS_AT_TABLE:
        if at.seen > notice.created:
            return _withdrawal(claimed, at)
        if at.seen + OFFLINE_AFTER > now:
            return Decision(notice, notice._replace(due=at.seen + OFFLINE_AFTER))
    if (until := at.withheld or quiet_until(at.wishes.quiet, now)) is not None:
        return Decision(notice, notice._replace(due=until))
    channels = [channel for channel in at.wishes.channels if channel.confirmed is not None]
    deliveries = [_delivery(_overtaken(notice, now), channel, at) for channel in channels]
    return Decision(notice, following(notice, now), bool(deliveries), deliveries)


def following(notice: Notice, now: float) -> Notice | None:
    """Return the notice that follows one that was told: the next warning of the clock, or one that
    waits to be withdrawn; `None` after the end of a game."""
    if notice.kind == NoticeKind.OVER:
        return None
    details = details_of(notice)
    marks = [mark for mark in details.get("marks", ()) if mark[0] > now]
    if not marks:
        return notice._replace(due=None)
    details["marks"] = marks[1:]
    time, kind = marks[0]
    return notice._replace(kind=kind, due=time, details=json_of(details))


def _overtaken(notice: Notice, now: float) -> Notice:
    """Return a warning of a clock as the last one whose time has come while it waited."""
    if notice.kind not in CLOCK_KINDS:
        return notice
    passed = [kind for time, kind in details_of(notice).get("marks", ()) if time <= now]
    return notice._replace(kind=passed[-1]) if passed else notice


def _withdrawal(claimed: Claimed, at: Circumstances) -> Decision:
    """Return the withdrawal of what was told about a table: a mail that was not sent yet is
    dropped, and browsers close the notification."""
    if not claimed.told:
        return Decision(claimed.notice, None)
    withdrawn = claimed.notice._replace(kind=NoticeKind.WITHDRAWN)
    pushes = [_delivery(withdrawn, channel, at) for channel in at.wishes.channels if channel.kind == PUSH]
    mails = [channel.id for channel in at.wishes.channels if channel.kind == MAIL]
    return Decision(claimed.notice, None, deliveries=pushes, dropped=mails)


def _delivery(notice: Notice, channel: Channel, at: Circumstances) -> Delivery:
    due = next_daily_mail(at.wishes.quiet, at.now) if channel.daily else at.now
    key = f"{notice.key}.{notice.kind}"
    return Delivery(channel.id, notice.topic, key, notice.kind, notice.details, due, due + KEEP_TRYING)
