"""What a review consists of: turns with their throws and decisions, and the totals of players and sides."""

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
"""How many of the costliest moments are told."""


class Kind(StrEnum):
    """What a loss was made with."""

    FIRST_KEEP = "first_keep"
    """Dice kept after the first throw."""
    SECOND_KEEP = "second_keep"
    """Dice kept after the second throw."""
    ENDING = "ending"
    """The cell or square that ended the turn, a pass, or that it ended at all."""
    DEFI = "defi"
    """A Défi that was declared, or was not."""
    CORRECTION = "correction"
    """The cell that a result was moved to."""


@dataclass(slots=True)
class Decision:
    """`kind`: by what was `played`; `values`: what each action was worth to whoever decided; `losses`: what was lost, by kind;
    `counts`: it was not forced (`dicecup.analysis.grade`); `superseded`: a correction came later, whose loss counts instead."""

    turn: int
    player: int
    position: Position
    played: Action
    kind: Kind
    values: Mapping[Action, float]
    losses: dict[Kind, float]
    counts: bool
    superseded: bool = False

    @property
    def best(self) -> Action:
        """The best action: the one that was played, if none is better."""
        first = ranking(self.position, self.values)[0]
        return first if self.values[first] > self.values[self.played] else self.played

    @property
    def loss(self) -> float:
        """All that was lost here. Never negative."""
        return fsum(self.losses.values())


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """`number`: which throw of the turn; `throw`: what fell, `None` where it was void and is repeated; `luck`: what it changed,
    for the side on turn."""

    number: int
    throw: Throw | None
    luck: float


@dataclass(slots=True)
class ReviewedTurn:
    """`side`: x or o, or the sheet; `before`: what the game was worth to it when the turn began. `decisions` hold the corrections
    of this turn's result too."""

    number: int
    player: int
    side: int
    before: float
    throws: list[ReviewedThrow] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    @property
    def luck(self) -> float:
        """The luck of its throws."""
        return fsum(thrown.luck for thrown in self.throws)

    @property
    def loss(self) -> float:
        """The losses of its decisions."""
        return fsum(decision.loss for decision in self.decisions)


@dataclass(frozen=True, slots=True)
class ReviewedSide:
    """x or o, or a sheet. `start`: what the game was worth to it at the start; `expected`: at the end, the result itself where the
    rules ended the game; `result`: what it got (Yam Master 1, ½ or 0, also after a resignation), `None` where nobody knows.

    `luck`, `loss`: of its own throws and decisions; `adjusted`: `expected` without luck, in Yam Master without that of either
    side; `residual`: what start, luck and losses leave unexplained of `expected`."""

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
    """`name`: the record's, if it has one; `luck`: of the own throws; `losses`: of the own decisions, by kind; `decisions`: those that
    were not forced, and their mean loss; `grade`: the level that plays so, and `grades` those that the interval of the mean
    allows, from the best on; `None` and none where that is not known."""

    name: str | None
    side: int
    luck: float
    losses: Mapping[Kind, float]
    decisions: MeanLoss
    grade: str | None
    grades: tuple[str, ...]

    @property
    def loss(self) -> float:
        """All that was lost."""
        return fsum(self.losses.values())


@dataclass(frozen=True)
class Review:
    """`evaluation`: whose values these are; `foreign_options`: those that it was not trained for; `turns`: all that began."""

    record: Record
    evaluation: str
    unit: Unit
    foreign_options: tuple[str, ...]
    turns: tuple[ReviewedTurn, ...]
    sides: tuple[ReviewedSide, ...]
    players: tuple[ReviewedPlayer, ...]

    @property
    def game(self) -> Rules:
        """The game that was played."""
        return self.record.game

    @property
    def end(self) -> str | None:
        """How the game ended, as the record's tag says it; `None`: it was broken off."""
        return self.record.tags.get("End")

    @property
    def residual(self) -> float:
        """What the identity leaves unexplained: of x, or of the sheet where that is most."""
        return max((side.residual for side in self.sides), key=abs)

    @cached_property
    def worst(self) -> tuple[Decision, ...]:
        """The costliest decisions, the costliest first; none that lost nothing."""
        losing = [decision for turn in self.turns for decision in turn.decisions if decision.loss > SAME]
        return tuple(sorted(losing, key=lambda decision: -decision.loss)[:WORST])
