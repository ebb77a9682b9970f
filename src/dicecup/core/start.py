"""The starting roll, which decides who starts (docs/rules.md, Yamm, "Players and order").

The players throw one die each, in seating order. The first player who throws a 1 or a 6 starts. If
nobody does, the players with the highest face throw again, until one of them is left.
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
    """The faces thrown so far, as one tuple for each round. Seats count from 0 in seating order.

    The seat that starts becomes the first player of the game, and the others follow in seating
    order (`order`). A single player starts without a throw.
    """

    players: int
    rounds: tuple[tuple[int, ...], ...] = ()

    @property
    def _state(self) -> tuple[tuple[int, ...], int, int | None]:
        """Return the seats that throw in this round, how many of them have thrown, and the seat
        that starts if it is known.
        """
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
        """Return the seat that starts the game, `None` while it is not known."""
        return self._state[2]

    @property
    def contenders(self) -> tuple[int, ...]:
        """Return the seats that throw in this round, in order; empty after the last round."""
        return self._state[0]

    @property
    def seat(self) -> int | None:
        """Return the seat that throws next, `None` after the last throw."""
        contenders, thrown, _ = self._state
        return contenders[thrown] if contenders else None

    @property
    def order(self) -> tuple[int, ...]:
        """Return the seats in the order of play, the seat that starts first; empty while it is not
        known.
        """
        starter = self.starter
        return () if starter is None else tuple((starter + place) % self.players for place in range(self.players))

    def throw(self, face: int) -> Self:
        """Return the starting roll after the next seat throws this face.

        Raises `DiceError` (`not-a-face`) and `ActionError` (`starting-roll-over`).
        """
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
        """Return the starting roll of a text such as `4 4 2; 3 6`, finished or not.

        Raises `TextError` (`not-a-starting-roll`).
        """
        value = cls(players)
        try:
            for face in text.replace(";", "").split(" ") if _ROUNDS.fullmatch(text) else ():
                value = value.throw(int(face))
        except ActionError:
            pass
        if str(value) != text:
            raise TextError(TextCode.NOT_A_STARTING_ROLL, text=text)
        return value
