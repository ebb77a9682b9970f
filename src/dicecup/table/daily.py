"""The daily challenges: which games are played on a day, and the duplicate events that they are.

A day is a number of days since 1970-01-01 and begins at midnight UTC.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from dicecup.table.duplicate import Duplicate
from dicecup.table.setup import DAY, Clock, ClockKind, Occupant, SeatSetup, Setup

EPOCH: Final = date(1970, 1, 1)
TURN_SECONDS: Final = 3600
"""Time limit of a turn."""
LATE_SECONDS: Final = 7200.0
"""Seconds after the end of a day after which games that were begun on it are ended."""
OPPONENT: Final = "club"
"""Level of the opponent in the duel."""
_FULL: Final = ",".join("x" * 11)
_SHORT: Final = f".11/{_FULL}/{_FULL}/.11/{_FULL}/{_FULL}/.11/{_FULL}/{_FULL[:-1]}.1~f3.Y=3:11123 0:????? 67"
"""The position from which the short form goes on: all columns but d1, u1 and f1 are struck. The
first throw makes the last of these results final (`handlers.open_event_table`)."""
_CLOCK: Final = Clock(ClockKind.TURN, TURN_SECONDS)


def _sheet(dice: Duplicate, _: int) -> Setup:
    return Setup("yamm(players=1)", (SeatSetup(),), clock=_CLOCK, duplicate=dice)


def _short(dice: Duplicate, _: int) -> Setup:
    return Setup("yamm(players=1)", (SeatSetup(),), clock=_CLOCK, start=_SHORT, duplicate=dice)


def _duel(dice: Duplicate, day: int) -> Setup:
    """Return the setup of a duel. The person is x on one day, the computer on the next."""
    seats = (SeatSetup(), SeatSetup(Occupant.LEVEL, OPPONENT))
    return Setup("yam-master", seats, clock=_CLOCK, first=day % 2, duplicate=dice)


SERIES: Final[Mapping[str, Callable[[Duplicate, int], Setup]]] = {"yamm": _sheet, "short": _short, "duel": _duel}
"""The challenges of each day: one sheet of Yamm, its short form of three columns, and a duel of Yam
Master against the computer. Name → setup on a day."""


def day_of(time: float) -> int:
    """Return the day of a time in seconds since 1970."""
    return int(time // DAY)


def opens_at(day: int) -> float:
    """Return when a day begins, in seconds since 1970."""
    return float(day * DAY)


def day_text(day: int) -> str:
    """Return a day as `2026-11-24`."""
    return (EPOCH + timedelta(days=day)).isoformat()


def day_from_text(text: str) -> int | None:
    """Return the day that `day_text` wrote, `None` for another text."""
    try:
        found = (date.fromisoformat(text) - EPOCH).days
    except ValueError:
        return None
    return found if day_text(found) == text else None


def daily_event(series: str, day: int) -> str:
    """Return the id of the event of a challenge."""
    return f"daily-{day_text(day)}-{series}"


def daily_setup(series: str, day: int) -> Setup:
    """Return the setup of every table of a challenge."""
    return SERIES[series](Duplicate(daily_event(series, day)), day)
