"""Small values that the state of a table holds."""

from typing import Any, NamedTuple, TypeAlias

from dicecup.core.start import StartingRoll
from dicecup.record import Journal
from dicecup.table.clock import Clocks

Place: TypeAlias = tuple[int, int]
"""The place of a throw: the number of its turn and its number in the turn, both from 1.

A die of the starting roll has turn 0.
"""


class Commitment(NamedTuple):
    """The SHA-256 of a secret, and the place of the first throw under it.

    `first` is `None` if the secret covers the whole game. `salt` is that of `fairness.secret_of`.
    `secret`, in hex, is published after the end of the game if the commitment ended before.
    """

    hash: str
    first: Place | None = None
    salt: str = ""
    secret: str = ""


class Entry(NamedTuple):
    """The last entry of a person that can be taken back, and the parts of the state before it.

    It is an entry at a table with real dice, or an action after which a computer waits until the
    time `held_until`.
    """

    seat: int
    text: str
    journal: Journal
    starting: StartingRoll | None
    lot: int | None
    order: tuple[int, ...]
    clocks: Clocks
    held_until: float = 0.0

    def before(self) -> dict[str, Any]:
        """Return the fields of the state before the entry.

        The clock that ran then counts on, because the entry was made in its time. The counter of
        throws stays.
        """
        kept = ("journal", "starting", "lot", "order", "clocks")
        return {"last_entry": None} | {name: getattr(self, name) for name in kept}


class Offer(NamedTuple):
    """A draw offer: the seat that made it, and the seats that agree, that seat included."""

    seat: int
    agreed: frozenset[int]

    def in_turn(self, turn: int, offered: tuple[int, ...]) -> "Offer | None":
        """Return the offer if it is still open in a turn.

        An offer is open for one round, so nobody can delay the answer further. `offered`: by seat
        the turn of its last offer.
        """
        return self if turn < offered[self.seat] + len(offered) else None


class Vacancy(NamedTuple):
    """A seat that gave up while the game goes on, and the seats that agree to end the game
    instead."""

    seat: int
    agreed: frozenset[int] = frozenset()
