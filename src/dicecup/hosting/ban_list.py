"""The people who may not use the server, as this process knows them."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.refreshed import Refreshed
from dicecup.hosting.store import Store
from dicecup.hosting.store.bans import Ban, bans_of

LONGEST_REASON: Final = 200
"""Characters of the reason, which the banned person reads."""
LONGEST_BAN: Final = 10 * 366 * 86_400.0
"""Seconds that a ban may last."""


class BanList(Refreshed[Ban]):
    """The banned people."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        super().__init__(store, bans_of)
        self.on_change.append(self._index)
        self._clock = clock
        self._bans: dict[str, Ban] = {}

    def _index(self) -> None:
        self._bans = {ban.identity: ban for ban in self.rows}

    def ban_of(self, identity: str) -> Ban | None:
        """Return the ban because of which an identity may not use the server now, `None` if it
        may."""
        ban = self._bans.get(identity)
        return None if ban is None or ban.until <= self._clock() else ban

    def refusal(self, identity: str) -> HostingError | None:
        """Return why an identity may not use the server now (`banned`), `None` if it may."""
        ban = self.ban_of(identity)
        return ban and HostingError(HostingCode.BANNED, until=shown_time(ban.until), reason=ban.reason)

    def check(self, identity: str) -> None:
        """Raise `HostingError` (`banned`) for an identity that may not use the server now."""
        if (refusal := self.refusal(identity)) is not None:
            raise refusal


def checked_ban(ban: Ban) -> Ban:
    """Return a ban with a reason on one line.

    Raises `HostingError`: `not-a-time` for an end that is not to come or too far away, and
    `not-a-reason` for an empty or a long reason, or one with characters that are not printable.
    """
    reason = ban.reason.strip()
    checked_end(ban.since, ban.until)
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise HostingError(HostingCode.NOT_A_REASON, most=LONGEST_REASON)
    return ban._replace(reason=reason)


def checked_end(since: float, until: float) -> float:
    """Return the end of what begins now. Raises `HostingError` (`not-a-time`) for an end that is
    not to come, or too far away."""
    if not since < until <= since + LONGEST_BAN:
        raise HostingError(HostingCode.NOT_A_TIME, text=until)
    return until


def shown_time(moment: float) -> str:
    """Return a time in seconds since 1970 to the minute, in UTC."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M UTC")
