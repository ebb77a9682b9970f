"""What somebody answered in training, how hard the next question should be, and what progress that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any, Final, Protocol

from dicecup import games
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import SAME
from dicecup.analysis.questions import DIFFICULTIES, Question
from dicecup.core.errors import DicecupError
from dicecup.core.game import Action

TO_RISE: Final = 2
"""Right answers in succession after which questions get harder; one wrong answer makes them easier. So they settle where about 71 % are
answered rightly."""
RECENT: Final = 20
"""Answers that say how somebody answers now."""


class Graded(Protocol):
    """How hard a question was, and whether it was answered rightly."""

    @property
    def difficulty(self) -> int:
        """1 to `DIFFICULTIES`."""
        ...

    @property
    def right(self) -> bool:
        """Whether nothing was lost."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One question with its answer; `best` is the first of the best actions, `loss` what `played` loses against it."""

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
        """Whether nothing was lost."""
        return self.loss <= SAME

    def to_json(self) -> dict[str, Any]:
        """Plain values, as the history holds them."""
        return {name: getattr(self, name) for name in self.__slots__} | {"time": self.time.isoformat()}

    @classmethod
    def from_json(cls, held: Any) -> "Answer":
        """The answer that was held. Raises `ValueError` for anything else."""
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
class Score:
    """Over some answers: how many, how many of them right, and the mean loss, None without any."""

    answers: int
    right: int
    mean_loss: float | None


def answered(question: Question, action: Action, time: datetime) -> Answer:
    """What somebody chose. Raises `KeyError` for an action that cannot be done there."""
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
    """Those of one game (`yam-master`, `yamm`), whatever its options."""
    return tuple(answer for answer in answers if games.from_id(answer.game).name == name)


def next_difficulty(answers: Sequence[Graded]) -> int:
    """How hard the next question of a game should be: harder after `TO_RISE` right answers in succession at one difficulty, easier after a
    wrong one, and otherwise as the last. It begins with the easiest."""
    if not answers:
        return 1
    last = answers[-1]
    if not last.right:
        return max(1, last.difficulty - 1)
    ready = len(answers) >= TO_RISE and all(
        answer.right and answer.difficulty == last.difficulty for answer in answers[-TO_RISE:]
    )
    return min(last.difficulty + ready, DIFFICULTIES)


def score(answers: Sequence[Answer]) -> Score:
    """Of answers in one unit."""
    losses = [answer.loss for answer in answers]
    return Score(len(answers), sum(answer.right for answer in answers), fmean(losses) if losses else None)
