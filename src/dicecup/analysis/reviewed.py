"""The parts of a review: turns with throws and decisions, and the totals of players and sides."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import fsum
from typing import Final

from dicecup.analysis.decisions import ranking
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import SAME, MeanLoss
from dicecup.core.game import Action, Position, Rules
from dicecup.core.source import Throw
from dicecup.record import Record

WORST: Final = 3
"""The number of decisions in `Review.worst`."""


class LossKind(StrEnum):
    """The kind of decision that a loss comes from."""

    FIRST_KEEP = "first_keep"
    """Dice kept after the first throw."""
    SECOND_KEEP = "second_keep"
    """Dice kept after the second throw."""
    ENDING = "ending"
    """The action that ended the turn: a cell, a square or a pass. Ending it too early counts
    here."""
    DEFI = "defi"
    """The choice whether to declare a Défi."""
    CORRECTION = "correction"
    """The cell to which a result was moved."""


@dataclass(slots=True)
class ReviewedDecision:
    """A decision with its loss.

    `kind`: the kind of the action `played`. `values`: the value of each action to the side that
    decided. `losses`: the loss by kind. `counts`: whether the decision counts for the grade
    (`dicecup.analysis.grade`). `superseded`: whether a later correction replaced the result; the
    loss of the correction counts instead.
    """

    turn: int
    player: int
    position: Position
    played: Action
    kind: LossKind
    values: Mapping[Action, float]
    losses: dict[LossKind, float]
    counts: bool
    superseded: bool = False

    @property
    def best(self) -> Action:
        """Return the best action; `played` if no other action is better."""
        first = ranking(self.position, self.values)[0]
        return first if self.values[first] > self.values[self.played] else self.played

    @property
    def loss(self) -> float:
        """Return the sum of `losses`. It is never negative."""
        return fsum(self.losses.values())


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """A throw with its luck.

    `number`: the number of the throw in its turn, 1 to 3. `throw`: `None` for a void throw, which
    is repeated. `luck`: the value after the throw less the value before it, for the side on turn.
    """

    number: int
    throw: Throw | None
    luck: float


@dataclass(slots=True)
class ReviewedTurn:
    """A turn with its throws and decisions.

    `before`: the value of the game to `side` before the turn. `decisions` include the corrections
    of the turn's result.
    """

    number: int
    player: int
    side: int
    before: float
    throws: list[ReviewedThrow] = field(default_factory=list)
    decisions: list[ReviewedDecision] = field(default_factory=list)

    @property
    def luck(self) -> float:
        """Return the luck of all throws of the turn."""
        return fsum(thrown.luck for thrown in self.throws)

    @property
    def loss(self) -> float:
        """Return the loss of all decisions of the turn."""
        return fsum(decision.loss for decision in self.decisions)


@dataclass(frozen=True, slots=True)
class ReviewedSide:
    """The totals of a side.

    `start`: the value of the game to the side at the start. `expected`: the value at the end; the
    result where the rules ended the game. `result`: the points, or 1, ½ or 0 in Yam Master; `None`
    where it is unknown. `luck`, `loss`: of the side's own throws and decisions. `adjusted`:
    `expected` less the luck, in Yam Master the luck of both sides. `residual`: `expected` less
    `start`, less luck, plus losses.
    """

    players: tuple[int, ...]
    start: float
    expected: float
    result: float | None
    luck: float
    loss: float
    adjusted: float
    residual: float


@dataclass(frozen=True, slots=True)
class ReviewedPlayer:
    """The totals of a player.

    `name`: from the tags of the record. `luck`, `losses`: of the player's own throws and decisions.
    `decisions`: the decisions that count, with their mean loss. `grade`: the level with about this
    mean loss. `grades`: all levels within the interval of the mean, the strongest first. Without
    enough decisions `grade` is `None` and `grades` is empty.
    """

    name: str | None
    side: int
    luck: float
    losses: Mapping[LossKind, float]
    decisions: MeanLoss
    grade: str | None
    grades: tuple[str, ...]

    @property
    def loss(self) -> float:
        """Return the sum of `losses`."""
        return fsum(self.losses.values())


@dataclass(frozen=True)
class Review:
    """The review of a game.

    `evaluation`: the player whose evaluation it is, or `exact`. `foreign_options`: the options for
    which the evaluation was not trained. `turns`: all turns that began.
    """

    record: Record
    evaluation: str
    unit: Unit
    foreign_options: tuple[str, ...]
    turns: tuple[ReviewedTurn, ...]
    sides: tuple[ReviewedSide, ...]
    players: tuple[ReviewedPlayer, ...]

    @property
    def game(self) -> Rules:
        """Return the rules of the game."""
        return self.record.game

    @property
    def end(self) -> str | None:
        """Return the tag `End` of the record, `None` for a game that is not over."""
        return self.record.tags.get("End")

    @property
    def residual(self) -> float:
        """Return the residual of the side where it is largest; of x in Yam Master."""
        return max((side.residual for side in self.sides), key=abs)

    @cached_property
    def worst(self) -> tuple[ReviewedDecision, ...]:
        """Return the decisions with the largest losses, the largest first. All losses are above
        `SAME`."""
        losing = [decision for turn in self.turns for decision in turn.decisions if decision.loss > SAME]
        return tuple(sorted(losing, key=lambda decision: -decision.loss)[:WORST])
