"""Who starts: the `Ausmachen`, one die thrown by hand (RULES, Yamm, "Players and order").

In seating order each player throws one die. A 1 or a 6 ends it at once, and that player starts. Otherwise those who tie for
the highest repeat it among themselves, until one is left.
"""

import re
from dataclasses import dataclass
from typing import Final, Self

from dicecup.core.dice import FACES
from dicecup.core.errors import ActionError, DiceCode, DiceError, TextCode, TextError, TurnCode

_ENDS_AT_ONCE: Final = (1, 6)
_ROUNDS: Final = re.compile(r"[1-6](?: [1-6])*(?:; [1-6](?: [1-6])*)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class StartingRoll:
    """The faces thrown so far, round by round. Seats count from 0 in seating order.

    The starter becomes the first player of the game and the others follow in seating order (`order`). One player alone starts
    without a throw. Values grow from `StartingRoll(players)` by `throw`, or are read by `from_text`.
    """

    players: int
    rounds: tuple[tuple[int, ...], ...] = ()

    @property
    def _state(self) -> tuple[tuple[int, ...], int, int | None]:
        """Who throws in this round, how many of them have thrown, and who starts if that is settled."""
        seats = tuple(range(self.players))
        thrown = 0
        for faces in self.rounds:
            if faces[-1] in _ENDS_AT_ONCE:
                return (), 0, seats[len(faces) - 1]
            thrown = len(faces) % len(seats)
            if not thrown:
                seats = tuple(seat for seat, face in zip(seats, faces, strict=True) if face == max(faces))
        return ((), 0, seats[0]) if len(seats) == 1 else (seats, thrown, None)

    @property
    def starter(self) -> int | None:
        """The seat that starts the game; None while it is open."""
        return self._state[2]

    @property
    def contenders(self) -> tuple[int, ...]:
        """The seats that throw in this round, in order; none when it is settled."""
        return self._state[0]

    @property
    def seat(self) -> int | None:
        """Whose throw it is; None when it is settled."""
        contenders, thrown, _ = self._state
        return contenders[thrown] if contenders else None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of play, from the starter on; empty while it is open."""
        starter = self.starter
        return () if starter is None else tuple((starter + place) % self.players for place in range(self.players))

    def throw(self, face: int) -> Self:
        """The player whose throw it is throws this face. Raises `DiceError` (`not-a-face`) and `ActionError`
        (`starting-roll-over`)."""
        if face not in FACES:
            raise DiceError(DiceCode.NOT_A_FACE, text=str(face))
        contenders, thrown, _ = self._state
        if not contenders:
            raise ActionError(TurnCode.STARTING_ROLL_OVER, position=self, action=face)
        begun, faces = (self.rounds[:-1], self.rounds[-1]) if thrown else (self.rounds, ())
        return type(self)(self.players, (*begun, (*faces, face)))

    def __str__(self) -> str:
        return "; ".join(" ".join(map(str, faces)) for faces in self.rounds)

    @classmethod
    def from_text(cls, text: str, players: int) -> Self:
        """Reads `4 4 2; 3 6`, finished or not. Raises `TextError` (`not-a-starting-roll`)."""
        value = cls(players)
        try:
            for face in text.replace(";", "").split(" ") if _ROUNDS.fullmatch(text) else ():
                value = value.throw(int(face))
        except ActionError:
            pass
        if str(value) != text:
            raise TextError(TextCode.NOT_A_STARTING_ROLL, text=text)
        return value
