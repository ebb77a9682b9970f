"""What a room without a server refuses."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class OfflineCode(StrEnum):
    """Why a request, a message or a command is refused. Servers use the same codes."""

    NOT_A_MESSAGE = "not-a-message"
    NO_SUCH_PAGE = "no-such-page"
    NO_SUCH_TABLE = "no-such-table"
    STALE_VERSION = "stale-version"
    BUSY = "busy"
    FAULT = "fault"
    DEVICE_FULL = "device-full"
    """The browser gives no more room for the games on this device."""
    DEVICE_REFUSED = "device-refused"
    """The browser stores nothing, or could not read what it has stored."""


class OfflineError(DicecupError):
    """A request that a room without a server refuses. No table has changed. `details` hold the
    offending input."""
