"""Requests and answers over HTTP that concern learning: odds, analysis, questions,
reviews and guided first games."""

from typing import Annotated, Any, TypeAlias

from pydantic import Field

from dicecup.analysis.theme import Theme
from dicecup.hosting.device_games import LONGEST_RECORD
from dicecup.table.guides.guide import Does
from dicecup.web.messages import Incoming, Number, Outgoing, Update
from dicecup.web.view_models import SeenAction, SeenBoard, SeenSheet, SeenTurn


class AskOdds(Incoming):
    """A point of a turn, with the options of `dicecup odds`."""

    game: Annotated[str, Field(max_length=200)] = "yam-master"
    dice: Annotated[str, Field(max_length=20)] | None = None
    throws_left: Annotated[int, Field(ge=0, le=3)] | None = None
    keep: Annotated[str, Field(max_length=20)] | None = None
    defi: bool = False


GameId: TypeAlias = Annotated[str, Field(max_length=200)]
PositionText: TypeAlias = Annotated[str, Field(max_length=20_000)]
ActionText: TypeAlias = Annotated[str, Field(max_length=20)]
Difficulty: TypeAlias = Annotated[int, Field(ge=1, le=5)]


class AskAnalysis(Incoming):
    """A position to analyse. With `alone` each sheet of Yamm is played by itself, for points, as in
    a review."""

    game: GameId
    position: PositionText
    alone: bool = False


class AskShow(Incoming):
    """A position to show, or the position `after` an action in it."""

    game: GameId
    position: PositionText
    after: ActionText | None = None


class Shown(Outgoing):
    """The part of a view that shows a position: `board` in Yam Master, `sheets` in Yamm.

    Seats are numbered in the order of play.
    """

    game: str
    position: str
    turn: SeenTurn | None
    board: SeenBoard | None = None
    sheets: list[SeenSheet] | None = None
    actions: list[SeenAction]


class AskQuestion(Incoming):
    """A request for a decision to practise on. The same seed, number and difficulty give the same
    decision. With `theme` it is about this theme and has any difficulty."""

    game: GameId
    seed: Annotated[str, Field(max_length=64)]
    number: Number
    difficulty: Difficulty = 1
    theme: Theme | None = None


class Question(Outgoing):
    """A decision to practise on, with the actions that are worth a look, in the order of the
    actions."""

    shown: Shown
    difficulty: int
    choices: list[str]


class GivenAnswer(Incoming):
    """The answer to an earlier question."""

    difficulty: Difficulty
    right: bool


class AskVerdict(Incoming):
    """The action that a person chooses. `before`: the answer to the question before this one.
    `lenient`: a small loss is right, too, as in answers to own mistakes."""

    game: GameId
    position: PositionText
    difficulty: Difficulty
    played: ActionText
    before: GivenAnswer | None = None
    lenient: bool = False


class Verdict(Outgoing):
    """The loss of a choice, the best action, the difficulty of the next question, and the analysis
    of all actions.

    docs/analysis.md describes the analysis.
    """

    right: bool
    loss: float
    best: str
    next_difficulty: int
    analysis: dict[str, Any]


class AskReview(Incoming):
    """The record of a finished game."""

    record: Annotated[str, Field(max_length=LONGEST_RECORD)]


class GuideStep(Outgoing):
    """A step of a guided first game: one sentence, one highlight, one thing to do.

    `text` is the catalogue key of the sentence, `values` its placeholders, `mark` what is
    highlighted. `updates` are those of the table since the step before. The first update of a new
    scene has no events and a whole view.
    """

    text: str
    values: dict[str, int | str]
    mark: str
    does: Does
    action: str
    updates: list[Update]


class GuideScript(Outgoing):
    """The guided first game of a game."""

    game: str
    steps: list[GuideStep]
