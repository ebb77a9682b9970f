"""The mistakes of a reviewed game, and the judgement of an answer.

A mistake is a decision that lost more than the threshold of the player's level. Weak players would
get hundreds of cards with the threshold of strong ones, and the largest losses teach most.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from dicecup import games
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.grade import MEASURED, SAME, SENSIBLE, MeanLoss, grade
from dicecup.analysis.mistakes.themes import theme_of
from dicecup.analysis.questions import ERROR
from dicecup.analysis.registry import analysis_of, by_tables
from dicecup.analysis.reviewed import LossKind, Review, ReviewedDecision, ReviewedTurn
from dicecup.analysis.steps import CORRECTS, steps
from dicecup.analysis.theme import Theme
from dicecup.core.errors import TextCode, TextError
from dicecup.core.game import Action, Position
from dicecup.core.source import Throw
from dicecup.record import Record

TOLERANCE: Final = {Unit.POINTS: 0.5, Unit.CHANCE: 0.002}
"""The largest loss of a right answer, by unit."""
UNKNOWN_LEVEL: Final = "casual"
"""The level of a player with too few decisions for a grade."""
TIMES: Final = 4.0
"""A mistake loses this many times the mean loss of a decision of the player's level."""


class Place(NamedTuple):
    """The place of a decision in a record: the number of the turn, and how many decisions come
    before it in the turn."""

    turn: int
    before: int

    def __str__(self) -> str:
        return f"{self.turn}.{self.before}"

    @classmethod
    def from_text(cls, text: str) -> "Place":
        """Return the place that `str` wrote. Raises `ValueError`."""
        turn, _, before = text.partition(".")
        return cls(int(turn), int(before))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that lost something.

    `position`: the position of the question (`GameAnalysis.practice_position`). `played`: the
    action in it. `loss`: in `unit`.
    """

    place: Place
    player: int
    position: Position
    played: Action
    theme: Theme
    unit: Unit
    loss: float


def threshold(level: str | None, unit: Unit) -> float:
    """Return the loss above which a decision of a player of this level is a mistake.

    It lies above the error of the evaluation, and no higher than the loss of a sensible choice.
    `None`: the level is unknown."""
    losses = MEASURED[unit]
    mean = losses[level if level in losses else UNKNOWN_LEVEL]
    return min(SENSIBLE[unit], max(ERROR[unit], TIMES * mean))


def level_of(decisions: int, loss: float, unit: Unit) -> str | None:
    """Return the level of a player who lost `loss` in this many decisions, `None` for too few."""
    return grade(MeanLoss(decisions, loss / decisions if decisions else None, None), unit)


def losses_of(review: Review) -> Iterator[Mistake]:
    """Yield every decision that lost something, also one that lost less than a mistake does."""
    for turn in review.turns:
        for index, decision in enumerate(turn.decisions):
            if decision.loss <= SAME:
                continue
            position, played, best = _question(turn, decision)
            asked = analysis_of(review.game).practice_position(position)
            correction = decision.kind is LossKind.CORRECTION
            yield Mistake(
                Place(turn.number, index),
                decision.player,
                asked,
                played,
                Theme.CORRECTION if correction else theme_of(asked, played, best),
                review.unit,
                decision.loss,
            )


def positions_at(record: Record) -> dict[Place, Position]:
    """Return the position of the question at the place of every decision of a game."""
    practice = analysis_of(record.game).practice_position
    found: dict[Place, Position] = {}
    counts: dict[int, int] = {}
    ends: dict[int, Position] = {}
    for before, done, _ in steps(record):
        if done is None or isinstance(done, Throw):
            continue
        turn = before.number if done.corrects is None else done.corrects
        if done.corrects is None:
            ends[turn] = before
        elif turn not in ends:  # the result is older than the record
            continue
        found[Place(turn, counts.get(turn, 0))] = practice(ends[turn])
        counts[turn] = counts.get(turn, 0) + 1
    return found


def loss_of(position: Position, played: str, evaluation: Evaluation | None = None) -> float:
    """Return the loss of an action, given as text.

    `evaluation`: that of reviews without one. Raises `TextError` (`not-an-action`) for an action
    that is not allowed, and `AnalysisError` (`no-evaluation`)."""
    lost = losses_at(position, evaluation)
    action = position.game.action(played)
    if action not in lost:
        raise TextError(TextCode.NOT_AN_ACTION, text=played)
    return lost[action]


def losses_at(position: Position, evaluation: Evaluation | None = None) -> Mapping[Action, float]:
    """Return the loss of every action of a position, the best action first. Raises as
    `loss_of`."""
    values = (by_tables(position.game, alone=True) if evaluation is None else evaluation).values(position)
    best = max(values.values())
    return {action: best - values[action] for action in analysis_of(position.game).ranked(values)}


def is_right(loss: float, unit: Unit) -> bool:
    """Return whether an answer with this loss is right."""
    return loss <= TOLERANCE[unit]


def position_of(game: str, text: str) -> Position:
    """Return the position of a question. Raises `DicecupError`."""
    return games.from_id(game).position(text)


def _question(turn: ReviewedTurn, decision: ReviewedDecision) -> tuple[Position, Action, Action]:
    """Return position, action and best action of a decision. A correction is asked as the decision
    that it corrects: where to write the dice."""
    if decision.kind is not LossKind.CORRECTION:
        return decision.position, decision.played, decision.best
    written = next(each for each in turn.decisions if each.kind is LossKind.ENDING)
    by_text = {str(action): action for action in written.values}
    played, best = (by_text[str(action).rpartition(CORRECTS)[2]] for action in (decision.played, decision.best))
    return written.position, played, best
