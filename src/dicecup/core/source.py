"""Where dice come from: a source is handed to the game, the rules never draw a number themselves.

`SeededSource` repeats its dice from a text, `ScriptedSource` throws what a test or a record says, and `TableSource` passes
on what people at a table threw with real dice.
"""

import hmac
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

from dicecup.core.dice import DICE, FACES, Keep, Roll, from_faces, roll
from dicecup.core.errors import DiceCode, DiceError, SourceError
from dicecup.core.turn import locked_from_text, locked_text


@dataclass(frozen=True, slots=True)
class Throw:
    """What lies on the table after a throw: `roll`, all five dice. `locked` is named only with real dice under
    `kept_dice=locked`, when a locked die was knocked over: the locked dice as they now lie."""

    roll: Roll
    locked: Keep | None = None


VOID_THROW: Final = "~"
"""How a void throw is written and entered (NOTATION, Records)."""


class DiceSource(Protocol):
    """Throws dice. A source knows no game and no player."""

    def throw(self, kept: Keep) -> Throw | None:
        """Throw all dice but `kept` and say how all five lie; `None`: the throw was void and is to be repeated.

        Raises `SourceError` where the source has no dice left or holds dice that do not fit."""

    def die(self) -> int:
        """Throw one die (the starting roll of Yamm). Raises `SourceError`."""


class SeededSource:
    """Dice that follow from a seed text: the same seed throws the same dice on every machine.

    The n-th throw depends on the seed and on n alone, so a source resumes with `SeededSource(seed, thrown=n)`. Each die is a
    byte of HMAC-SHA256(seed, "throw n block"); bytes of 252 and more are skipped, so every face is equally likely.
    """

    def __init__(self, seed: str, *, thrown: int = 0) -> None:
        self.seed = seed
        self.thrown = thrown
        """Throws made so far, single dice included."""

    def throw(self, kept: Keep) -> Throw | None:
        return Throw(Roll(from_faces(kept.faces + self._faces(DICE - kept.count))))

    def die(self) -> int:
        return self._faces(1)[0]

    def _faces(self, count: int) -> tuple[int, ...]:
        faces: list[int] = []
        block = 0
        while len(faces) < count:
            message = f"throw {self.thrown} {block}".encode()
            digest = hmac.digest(self.seed.encode(), message, "sha256")
            faces += [byte % len(FACES) + 1 for byte in digest if byte < 252]
            block += 1
        self.thrown += 1
        return tuple(faces[:count])


class ScriptedSource:
    """Throws a given list of dice: whole rolls (`"11346"`), single dice (`"4"`), void throws (`"~"`) and locked dice that were
    knocked over (`"22|346"`).

    As a context manager it raises `SourceError` (`source-leftovers`) when dice are left at the end; without one, call
    `close`. Dice in which the kept ones are not found again raise `source-mismatch` unless `table` is true.
    """

    def __init__(self, script: Iterable[str], *, table: bool = False) -> None:
        self._left = deque(script)
        self._table = table

    def throw(self, kept: Keep) -> Throw | None:
        text = self._next()
        if text == VOID_THROW and self._table:
            return None
        thrown = throw_from_text(text)
        if not self._table and kept not in thrown.roll:
            raise SourceError(DiceCode.SOURCE_MISMATCH, text=text, kept=kept.text)
        return thrown

    def die(self) -> int:
        text = self._next()
        if len(text) != 1 or text not in "123456":
            raise SourceError(DiceCode.NOT_A_FACE, text=text)
        return int(text)

    def _next(self) -> str:
        if not self._left:
            raise SourceError(DiceCode.SOURCE_EMPTY)
        return self._left.popleft()

    def close(self) -> None:
        """Raises `SourceError` (`source-leftovers`) when not everything was thrown."""
        if self._left:
            raise SourceError(DiceCode.SOURCE_LEFTOVERS, text=" ".join(self._left))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()


class TableSource:
    """Real dice: `ask(kept)` returns what a person entered after a throw, as `throw_from_text` reads it; `ask_die()` the face
    of a single die. The person may enter the five faces in any order and anything that real dice can do."""

    def __init__(self, ask: Callable[[Keep], str], ask_die: Callable[[], str]) -> None:
        self._ask = ask
        self._ask_die = ask_die

    def throw(self, kept: Keep) -> Throw | None:
        text = self._ask(kept)
        if text == VOID_THROW:
            return None
        left, bar, right = text.partition("|")
        return throw_from_text("".join(sorted(left)) + bar + "".join(sorted(right)))

    def die(self) -> int:
        text = self._ask_die()
        if len(text) != 1 or text not in "123456":
            raise DiceError(DiceCode.NOT_A_FACE, text=text)
        return int(text)


def throw_from_text(text: str) -> Throw:
    """`11346`, or `22|346` where a locked die was knocked over. Raises `DiceError`."""
    if "|" in text:
        return Throw(*locked_from_text(text))
    return Throw(roll(text))


def throw_text(throw: Throw) -> str:
    """The canonical text, as `throw_from_text` reads it."""
    if throw.locked is None:
        return throw.roll.text
    return locked_text(throw.roll, throw.locked)
