"""How long somebody has, judged from the times of events alone. Times are seconds since 1970, lengths are seconds."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from dicecup.table.setup import Clock, ClockKind


class Gap(NamedTuple):
    """From when until when nobody could reach the server."""

    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Clocks:
    """`left`: what each seat has for the rest of the game (clocks for a game only); `seat`: whom the game waits for, `turn`:
    in which turn, `since` when; `budget`: how long that seat has from then on, None without a clock."""

    clock: Clock | None
    left: tuple[float, ...]
    seat: int | None = None
    turn: int = 0
    since: float = 0.0
    budget: float | None = None

    @classmethod
    def start(cls, clock: Clock | None, seats: int) -> "Clocks":
        """Nobody's clock runs."""
        games = clock is not None and clock.kind is ClockKind.GAME
        return cls(clock, (float(clock.seconds),) * seats if clock is not None and games else ())

    @property
    def deadline(self) -> float | None:
        """When the time of whoever the game waits for is up."""
        return None if self.budget is None or self.seat is None else self.since + self.budget

    def remaining(self, seat: int, now: float) -> float | None:
        """What a seat has left, never below 0; None where it has no time of its own now."""
        if seat == self.seat and self.budget is not None:
            return max(0.0, self.since + self.budget - now)
        return self.left[seat] if self.left else None

    def waiting_for(self, seat: int | None, turn: int, time: float) -> "Clocks":
        """The clocks once the game waits for this seat in this turn."""
        if seat == self.seat and turn == self.turn:
            return self
        left = self._charged(turn, time)
        budget = None
        if self.clock is not None and seat is not None:
            budget = left[seat] if left else float(self.clock.seconds)
        return replace(self, left=left, seat=seat, turn=turn, since=time, budget=budget)

    def held(self, seconds: float) -> "Clocks":
        """So many of the seconds that have passed do not count."""
        return self if self.budget is None else replace(self, since=self.since + seconds)

    def _charged(self, turn: int, time: float) -> tuple[float, ...]:
        """What is left after whoever had to wait for has used it; a finished turn brings its increment."""
        if not self.left or self.seat is None or self.clock is None:
            return self.left
        left = max(0.0, self.left[self.seat] - max(0.0, time - self.since)) + (self.clock.increment if turn > self.turn else 0)
        return (*self.left[: self.seat], left, *self.left[self.seat + 1 :])
