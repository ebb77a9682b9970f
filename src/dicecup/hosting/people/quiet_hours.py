"""Quiet hours and the hour of the daily mail, in the time zone of a person."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.channels import QuietHours

DAILY_AT: Final = 8 * 60
"""Minute of the day at which the daily mail is sent."""


def quiet_hours(zone: str, begins: int, ends: int) -> QuietHours:
    """Return quiet hours. Raises `HostingError` (`not-a-zone`) for a time zone that is not in the
    database of IANA."""
    if zone not in available_timezones():
        raise HostingError(HostingCode.NOT_A_ZONE, text=zone)
    return QuietHours(zone, begins, ends)


def quiet_until(quiet: QuietHours | None, now: float) -> float | None:
    """Return the end of the quiet hours that a time is in, `None` outside of them."""
    if quiet is None or quiet.begins == quiet.ends:
        return None
    local = datetime.fromtimestamp(now, _known(quiet.zone))
    minute = local.hour * 60 + local.minute
    over_midnight = quiet.begins > quiet.ends
    is_quiet = (minute >= quiet.begins) + (minute < quiet.ends) > (0 if over_midnight else 1)
    return _next(quiet.zone, quiet.ends, now) if is_quiet else None


def next_daily_mail(quiet: QuietHours | None, now: float) -> float:
    """Return the time of the next daily mail: `DAILY_AT`, or the end of the quiet hours then."""
    at = _next("UTC" if quiet is None else quiet.zone, DAILY_AT, now)
    return quiet_until(quiet, at) or at


def _next(zone: str, minute: int, now: float) -> float:
    """Return the next time after `now` at which a clock of a zone shows a minute of the day."""
    local = datetime.fromtimestamp(now, _known(zone))
    today = local.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0, fold=0)
    # a clock that is set back shows some minutes twice a day
    shown = (today, today.replace(fold=1), today + timedelta(days=1))
    return min(at for at in (each.timestamp() for each in shown) if at > now)


def _known(zone: str) -> tzinfo:
    """Return a time zone, UTC for one that the system does not know any more."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
