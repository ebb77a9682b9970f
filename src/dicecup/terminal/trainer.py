"""The trainer: it asks for decisions, prints the values of the choices with reasons, and the
progress of the answers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dicecup.analysis.decisions import DecisionAnalysis
from dicecup.analysis.questions import DIFFICULTIES, TrainerQuestion, ask
from dicecup.analysis.registry import by_tables
from dicecup.analysis.trainer import RECENT, Answer, answered, next_difficulty, of_game, score
from dicecup.core.errors import DicecupError, TextCode, TextError
from dicecup.core.game import Action, Position, Rules
from dicecup.terminal import chart, entry, history
from dicecup.terminal.analysis import loss_text, named, show_analysis, show_position
from dicecup.terminal.console import Console, Style
from dicecup.terminal.display import show_rules
from dicecup.terminal.entry import Verb, split_verb, words_of
from dicecup.terminal.errors import EndOfInput
from dicecup.terminal.games import action_text, screen_of
from dicecup.terminal.loop import Quit

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
        self._known = words_of(console.messages)
        self._evaluation = by_tables(game)
        self._answers = list(of_game(_history(console, path), game.name))
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
        action = self._choice(question.position)
        answer = answered(question, action, datetime.now(UTC))
        history.append(self._path, answer)
        self._answers.append(answer)
        _verdict(console, question, action)
        console.say()
        self._score("trainer_score", self._answers[self._before :])

    # Asking

    def _choice(self, position: Position) -> Action:
        """Ask until an allowed action is entered, and return it. Raises `EndOfInput` and `Quit`."""
        while True:
            text = self._console.ask(self._console.messages("trainer_prompt"))
            try:
                action = self._entered(text, position)
            except EndOfInput:
                raise
            except DicecupError as error:
                self._console.complain(error)
                continue
            if action is not None:
                return action

    def _entered(self, text: str, position: Position) -> Action | None:
        """Return the action of an entry, `None` for an entry that only printed something."""
        console = self._console
        verb, rest = split_verb(text, self._known)
        screen = screen_of(position.game)
        match verb:
            case None if not text:
                console.tell("trainer_help")
            case Verb.HELP:
                screen.show_help(console)
                console.tell("trainer_help")
            case Verb.RULES:
                show_rules(console, position.game)
            case Verb.SHOW:
                show_position(console, position)
            case Verb.READ:
                screen.read_question(console, position)
            case Verb.ACTIONS:
                console.say(" ".join(map(str, position.actions)))
            case Verb.ODDS:
                screen.show_odds(console, position, entry.keep_text(rest) if rest else None)
            case Verb.QUIT:
                raise Quit
            case _:
                return self._action(action_text(verb, rest if verb else text, position, self._known), position)
        return None

    def _action(self, text: str, position: Position) -> Action:
        """Return the action of a canonical text. Raises `TextError`, and `ActionError` as
        `Position.play` does."""
        action = position.game.action(text)
        position.play(action)
        if action not in position.actions:
            raise TextError(TextCode.NOT_AN_ACTION, text=text)
        return action

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


def _history(console: Console, path: Path) -> tuple[Answer, ...]:
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


def _verdict(console: Console, question: TrainerQuestion, action: Action) -> None:
    """Print the value of the choice beside the best and the second best choice."""
    found = question.found
    position, groups = found.position, found.groups
    place = next(place for place, group in enumerate(groups) if any(choice.action == action for choice in group))
    console.say()
    if place:
        choice = groups[place][0]
        console.tell(
            "trainer_wrong",
            Style.WRONG,
            action=named(position, action, console.messages),
            loss=loss_text(console, found.unit, choice.loss),
            place=place + 1,
            count=len(groups),
            best=named(position, found.best.action, console.messages),
        )
    else:
        console.tell("trainer_right", Style.OPEN, action=named(position, action, console.messages))
    show_analysis(console, _compared(found, place))


def _compared(found: DecisionAnalysis, place: int) -> DecisionAnalysis:
    """Return the analysis with three choices: the best, the second best and the chosen one."""
    groups = found.groups
    return replace(found, choices=tuple(choice for at in sorted({0, 1, place}) for choice in groups[at]))
