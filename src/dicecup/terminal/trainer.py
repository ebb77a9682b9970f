"""The trainer: it asks for decisions, prints the values of the choices with reasons, and the
progress of the answers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dicecup.analysis.decisions import DecisionAnalysis
from dicecup.analysis.questions import DIFFICULTIES, ask
from dicecup.analysis.registry import by_tables
from dicecup.analysis.trainer import RECENT, Answer, answered, next_difficulty, of_game, score
from dicecup.core.game import Action, Rules
from dicecup.terminal import chart, history
from dicecup.terminal.analysis import loss_text, named, show_analysis, show_position
from dicecup.terminal.console import Console, Style
from dicecup.terminal.errors import EndOfInput
from dicecup.terminal.loop import Quit
from dicecup.terminal.questioner import Questioner

WIDTH: Final = 60
"""The most columns of the curve."""
FEWEST: Final = 5
"""The fewest answers with a curve."""


class Trainer:
    """The questions of one game. They follow from `seed` and their difficulty. `path` is the file
    of all answers."""

    def __init__(self, console: Console, game: Rules, path: Path, seed: str) -> None:
        self._console = console
        self._game = game
        self._path = path
        self._seed = seed
        self._questioner = Questioner(console)
        self._evaluation = by_tables(game)
        self._answers = list(of_game(history_of(console, path), game.name))
        self._before = len(self._answers)

    def run(self, questions: int) -> None:
        """Ask questions until all are answered or the person quits. Every answer is saved before
        its value is printed.

        Raises `EndOfInput`, `KeyboardInterrupt`, `StorageError`.
        """
        console = self._console
        console.tell("trainer_intro")
        try:
            for number in range(1, questions + 1):
                self._question(number, questions)
        except Quit:
            pass
        except (EndOfInput, KeyboardInterrupt):
            console.say()
            raise
        finally:
            self._progress()

    def _question(self, number: int, questions: int) -> None:
        """Ask one question until it is answered. Raises `Quit`, `EndOfInput`, `StorageError`."""
        console = self._console
        wanted = next_difficulty(self._answers)
        question = ask(self._game, self._evaluation, seed=self._seed, number=number, difficulty=wanted)
        console.say()
        console.tell(
            "trainer_question",
            Style.HEAD,
            number=number,
            questions=questions,
            difficulty=question.difficulty,
            most=DIFFICULTIES,
        )
        show_position(console, question.position)
        action = self._questioner.choice(question.position)
        answer = answered(question, action, datetime.now(UTC))
        history.append(self._path, answer)
        self._answers.append(answer)
        show_verdict(console, question.found, action)
        console.say()
        self._score("trainer_score", self._answers[self._before :])

    # Progress

    def _progress(self) -> None:
        """Print the score of the recent answers and of those before, and the curve of the
        difficulty."""
        console, answers = self._console, self._answers
        if not answers:
            return
        console.say()
        console.tell("trainer_so_far", Style.HEAD, answers=len(answers))
        recent, before = answers[-RECENT:], answers[:-RECENT]
        self._score("trainer_recent", recent)
        if before:
            self._score("trainer_before", before[-RECENT:])
        if len(answers) >= FEWEST:
            console.tell("trainer_course", most=DIFFICULTIES)
            course = [float(answer.difficulty) for answer in answers]
            for line in chart.bars(course, 0, DIFFICULTIES, min(WIDTH, len(course)), 2):
                console.say(f"  {line}")
        console.tell("trainer_next", difficulty=next_difficulty(answers), most=DIFFICULTIES)

    def _score(self, key: str, answers: Sequence[Answer]) -> None:
        found = score(answers)
        if found.mean_loss is None:
            return
        lost = loss_text(self._console, self._evaluation.unit, found.mean_loss)
        self._console.tell(key, right=found.right, answers=found.answers, loss=lost)


def history_of(console: Console, path: Path) -> tuple[Answer, ...]:
    """Return the saved answers. A damaged file is renamed, and its readable answers are kept.
    Raises `StorageError`."""
    try:
        return history.load(path)
    except history.HistoryError as error:
        console.complain(error)
        aside = history.rescue(path)
        answers = history.load(path)
        console.tell_path("trainer_rescued", aside)
        return answers


def show_verdict(console: Console, found: DecisionAnalysis, action: Action) -> None:
    """Print the value of the choice beside the best and the second best choice."""
    console.say()
    if _place(found, action):
        show_wrong(console, found, action)
    else:
        console.tell("trainer_right", Style.OPEN, action=named(found.position, action, console.messages))
    show_analysis(console, compared(found, action))


def show_wrong(console: Console, found: DecisionAnalysis, action: Action) -> None:
    """Print what a choice loses, its place among all choices, and the best one."""
    position, groups, place = found.position, found.groups, _place(found, action)
    console.tell(
        "trainer_wrong",
        Style.WRONG,
        action=named(position, action, console.messages),
        loss=loss_text(console, found.unit, groups[place][0].loss),
        place=place + 1,
        count=len(groups),
        best=named(position, found.best.action, console.messages),
    )


def compared(found: DecisionAnalysis, action: Action) -> DecisionAnalysis:
    """Return the analysis with three choices: the best, the second best and the chosen one."""
    groups = found.groups
    return replace(found, choices=tuple(choice for at in sorted({0, 1, _place(found, action)}) for choice in groups[at]))


def _place(found: DecisionAnalysis, action: Action) -> int:
    """Return the place of a choice among the groups of equally good ones, from 0."""
    return next(place for place, group in enumerate(found.groups) if any(choice.action == action for choice in group))
