"""Seats and who sits on them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from dicecup.table.events import LevelSeated, Renamed, Seated, SeatFreed, SeedCommitted, SeedRevealed, StoodUp
from dicecup.table.talk import TextsAllowed

SeatEvent: TypeAlias = Seated | StoodUp | LevelSeated | Renamed | SeatFreed | SeedCommitted | SeedRevealed | TextsAllowed
"""An event that changes one seat."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat with the person or the computer on it, or a free seat.

    `identity` belongs to a person and is known to this server alone. `level` belongs to a computer.
    `hash` is the commitment to the seat's seed, `seed` the revealed seed in hex: empty for a
    computer's and for one that was not revealed in time. `texts`: whether the person allows texts.
    """

    name: str = ""
    identity: str | None = None
    level: str = ""
    hash: str | None = None
    seed: str | None = None
    texts: bool = False

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


def seat_after(before: Seat, event: SeatEvent) -> Seat:
    """Return a seat after an event that changes it.

    The seed of a seat that is freed in a running game stays, since the dice follow from it.
    """
    match event:
        case Seated(_, name, identity):
            return replace(before, name=name, identity=identity)
        case StoodUp():
            return Seat()
        case SeatFreed():
            return Seat() if before.seed is None else Seat(hash=before.hash, seed=before.seed)
        case LevelSeated(_, level, name):
            return replace(before, name=name, identity=None, level=level, seed=before.seed or "", texts=False)
        case Renamed(_, name):
            return replace(before, name=name)
        case SeedCommitted(_, commitment):
            return replace(before, hash=commitment)
        case SeedRevealed(_, seed):
            return replace(before, seed=seed)
        case TextsAllowed(_, allowed):
            return replace(before, texts=allowed)


def arrivals_after(arrived: tuple[int, ...], event: SeatEvent) -> tuple[int, ...]:
    """Return the seats of people in the order in which they sat down, after an event."""
    match event:
        case Seated(seat):
            return (*arrived, seat)
        case StoodUp(seat) | SeatFreed(seat) | LevelSeated(seat):
            return tuple(other for other in arrived if other != seat)
        case _:
            return arrived
