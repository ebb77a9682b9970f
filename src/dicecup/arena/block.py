"""Which games there are, and some of them played: everything about game n follows from the setup and n."""

import hmac
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Row: TypeAlias = Mapping[str, int | float]
"""What is noted of one game, by name."""
Columns: TypeAlias = dict[str, "array[int] | array[float]"]
"""The same of many games, in the order of their numbers."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Games of `game` (an id) among `players` (levels, one a seat), numbered from 0.

    `exchanged`: as many games in a row as there are seats have the same dice, and with each the players move on by one seat.
    A game is stopped, and counted, after `cap` turns. All of it travels to other processes."""

    game: str
    players: tuple[str, ...]
    seed: str
    cap: int
    exchanged: bool = False

    def shift(self, number: int) -> int:
        """By how many seats the players have moved on in this game."""
        return number % len(self.players) if self.exchanged else 0

    def dice_seed(self, number: int) -> str:
        """What the dice of a game follow from."""
        return f"{self.seed} {number // len(self.players) if self.exchanged else number}"

    def player_seed(self, number: int, player: int) -> str:
        """What the chances of a player follow from in a game: nothing from which dice could be foretold."""
        return hmac.digest(self.dice_seed(number).encode(), f"player {player}".encode(), "sha256").hex()

    def seated(self, number: int) -> tuple[int, ...]:
        """Seat → player, as a place in `players`."""
        seats = len(self.players)
        return tuple((seat - self.shift(number)) % seats for seat in range(seats))


@dataclass(frozen=True, slots=True)
class Block:
    """`count` games from number `first` on, played: what is noted of them, and the CPU seconds that they took."""

    first: int
    count: int
    columns: Columns
    cpu_seconds: float


def columns_of(rows: Iterable[Row]) -> Columns:
    """Rows with the same names, as columns: whole numbers stay whole."""
    columns: Columns = {}
    for row in rows:
        for name, value in row.items():
            if name not in columns:
                columns[name] = array("q" if isinstance(value, int) else "d")
            columns[name].append(value)  # type: ignore[arg-type]
    return columns


def merged(blocks: Iterable[Block]) -> Columns:
    """All games of these blocks, by their numbers."""
    columns: Columns = {}
    for block in sorted(blocks, key=lambda block: block.first):
        for name, values in block.columns.items():
            columns.setdefault(name, array(values.typecode)).extend(values)  # type: ignore[arg-type]
    return columns
