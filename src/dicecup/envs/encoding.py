"""Actions as indexes and positions as bytes: what both games share.

An `Encoding` belongs to the rules of one game, on its real board or sheet or on a small one.
docs/environments.md has the tables of the real games; tests compare them with `Layout`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index as integer
from typing import Any, Final

from dicecup.core.dice import DICE, FACES, FIRST_ROLL, KEEPS, NO_DICE
from dicecup.core.game import Action, Rules
from dicecup.core.turn import THROWS, Turn
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.process import Situation

LAYOUT_VERSION: Final = 1
"""The version of all layouts and action indexes. Any change of one raises it."""
KEEP_COUNT: Final = FIRST_ROLL
"""The number of keeps that leave a die to throw. Their indexes are those in `KEEPS`."""
STAND: Final = "stand"
"""The text of the action that corrects nothing."""


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an observation: `size` bytes from 0 to `high`."""

    name: str
    size: int
    high: int
    meaning: str


@dataclass(frozen=True)
class Layout:
    """The parts of an observation in their order."""

    fields: tuple[Field, ...]
    offsets: tuple[int, ...] = field(init=False, compare=False)
    size: int = field(init=False, compare=False)
    highs: bytes = field(init=False, compare=False)
    """The largest value of each byte."""

    def __post_init__(self) -> None:
        offsets = [0]
        for each in self.fields:
            offsets.append(offsets[-1] + each.size)
        object.__setattr__(self, "offsets", tuple(offsets[:-1]))
        object.__setattr__(self, "size", offsets[-1])
        object.__setattr__(self, "highs", b"".join(bytes([each.high]) * each.size for each in self.fields))

    def part(self, observation: Any, name: str) -> Any:
        """Return the bytes of one field, by its name."""
        at = [each.name for each in self.fields].index(name)
        return observation[self.offsets[at] : self.offsets[at] + self.fields[at].size]


TURN_FIELDS: Final = (
    Field("throws", THROWS + 1, 1, "number of throws in this turn, one bit for each of 0 to 3; none after the end"),
    Field(
        "dice", len(FACES), DICE, "number of dice on the table that show 1, 2, … 6; fewer than five while dice are in the air"
    ),
    Field("locked", len(FACES), DICE, "the same for the dice that must stay (`kept_dice=locked`, after the second throw)"),
)
"""The state of the turn, equal in all games."""
COUNT_FIELDS: Final = (
    Field("turns_hundreds", 1, 255, "number of finished turns, divided by 100"),
    Field("turns_rest", 1, 99, "number of finished turns, remainder"),
)
_NO_TURN: Final = bytes(THROWS + 1 + 2 * len(FACES))


def turn_bytes(turn: Turn | None) -> bytes:
    """Return the bytes of `TURN_FIELDS`."""
    if turn is None:
        return _NO_TURN
    throws = bytes(at == turn.throws for at in range(THROWS + 1))
    return throws + bytes(turn.dice.counts) + bytes(turn.locked.counts)


def number_bytes(number: int) -> bytes:
    """Return a number as hundreds and remainder; hundreds stop at 255."""
    return bytes((min(number // 100, 255), number % 100))


class Encoding(ABC):
    """The action index and the observation layout of one game."""

    def __init__(self, game: Rules, texts: Sequence[str], fields: Sequence[Field]) -> None:
        self.game = game
        self.texts = tuple(texts)
        """The text of each action by its index."""
        self.layout = Layout(tuple(fields))

    @property
    def actions(self) -> int:
        """Return the number of actions."""
        return len(self.texts)

    @cached_property
    def _indexes(self) -> dict[str, int]:
        return {text: at for at, text in enumerate(self.texts)}

    def index_of(self, text: str) -> int:
        """Return the index of an action's text. Raises `EnvsError` (`not-an-index`)."""
        found = self._indexes.get(text)
        if found is None:
            raise EnvsError(EnvsCode.NOT_AN_INDEX, index=text, actions=self.actions)
        return found

    def checked(self, index: Any) -> int:
        """Return an index as an integer. Raises `EnvsError` (`not-an-index`)."""
        try:
            found = integer(index)
        except TypeError:
            found = -1
        if isinstance(index, bool) or not 0 <= found < self.actions:
            raise EnvsError(EnvsCode.NOT_AN_INDEX, index=index, actions=self.actions)
        return found

    @abstractmethod
    def legal(self, situation: Situation) -> list[int]:
        """Return the indexes of all allowed actions, ascending; empty where nobody decides."""

    @abstractmethod
    def action(self, situation: Situation, index: int) -> Action | None:
        """Return the action of an index, allowed or not; `None` lets a result stand.

        Raises `ActionError` (`no-correction-due`) for a correction where none is due.
        """

    @abstractmethod
    def index(self, action: Action | None) -> int:
        """Return the index of an action of this game."""

    @abstractmethod
    def observe(self, situation: Situation, player: int) -> bytes:
        """Return the observation of a player."""

    @abstractmethod
    def render(self, situation: Situation) -> str:
        """Return the position as lines of text for people."""


def keep_texts(mark: str = "") -> list[str]:
    """Return the texts of all keeps, in the order of their indexes."""
    return [f"{mark}k{kept.text if kept is not NO_DICE else '-'}" for kept in KEEPS[:KEEP_COUNT]]
