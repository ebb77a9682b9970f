"""The answers to questions of the trainer, the difficulty of the next question, and the score."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any, Final, Protocol

from dicecup import games
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import SAME
from dicecup.analysis.questions import DIFFICULTIES, TrainerQuestion
from dicecup.core.errors import DicecupError
from dicecup.core.game import Action

TO_RISE: Final = 2
"""The number of right answers in succession that raises the difficulty by 1.

One wrong answer lowers it by 1, so it settles where about 71 % of the answers are right.
"""
RECENT: Final = 20
"""The number of the latest answers that give the current score."""


class Graded(Protocol):
    """The difficulty of a question, and whether its answer was right."""

    @property
    def difficulty(self) -> int:
        """Return the difficulty, 1 to `DIFFICULTIES`."""
        ...

    @property
    def right(self) -> bool:
        """Return whether the answer loses nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    `best`: the first of the best actions. `loss`: the loss of `played` against it.
    """

    time: datetime
    game: str
    position: str
    difficulty: int
    played: str
    best: str
    unit: Unit
    loss: float

    @property
    def right(self) -> bool:
        """Return whether the answer loses nothing."""
        return self.loss <= SAME

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain values, the format of the history file."""
        return {name: getattr(self, name) for name in self.__slots__} | {"time": self.time.isoformat()}

    @classmethod
    def from_json(cls, held: Any) -> "Answer":
        """Return the answer that `to_json` wrote. Raises `ValueError` for other values."""
        match held:
            case {
                "time": str(time),
                "game": str(game),
                "position": str(position),
                "difficulty": int(difficulty),
                "played": str(played),
                "best": str(best),
                "unit": str(unit),
                "loss": int(loss) | float(loss),
                **rest,
            } if not rest and 1 <= difficulty <= DIFFICULTIES and 0 <= loss < float("inf"):
                try:
                    games.from_id(game)
                except DicecupError as error:
                    raise ValueError(game) from error
                return cls(datetime.fromisoformat(time), game, position, difficulty, played, best, Unit(unit), float(loss))
        raise ValueError(held)


@dataclass(frozen=True, slots=True)
class TrainerScore:
    """The number of answers, the number of right ones, and the mean loss; `None` without
    answers."""

    answers: int
    right: int
    mean_loss: float | None


def answered(question: TrainerQuestion, action: Action, time: datetime) -> Answer:
    """Return the answer for a chosen action. Raises `KeyError` for an action that is not
    allowed."""
    position, found = question.position, question.found
    loss = {choice.action: choice.loss for choice in found.choices}[action]
    best = found.best.action
    return Answer(
        time,
        position.game.id,
        str(position),
        question.difficulty,
        str(action),
        str(best),
        found.unit,
        loss if loss > SAME else 0.0,
    )


def of_game(answers: Sequence[Answer], name: str) -> tuple[Answer, ...]:
    """Return the answers of the game with this name, with any options."""
    return tuple(answer for answer in answers if games.from_id(answer.game).name == name)


def next_difficulty(answers: Sequence[Graded]) -> int:
    """Return the difficulty of the next question.

    It rises by 1 after `TO_RISE` right answers in succession at one difficulty and falls by 1 after
    a wrong answer. The first question has difficulty 1."""
    if not answers:
        return 1
    last = answers[-1]
    if not last.right:
        return max(1, last.difficulty - 1)
    ready = len(answers) >= TO_RISE and all(
        answer.right and answer.difficulty == last.difficulty for answer in answers[-TO_RISE:]
    )
    return min(last.difficulty + ready, DIFFICULTIES)


def score(answers: Sequence[Answer]) -> TrainerScore:
    """Return the score of answers in one unit."""
    losses = [answer.loss for answer in answers]
    return TrainerScore(len(answers), sum(answer.right for answer in answers), fmean(losses) if losses else None)
