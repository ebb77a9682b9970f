"""The setup of a series of games, and blocks of played games.

Everything about game n follows from the setup and n.
"""

import hmac
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from dicecup.line_protocol import LineProtocolError
from dicecup.line_protocol.outside_engine import TURN_SECONDS

GameFigures: TypeAlias = Mapping[str, int | float]
"""The figures of one game, by name."""
Columns: TypeAlias = dict[str, "array[int] | array[float]"]
"""The figures of many games, in the order of their numbers."""
TYPE_CODES: Final = {"i": "q", "u": "q", "f": "d"}
"""Kind of a NumPy array → type code of a column."""


@dataclass(frozen=True, slots=True)
class Series:
    """A series of games, numbered from 0. It is sent to other processes.

    `game`: a game id. `players`: a level or an engine for each seat. `exchanged`: as many games in
    a row as there are seats have the same dice, and the players move on by one seat from game to
    game. A game is stopped, and counted, after `cap` turns. `seconds`: the time of an engine for a
    turn.
    """

    game: str
    players: tuple[str, ...]
    seed: str
    cap: int
    exchanged: bool = False
    seconds: float = TURN_SECONDS

    def shift(self, number: int) -> int:
        """Return the number of seats by which the players have moved on in a game."""
        return number % len(self.players) if self.exchanged else 0

    def dice_seed(self, number: int) -> str:
        """Return the seed of the dice of a game."""
        return f"{self.seed} {number // len(self.players) if self.exchanged else number}"

    def player_seed(self, number: int, player: int) -> str:
        """Return the seed of a player's own choices in a game. The dice cannot be predicted from
        it."""
        return hmac.digest(self.dice_seed(number).encode(), f"player {player}".encode(), "sha256").hex()

    def seated(self, number: int) -> tuple[int, ...]:
        """Return for each seat the index of its player in `players`."""
        seats = len(self.players)
        return tuple((seat - self.shift(number)) % seats for seat in range(seats))

    @property
    def kernel_seed(self) -> int:
        """Return the seed of the dice in compiled kernels, of 63 bits.

        Kernels throw other dice than `dice_seed` gives. A level has equal results on both, within
        their intervals."""
        return int.from_bytes(sha256(self.seed.encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that an engine lost because it failed: the `number` of the game, the index of its
    `player` in the setup, and what was wrong."""

    number: int
    player: int
    error: LineProtocolError


@dataclass(frozen=True, slots=True)
class GameBlock:
    """Played games: `count` games from number `first` on, with their figures and CPU time."""

    first: int
    count: int
    columns: Columns
    cpu_seconds: float
    forfeits: tuple[Forfeit, ...] = ()


def columns_of(rows: Iterable[GameFigures]) -> Columns:
    """Return rows with the same names as columns. Integers stay integers."""
    columns: Columns = {}
    for row in rows:
        for name, value in row.items():
            if name not in columns:
                columns[name] = array("q" if isinstance(value, int) else "d")
            columns[name].append(value)  # type: ignore[arg-type]
    return columns


def column_of(values: Any) -> "array[int] | array[float]":
    """Return a NumPy array as a column."""
    return array(TYPE_CODES[values.dtype.kind], values.tolist())


def merged(blocks: Iterable[GameBlock]) -> Columns:
    """Return the columns of all games of these blocks, in the order of their numbers."""
    columns: Columns = {}
    for block in sorted(blocks, key=lambda block: block.first):
        for name, values in block.columns.items():
            columns.setdefault(name, array(values.typecode)).extend(values)  # type: ignore[arg-type]
    return columns
