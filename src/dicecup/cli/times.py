"""Times on the command line."""

from datetime import datetime
from time import time

from dicecup.hosting.errors import HostingCode, HostingError


def time_of(text: str) -> float:
    """Return a time of ISO 8601 to come in seconds since 1970, without a zone in that of this
    machine. Raises `HostingError` (`not-a-time`)."""
    try:
        until = datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise HostingError(HostingCode.NOT_A_TIME, text=text) from None
    if until <= time():
        raise HostingError(HostingCode.NOT_A_TIME, text=text)
    return until
