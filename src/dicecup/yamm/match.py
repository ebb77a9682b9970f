"""A match: the totals of an agreed number of games are added (RULES, Yamm, "Players and order").

The rules leave open who starts the further games: whoever the starting roll names, or the seats in turn. So every game tells
the match which seat started it.
"""

import re
from dataclasses import dataclass
from typing import Final, Self

from dicecup.core.errors import ActionError, GameError, TextError
from dicecup.yamm.codes import ActionCode, TagCode

_GAME: Final = re.compile(r"(\S+) ([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """Which game of which match a record holds: `[Match "id 2/5"]`."""

    match: str
    number: int
    games: int

    def __str__(self) -> str:
        return f"{self.match} {self.number}/{self.games}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Reads `id 2/5`; the id holds no space. Raises `TextError` (`not-a-match`)."""
        match = _GAME.fullmatch(text)
        if match is None or int(match[2]) > int(match[3]):
            raise TextError(TagCode.NOT_A_MATCH, text=text)
        return cls(match[1], int(match[2]), int(match[3]))


@dataclass(frozen=True, slots=True)
class Match:
    """A match of `games` games between `sides` (players for themselves, or pairs), with the totals of the games played so far,
    side by side in seating order. Raises `GameError` (`not-a-match`) without a game or a side."""

    games: int
    sides: int
    played: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.games < 1 or self.sides < 1:
            raise GameError(TagCode.NOT_A_MATCH, text=f"{self.games} {self.sides}")

    def add(self, totals: tuple[int, ...], starter: int = 0) -> Self:
        """The match with one more game. `totals` stand in the order of the game's sheets, and the first sheet is that of the
        side `starter`. Raises `ActionError` (`match-over`, `wrong-number-of-totals`)."""
        if self.over:
            raise ActionError(ActionCode.MATCH_OVER, position=self, action=totals)
        if len(totals) != self.sides:
            raise ActionError(ActionCode.WRONG_NUMBER_OF_TOTALS, position=self, action=totals)
        by_side = tuple(totals[(side - starter) % self.sides] for side in range(self.sides))
        return type(self)(self.games, self.sides, (*self.played, by_side))

    @property
    def over(self) -> bool:
        """Whether all games are played."""
        return len(self.played) == self.games

    @property
    def totals(self) -> tuple[int, ...]:
        """The added totals of each side."""
        return tuple(sum(game[side] for game in self.played) for side in range(self.sides))

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides with the highest total, when the match is over; equal totals share the win."""
        totals = self.totals
        return tuple(side for side in range(self.sides) if totals[side] == max(totals)) if self.over else ()
