"""Times on the command line."""

from datetime import datetime, time, timedelta
from time import time as now

from dicecup.hosting.errors import HostingCode, HostingError


def time_of(text: str) -> float:
    """Return a time of ISO 8601 to come in seconds since 1970, without a zone in that of this
    machine. A time alone, such as `19:30`, is the next such time. Raises `HostingError`
    (`not-a-time`)."""
    try:
        until = _next(time.fromisoformat(text)) if ":" in text[:3] else datetime.fromisoformat(text)
        seconds = until.timestamp()
    except (ValueError, OverflowError, OSError):
        raise HostingError(HostingCode.NOT_A_TIME, text=text) from None
    if seconds <= now():
        raise HostingError(HostingCode.NOT_A_TIME, text=text)
    return seconds


def _next(at: time) -> datetime:
    """Return when it is this time next, in its zone or in that of this machine."""
    today = datetime.now(at.tzinfo)
    found = datetime.combine(today, at)
    return found if found > today else found + timedelta(days=1)
