"""Requests and answers over HTTP about cards of own mistakes."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from dicecup.analysis.theme import Theme
from dicecup.web.learning_messages import ActionText, Question
from dicecup.web.messages import Incoming, Outgoing

MOST_ANSWERS = 100
Day: TypeAlias = Annotated[int, Field(ge=0, le=100_000)]
"""A day, counted from 1970 in the time zone of the person."""
CardId: TypeAlias = Annotated[str, Field(max_length=100)]
Unit: TypeAlias = Literal["points", "chance"]


class MistakeCard(Outgoing):
    """A decision of one of your games that lost `loss` in `unit`, to decide again.

    `created`: when the game began, in seconds since 1970. `opponent`: the name of the other player
    of a game of two; a computer has the name of its level. `losses`: the loss of every action, the
    best first. `right`: the actions that lose so little that they are right answers.
    """

    id: str
    theme: Theme
    unit: Unit
    played: str
    loss: float
    created: float
    opponent: str | None
    question: Question
    losses: dict[str, float]
    right: list[str]


class MistakePeriod(Outgoing):
    """The mean loss of a game in a theme, over the games that began from `since` to `until`.

    `half`: half of the 95 % interval, null with fewer than two games.
    """

    since: float
    until: float
    games: int
    loss: float
    half: float | None


class MistakeTheme(Outgoing):
    """A theme of a game: your cards, how many of them are due, and your loss over time.

    `made`: whether `POST /api/questions` makes questions about the theme.
    """

    game: str
    theme: Theme
    unit: Unit
    cards: int
    due: int
    made: bool
    periods: list[MistakePeriod]


class Mistakes(Outgoing):
    """What you can practise on a day.

    `cards`: the portion of the day, or of a drill, in the order of asking. `answered`: how many
    cards you have answered on the day. `due`: how many wait, new ones included. `size`: how many
    take about ten minutes. `total`: all cards. `waiting`: how many games are not reviewed yet; ask
    again for them.
    """

    cards: list[MistakeCard]
    answered: int
    due: int
    size: int
    total: int
    themes: list[MistakeTheme]
    waiting: int


class MistakeAnswer(Incoming):
    """The answer to a card on a day, and how many seconds it took. The first one on a day
    counts."""

    card: CardId
    day: Day
    played: ActionText
    seconds: Annotated[float, Field(ge=0, le=86_400)]


class AnswerMistakes(Incoming):
    """Answers, also of other days, which a device sends when it is online again."""

    answers: Annotated[list[MistakeAnswer], Field(max_length=MOST_ANSWERS)]


class AnsweredMistakes(Outgoing):
    """The day on which each answered card returns. Answers to unknown cards are left out."""

    due: dict[str, int]
