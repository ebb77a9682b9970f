"""Clocks of a table, computed from the times of events.

Times are seconds since 1970, lengths are seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from dicecup.table.setup import Clock, ClockKind


class Gap(NamedTuple):
    """A time in which nobody could reach the server."""

    since: float
    until: float


def held_seconds(deadline: float, since: float, now: float, gaps: Sequence[Gap]) -> float:
    """Return how much of the time from `since` to `now` lies in gaps, so far as the deadline, which
    moves with each, had not passed before. `gaps` are in order and may overlap."""
    seconds, reached = 0.0, since
    for gap in gaps:
        begins, ends = max(gap.since, reached), min(gap.until, now)
        if deadline + seconds <= gap.since:
            break
        if ends > begins:
            seconds += ends - begins
            reached = ends
    return min(seconds, now - since)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats.

    `left` has the seconds that each seat has for the rest of the game; it is empty unless the clock
    is for a game. The clock of `seat` runs in `turn` since the time `since`, and from then on the
    seat has `budget` seconds. `budget` is `None` if there is no clock or none runs.
    """

    clock: Clock | None
    left: tuple[float, ...]
    seat: int | None = None
    turn: int = 0
    since: float = 0.0
    budget: float | None = None

    @classmethod
    def start(cls, clock: Clock | None, seats: int) -> "Clocks":
        """Return the clocks of a new game, none of which runs."""
        games = clock is not None and clock.kind is ClockKind.GAME
        return cls(clock, (float(clock.seconds),) * seats if clock is not None and games else ())

    @property
    def deadline(self) -> float | None:
        """Return the time at which the running clock runs out, `None` if none runs."""
        return None if self.budget is None or self.seat is None else self.since + self.budget

    def remaining(self, seat: int, now: float) -> float | None:
        """Return the seconds that a seat has left, at least 0.

        `None`: the seat has no time of its own now.
        """
        if seat == self.seat and self.budget is not None:
            return max(0.0, self.since + self.budget - now)
        return self.left[seat] if self.left else None

    def waiting_for(self, seat: int | None, turn: int, time: float) -> "Clocks":
        """Return the clocks when the game begins to wait for a seat, or for none, at a time."""
        if seat == self.seat and turn == self.turn:
            return self
        left = self._charged(turn, time)
        budget = None
        if self.clock is not None and seat is not None:
            budget = left[seat] if left else float(self.clock.seconds)
        return replace(self, left=left, seat=seat, turn=turn, since=time, budget=budget)

    def held(self, seconds: float) -> "Clocks":
        """Return the clocks with `seconds` that have passed given back to the seat whose turn
        runs, with or without a clock."""
        return self if self.seat is None else replace(self, since=self.since + seconds)

    def _charged(self, turn: int, time: float) -> tuple[float, ...]:
        """Return `left` after the running clock used its time until `time`.

        A finished turn adds the increment.
        """
        if not self.left or self.seat is None or self.clock is None:
            return self.left
        left = max(0.0, self.left[self.seat] - max(0.0, time - self.since)) + (self.clock.increment if turn > self.turn else 0)
        return (*self.left[: self.seat], left, *self.left[self.seat + 1 :])
