"""Dice sources. The rules never draw a random number; the caller of a game takes the dice from a
source.

`SeededSource` derives its dice from a seed text, `ScriptedSource` throws a given list of dice, and
`TableSource` asks people for the real dice that they threw.
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
    """The five dice on the table after a throw.

    `locked` names the locked dice. It is set only with real dice under `kept_dice=locked`, after a
    locked die was knocked over.
    """

    roll: Roll
    locked: Keep | None = None


VOID_THROW: Final = "~"
"""The text of a void throw in records and entries (docs/notation.md, Records)."""


class DiceSource(Protocol):
    """The interface of a dice source. A source knows no game and no player."""

    def throw(self, kept: Keep) -> Throw | None:
        """Throw all dice except `kept` and return all five. `None`: the throw was void and must be
        repeated.

        Raises `SourceError` if the source has no dice left or holds dice that do not fit.
        """

    def die(self) -> int:
        """Throw one die, as in a starting roll, and return its face. Raises `SourceError`."""


class SeededSource:
    """Dice that are derived from a seed text. The same seed throws the same dice on every machine.

    The n-th throw depends only on the seed and on n, so `SeededSource(seed, thrown=n)` resumes a
    game. Each die is a byte of HMAC-SHA256(seed, "throw n block"). Bytes of 252 and more are
    skipped, so every face is equally likely.
    """

    def __init__(self, seed: str, *, thrown: int = 0) -> None:
        self.seed = seed
        self.thrown = thrown
        """The number of throws so far, including throws of single dice."""

    def throw(self, kept: Keep) -> Throw | None:
        return Throw(Roll(from_faces(kept.faces + self._faces(DICE - kept.count))))

    def die(self) -> int:
        return self._faces(1)[0]

    def _faces(self, count: int) -> tuple[int, ...]:
        """Return the faces of the next `count` dice, each from 1 to 6, and count the throw."""
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
    """A list of throws: rolls (`"11346"`), single dice (`"4"`), void throws (`"~"`), and rolls with
    locked dice (`"22|346"`).

    `close`, or leaving the `with` block, raises `SourceError` (`source-leftovers`) if dice are
    left. A roll that does not contain the kept dice raises `source-mismatch` unless `table` is
    true.
    """

    def __init__(self, script: Iterable[str], *, table: bool = False) -> None:
        self._left = deque(script)
        self._table = table

    def throw(self, kept: Keep) -> Throw | None:
        """Return the next throw of the script, `None` for a void throw at a table.

        Raises `SourceError`.
        """
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
        """Raise `SourceError` (`source-leftovers`) if throws are left."""
        if self._left:
            raise SourceError(DiceCode.SOURCE_LEFTOVERS, text=" ".join(self._left))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()


class TableSource:
    """Real dice that people throw and enter.

    `ask(kept)` returns an entry that `throw_from_text` reads, with the faces in any order, or `~`
    for a void throw. `ask_die()` returns the face of a single die.
    """

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
    """Return the throw of a text: `11346`, or `22|346` with the locked dice before the bar. Raises
    `DiceError`.
    """
    if "|" in text:
        return Throw(*locked_from_text(text))
    return Throw(roll(text))


def throw_text(throw: Throw) -> str:
    """Return the canonical text of a throw, which `throw_from_text` reads."""
    if throw.locked is None:
        return throw.roll.text
    return locked_text(throw.roll, throw.locked)
