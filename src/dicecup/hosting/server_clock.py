"""The clock of a server: times since 1970 that no jump of the system time changes."""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final

LOG: Final = logging.getLogger(__name__)

JUMP: Final = 1.0
"""Seconds by which the system time has to jump to be logged."""


steady_seconds: Final[Callable[[], float]] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""Returns seconds that only grow, also while the machine sleeps where the system can say so."""


class ServerClock:
    """Seconds since 1970, counted on a monotonic clock from the system time at the start.

    After a jump of the system time the two differ by a constant, which is logged. `wall` returns
    the system time, `steady` seconds that only grow.
    """

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady_seconds) -> None:
        self._wall = wall
        self._steady = steady
        self._offset = wall() - steady()
        self._logged = 0.0
        """Seconds by which the system time was ahead when it was last logged."""

    def __call__(self) -> float:
        return self._offset + self._steady()

    def not_before(self, earliest: float) -> None:
        """Move the clock forward to a time that was already reached: by this server before its
        restart, or by another worker."""
        self._offset = max(self._offset, earliest - self._steady())

    def log_jump(self) -> None:
        """Log how far the system time is from this clock if that has changed."""
        ahead = self._wall() - self()
        if abs(ahead - self._logged) >= JUMP:
            self._logged = ahead
            LOG.warning("the system time is now %+.1f s from the clock of the tables, which goes on unchanged", ahead)
