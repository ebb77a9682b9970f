"""Own mistakes in the terminal: cards from the records of games, asked when they are due.

The cards follow from the records, the days on which they return from the saved answers.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from dicecup.analysis.decisions import DecisionAnalysis, analyse
from dicecup.analysis.errors import AnalysisCode, AnalysisError
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import MeanLoss, mean_loss
from dicecup.analysis.mistakes.found import Mistake, is_right, level_of, losses_at, losses_of, threshold
from dicecup.analysis.mistakes.portion import Card, costliest, portion
from dicecup.analysis.mistakes.schedule import DAY, Answered, due_day
from dicecup.analysis.questions import DIFFICULTIES, TrainerQuestion, ask_about, themes
from dicecup.analysis.registry import by_tables
from dicecup.analysis.review import review
from dicecup.analysis.theme import Theme
from dicecup.analysis.trainer import Answer, answered
from dicecup.core.game import Action, Position, Rules
from dicecup.engine.progress import Progress, unwatched
from dicecup.record import Record
from dicecup.sheets.puzzles import MOST, Puzzle
from dicecup.table.table_record import HUMAN
from dicecup.terminal import history
from dicecup.terminal.analysis import loss_text, named, show_analysis, show_position, value_text
from dicecup.terminal.console import Console, Style
from dicecup.terminal.errors import EndOfInput
from dicecup.terminal.loop import Quit
from dicecup.terminal.questioner import Questioner
from dicecup.terminal.trainer import compared, show_wrong

NAME: Final = "mistakes.jsonl"
COMPUTER: Final = ""
"""Stands for the name of an opponent that is a computer."""


class PersonalCard(NamedTuple):
    """A card with its mistake. `opponent`: the name of the other player of a game of two,
    `COMPUTER` for a computer."""

    card: Card
    mistake: Mistake
    opponent: str | None = None


class GameLoss(NamedTuple):
    """The losses of the persons of one record by theme. `name`: the name of the game."""

    name: str
    unit: Unit
    losses: dict[Theme, float]


class OwnMistakes(NamedTuple):
    """The cards of records, and the losses of each record by theme."""

    cards: list[PersonalCard]
    games: list[GameLoss]

    def puzzles(self) -> list[Puzzle]:
        """Return the costliest mistakes, mixed from games and themes, as puzzles to print."""
        by_id = {each.card.id: each.mistake for each in self.cards}
        chosen = costliest((each.card for each in self.cards), MOST)
        return [_puzzle(by_id[card.id]) for card in chosen]


def default_path() -> Path:
    """Return the file of the answers to own mistakes."""
    return history.default_path().with_name(NAME)


def day_of(time: datetime) -> int:
    """Return the day of a time in the time zone of this machine, counted from 1970."""
    local = time.astimezone()
    offset = local.utcoffset()
    assert offset is not None
    return int((local.timestamp() + offset.total_seconds()) // DAY)


def mistakes_of(
    records: Sequence[Record], answers: Sequence[Answer], name: str | None = None, progress: Progress = unwatched
) -> OwnMistakes:
    """Return the cards of reviewed records.

    `name`: the player whose mistakes count; without it those of all people. Raises as `review`."""
    reviews = []
    for number, played in enumerate(records, 1):
        reviews.append(review(played, evaluation=by_tables(played.game, alone=True)))
        progress(number, len(records))
    decisions, losses = defaultdict[str, int](int), defaultdict[str, float](float)
    for found in reviews:
        for player in _own_players(found.record, name):
            decisions[found.game.name] += found.players[player].decisions.decisions
            losses[found.game.name] += found.players[player].loss
    due = _due(answers)
    cards: dict[str, PersonalCard] = {}
    games = []
    for found in reviews:
        least = threshold(level_of(decisions[found.game.name], losses[found.game.name], found.unit), found.unit)
        own = set(_own_players(found.record, name))
        by_theme = defaultdict[Theme, float](float)
        for mistake in losses_of(found):
            if mistake.player not in own:
                continue
            by_theme[mistake.theme] += mistake.loss
            key = _key(mistake.position.game.id, str(mistake.position))
            if mistake.loss > least and key not in cards:
                card = Card(key, mistake.position.game.id, mistake.theme, mistake.unit, mistake.loss, due.get(key))
                cards[key] = PersonalCard(card, mistake, opponent_of(found.record, mistake.player))
        if own:
            games.append(GameLoss(found.game.name, found.unit, dict(by_theme)))
    return OwnMistakes(list(cards.values()), games)


class MistakeTrainer:
    """Asks the cards of a day. `path`: the file of the answers. `now` returns the time."""

    def __init__(self, console: Console, own: OwnMistakes, path: Path, now: datetime) -> None:
        self._console = console
        self._own = own
        self._path = path
        self._now = now
        self._questioner = Questioner(console)
        self._right = self._asked = 0

    def run(self, questions: int) -> None:
        """Ask the portion of the day, at most so many questions. Every answer is saved before its
        value is printed.

        Raises `EndOfInput`, `KeyboardInterrupt`, `StorageError`.
        """
        console = self._console
        by_id = {each.card.id: each for each in self._own.cards}
        chosen = portion((each.card for each in self._own.cards), day_of(self._now), questions)
        console.tell("mistakes_intro", cards=len(self._own.cards), questions=len(chosen))

        def ask() -> None:
            for number, card in enumerate(chosen, 1):
                self._question(number, len(chosen), by_id[card.id])

        self._until_left(ask)

    def drill(self, theme: Theme, games: Sequence[Rules], questions: int, seed: str) -> None:
        """Ask the costliest cards of a theme, due or not, then questions made by the computer, from
        each of the named games in turn. Answers to cards are saved.

        Raises `EndOfInput`, `KeyboardInterrupt`, `StorageError`, and `AnalysisError`
        (`no-such-theme`) if no game has cards of the theme or questions about it."""
        console = self._console
        making = [game for game in games if theme in themes(game)]
        own = sorted((each for each in self._own.cards if each.card.theme is theme), key=lambda each: -each.card.weight)
        asked = own[:questions]
        if not making and not asked:
            named = ", ".join(game.name for game in games)
            raise AnalysisError(AnalysisCode.NO_SUCH_THEME, game=named, theme=str(theme))
        count = questions if making else len(asked)
        console.tell("mistakes_drill", theme=console.messages(f"theme_{theme}"), cards=len(asked), made=count - len(asked))

        def ask() -> None:
            for number in range(1, count + 1):
                if number <= len(asked):
                    self._question(number, count, asked[number - 1])
                    continue
                game = making[(number - len(asked) - 1) % len(making)]
                made = ask_about(theme, game, by_tables(game), seed=seed, number=number)
                self._made_question(number, count, made.position)

        self._until_left(ask)

    def _until_left(self, ask: Callable[[], None]) -> None:
        """Ask until the person quits, and print the summary. Raises as `run`."""
        try:
            ask()
        except Quit:
            pass
        except (EndOfInput, KeyboardInterrupt):
            self._console.say()
            raise
        finally:
            self._summary()

    def _question(self, number: int, questions: int, asked: PersonalCard) -> None:
        """Ask a card until it is answered. Raises `Quit`, `EndOfInput`, `StorageError`."""
        self._console.say()
        self._console.tell("mistakes_question", Style.HEAD, number=number, questions=questions)
        found, action = self._answer(asked.mistake.position)
        answer = answered(TrainerQuestion(found, DIFFICULTIES), action, self._now)
        history.append(self._path, answer)
        self._show(found, action)
        self._show_played(asked.mistake)
        opponent = self._console.messages("why_computer") if asked.opponent == COMPUTER else asked.opponent
        show_analysis(self._console, compared(found, action), opponent)

    def _made_question(self, number: int, questions: int, position: Position) -> None:
        """Ask a question made by the computer. Raises `Quit`, `EndOfInput`."""
        self._console.say()
        self._console.tell("mistakes_question_made", Style.HEAD, number=number, questions=questions)
        found, action = self._answer(position)
        self._show(found, action)
        show_analysis(self._console, compared(found, action))

    def _answer(self, position: Position) -> tuple[DecisionAnalysis, Action]:
        """Return the analysis of a position and the action that the person chooses. Raises `Quit`,
        `EndOfInput`."""
        show_position(self._console, position)
        action = self._questioner.choice(position)
        return analyse(position, by_tables(position.game, alone=True)), action

    def _show(self, found: DecisionAnalysis, action: Action) -> None:
        """Print whether an answer was right."""
        console = self._console
        answer = answered(TrainerQuestion(found, DIFFICULTIES), action, self._now)
        self._asked += 1
        right = is_right(answer.loss, found.unit)
        self._right += right
        console.say()
        if not right:
            show_wrong(console, found, action)
        elif answer.right:
            console.tell("trainer_right", Style.OPEN, action=named(found.position, action, console.messages))
        else:
            chosen = named(found.position, action, console.messages)
            loss = loss_text(console, found.unit, answer.loss)
            console.tell("mistakes_right_enough", Style.OPEN, action=chosen, loss=loss)

    def _show_played(self, mistake: Mistake) -> None:
        messages = self._console.messages
        played = named(mistake.position, mistake.played, messages)
        lost = loss_text(self._console, mistake.unit, mistake.loss)
        self._console.tell("mistakes_played", theme=messages(f"theme_{mistake.theme}"), action=played, loss=lost)

    def _summary(self) -> None:
        """Print how many answers were right, and the loss of a game by theme."""
        console = self._console
        console.say()
        if self._asked:
            console.tell("mistakes_score", Style.HEAD, right=self._right, answers=self._asked)
        for name in dict.fromkeys(game.name for game in self._own.games):
            games = [game for game in self._own.games if game.name == name]
            console.tell(
                "mistakes_themes", Style.HEAD, game=console.messages(f"game_{name.replace('-', '_')}"), games=len(games)
            )
            means = {
                theme: mean_loss([game.losses.get(theme, 0.0) for game in games]) for game in games for theme in game.losses
            }
            for theme, found in sorted(means.items(), key=lambda pair: -(pair[1].mean or 0)):
                self._show_theme(theme, found, games[0].unit)

    def _show_theme(self, theme: Theme, found: MeanLoss, unit: Unit) -> None:
        console = self._console
        loss = _with_unit(console, unit, found.mean or 0.0)
        name = console.messages(f"theme_{theme}")
        if found.half is None:
            console.tell("mistakes_theme", theme=name, loss=loss)
        else:
            console.tell("mistakes_theme_half", theme=name, loss=loss, half=_with_unit(console, unit, found.half))


def _with_unit(console: Console, unit: Unit, value: float) -> str:
    """Return a value as points or per cent."""
    text = value_text(console, unit, value)
    points = unit is Unit.POINTS
    return console.messages("analysis_in_points", points=text) if points else console.messages("odds_percent", percent=text)


def _puzzle(mistake: Mistake) -> Puzzle:
    return Puzzle(mistake.position, mistake.theme, mistake.unit, losses_at(mistake.position), mistake.played)


def _own_players(played: Record, name: str | None) -> Iterable[int]:
    """Yield the players whose mistakes count: those with a name, or all people."""
    seats = played.tags.get("Seats", "").split(" ")
    known = len(seats) == played.game.players
    for player, tag in enumerate(played.game.player_tags):
        if (not known or seats[player] == HUMAN) and name in (None, played.tags.get(tag)):
            yield player


def opponent_of(played: Record, player: int) -> str | None:
    """Return the name of the other player of a game of two, `COMPUTER` for a computer."""
    names = [played.tags.get(tag) for tag in played.game.player_tags]
    if len(names) != 2:
        return None
    seats = played.tags.get("Seats", "").split(" ")
    return COMPUTER if len(seats) == 2 and seats[1 - player] != HUMAN else names[1 - player]


def _due(answers: Sequence[Answer]) -> dict[str, int]:
    """Return the day on which each answered card returns. The first answer of a day counts."""
    days = defaultdict[str, dict[int, bool]](dict)
    for answer in answers:
        days[_key(answer.game, answer.position)].setdefault(day_of(answer.time), is_right(answer.loss, answer.unit))
    found = {key: due_day(Answered(day, right) for day, right in given.items()) for key, given in days.items()}
    return {key: day for key, day in found.items() if day is not None}


def _key(game: str, position: str) -> str:
    """Return the id of a card: two games with the same decision have one card."""
    return f"{game} {position}"
