"""What a room without a server refuses."""

import logging
from enum import StrEnum

from dicecup.core.errors import DicecupError

_log = logging.getLogger(__name__)


class OfflineCode(StrEnum):
    """Why a request, a message or a command is refused. Servers use the codes without a
    docstring."""

    NOT_A_MESSAGE = "not-a-message"
    NO_SUCH_PAGE = "no-such-page"
    NO_SUCH_TABLE = "no-such-table"
    STALE_VERSION = "stale-version"
    BUSY = "busy"
    NO_TABLE_FILE = "no-table-file"
    """The tables of a level or an analysis are neither on this device nor within reach."""
    DEVICE_FAULT = "device-fault"
    """An unexpected error on this device."""
    TABLE_INCOMPLETE = "table-incomplete"
    """Events of a table are missing or damaged on this device."""
    DEVICE_FULL = "device-full"
    """The browser gives no more room for the games on this device."""
    DEVICE_REFUSED = "device-refused"
    """The browser stores nothing, or could not read what it has stored."""


class OfflineError(DicecupError):
    """A request that a room without a server refuses. No table has changed. `details` hold the
    offending input."""


def expected(error: Exception) -> DicecupError:
    """Return an error that has a sentence. An unexpected error is logged and becomes
    `device-fault`."""
    if isinstance(error, DicecupError):
        return error
    _log.error("unexpected error", exc_info=error)
    return OfflineError(OfflineCode.DEVICE_FAULT)
