"""Requests and answers over HTTP about duplicate events, whose entrants all have the same dice."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from dicecup.table.setup import Clock
from dicecup.web.lobby.messages import LONGEST_GAME
from dicecup.web.messages import Incoming, Key, Outgoing

EventId: TypeAlias = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]{0,47}$")]


class NewEvent(Incoming):
    """A pair of duels or a table of four, and your name in it. `game`: a game of two players.
    `rated`: its games together change the ratings of its people."""

    kind: Literal["pair", "four"]
    game: str = Field(max_length=LONGEST_GAME)
    clock: Clock | None = None
    rated: bool = False
    name: str


class AskEntry(Incoming):
    """Your entry to an event. `key`: that of the link to a pair or a table of four. A person with
    an account enters under its handle."""

    name: str
    key: Key | None = None


class EventEntered(Outgoing):
    """Where you sit. `table` is null in a pair or at a table of four until all have come."""

    table: str | None


class OwnEntry(Outgoing):
    """Your entry. `number` counts all entries in the order of the ranking, from 1, and `rank` is
    the same for equal results; both are null before the end of the event, and `rank` for an entry
    that does not count. `finished`: whether your game was played to its end."""

    table: str | None
    place: int
    counts: bool
    number: int | None
    rank: int | None
    finished: bool | None
    result: str | None


class DuplicateEvent(Outgoing):
    """A duplicate event. `kind` is the series of a daily challenge of the `day`, or `pair` or
    `four`.

    People enter between `opens` and `closes` (seconds since 1970). `secret` is null until the last
    game is over (`over`); its SHA-256 is the `commitment`. `rated`: a pair or a four changes the
    ratings of its people. `analysed`: the line of `master` and the
    costliest decision are known. `missed`: no server ran on that day.
    """

    event: str
    kind: Literal["yamm", "short", "duel", "pair", "four"]
    day: str | None
    game: str
    start: str
    rated: bool
    turn_seconds: int | None
    commitment: str
    secret: str | None
    opens: float
    closes: float
    over: bool
    analysed: bool
    missed: bool
    entrants: int
    mine: OwnEntry | None


class RankedEntry(Outgoing):
    """An entry in the ranking; see `OwnEntry`."""

    number: int
    rank: int | None
    name: str
    result: str
    finished: bool
    mine: bool


class CostlyDecision(Outgoing):
    """The decision at which all entrants together lost most: after throw number `throw` of their
    turn number `turn`.

    `people` of `entrants` lost `loss` in sum, in the unit of the game's reviews. Most of them had
    `dice` and did `played`, where `best` was best.
    """

    turn: int
    throw: int
    dice: str
    people: int
    entrants: int
    loss: float
    played: str
    best: str


class SideSum(Outgoing):
    """What a side of a pair or of a table of four has in both games. A drawn game is half a
    win."""

    names: list[str]
    wins: float
    points: int
    mine: bool


class EventPage(Outgoing):
    """An event with its results, which are empty before its end.

    `line` is the result of `master` with the same dice. `key` is that of the link to invite others,
    for people who have entered a pair or a table of four; `tables` are the tables at which you
    sit, in their order.
    """

    event: DuplicateEvent
    ranking: list[RankedEntry]
    line: str | None
    costly: CostlyDecision | None
    people: list[str]
    tables: list[str]
    sums: list[SideSum]
    key: str | None
    link: str | None


class EventsToday(Outgoing):
    """The challenges of today, and how many days in a row you have played one."""

    day: str
    events: list[DuplicateEvent]
    streak: int


class EventDay(Outgoing):
    """A day with its challenges."""

    day: str
    events: list[DuplicateEvent]


class EventCalendar(Outgoing):
    """Days with challenges. `streak` counts the days in a row on which you played one to its end,
    until today or yesterday, and `longest` the most such days ever."""

    days: list[EventDay]
    streak: int
    longest: int


class OwnEvents(Outgoing):
    """The pairs and tables of four that you entered, the newest first."""

    events: list[DuplicateEvent]


class EventGame(Outgoing):
    """A game of an event that is over: the name of the entrant, and the record."""

    name: str
    record: str
