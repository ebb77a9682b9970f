"""Seats and who sits on them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat with the person or the computer on it, or a free seat.

    `identity` belongs to a person and is known to this server alone. `level` belongs to a computer.
    `hash` is the commitment to the seat's seed, `seed` the revealed seed in hex: empty for a
    computer's and for one that was not revealed in time.
    """

    name: str = ""
    identity: str | None = None
    level: str = ""
    hash: str | None = None
    seed: str | None = None

    @property
    def is_taken(self) -> bool:
        """Return whether a person or a computer sits here."""
        return self.is_human or bool(self.level)

    @property
    def is_human(self) -> bool:
        """Return whether a person sits here."""
        return self.identity is not None


def people_among(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return the numbers of the seats of people, ascending."""
    return tuple(seat for seat, held in enumerate(seats) if held.is_human)
