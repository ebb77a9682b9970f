"""The record tag `Match`, which names a match and the number of a game in it."""

import re
from dataclasses import dataclass
from typing import Final, Self

from dicecup.core.errors import TextCode, TextError

_GAME: Final = re.compile(r"(\S+) ([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """Game `number` of the `games` of a match, counted from 1. `match`: the id of the match,
    without a space.

    The text is the value of the record tag: `[Match "id 2/5"]`.
    """

    match: str
    number: int
    games: int

    def __str__(self) -> str:
        return f"{self.match} {self.number}/{self.games}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the value of a text such as `id 2/5`. Raises `TextError` (`not-a-match`)."""
        match = _GAME.fullmatch(text)
        if match is None or int(match[2]) > int(match[3]):
            raise TextError(TextCode.NOT_A_MATCH, text=text)
        return cls(match[1], int(match[2]), int(match[3]))
