"""Every message of the network, written once: OpenAPI, the JSON Schema and the AsyncAPI file are made of these (`dicecup.web.schemas`).

What comes in is taken strictly: nothing is coerced, nothing is left over. Commands and setups are the values of the service.
"""

from dataclasses import fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from dicecup.hosting.hub import LONGEST_ID
from dicecup.table.commands import Command
from dicecup.table.events import EVENTS
from dicecup.table.setup import DiceOf, Setup
from dicecup.web.view_models import Change, SeenAction, SeenBoard, SeenSheet, SeenTurn, View

PROTOCOL: Final = 2
"""Raised when a message changes so that an older client would misread it."""


class Incoming(BaseModel):
    """Something that a client sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Outgoing(BaseModel):
    """Something that the server sends. Clients ignore what they do not know."""


# --- The WebSocket -----------------------------------------------------------------------------------------------------------

CommandId: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=2**31)]
Key: TypeAlias = Annotated[str, Field(max_length=64)]
AnyCommand: TypeAlias = Annotated[Command, Field(discriminator="type")]


class Hello(Incoming):
    """The first message. `since`: the number of the last event that the client has, for exactly the gap; without it the whole state.
    `key`: the secret of a link, for those who do not sit at the table. `language`: of the sentences in refusals, where it is another
    than the handshake's `Accept-Language`, which pages cannot set."""

    type: Literal["hello"]
    since: Number | None = None
    key: Key | None = None
    language: Literal["de", "en", "fr"] | None = None


class Do(Incoming):
    """A command. `id`: the client's own, so that the command is done once however often it is sent; `version`: the number of the
    table that the client saw."""

    type: Literal["command"]
    id: CommandId
    version: Number
    command: AnyCommand


class Ping(Incoming):
    """Answered with a pong: for clients that cannot send the WebSocket's own."""

    type: Literal["ping"]


FromClient: TypeAlias = Annotated[Hello | Do | Ping, Field(discriminator="type")]
FROM_CLIENT: Final[TypeAdapter[Hello | Do | Ping]] = TypeAdapter(FromClient)


class Refusal(Outgoing):
    """Why something was not done. `code` is stable, `message` is for people, `details` name the offending input; `number`: that of the
    table now, where the command was meant for an earlier one."""

    code: str
    message: str
    details: dict[str, Any] = {}
    number: int | None = None


class Done(Outgoing):
    """A command was done; `number` is that of the last event it made."""

    type: Literal["done"]
    id: str
    number: int


class Refused(Outgoing):
    """A command, or a message that is none (then without `id`), was refused. Nothing has changed."""

    type: Literal["refused"]
    id: str | None
    error: Refusal


class Pong(Outgoing):
    """The answer to a ping."""

    type: Literal["pong"]


def _public_event(kind: type) -> type[BaseModel]:
    """The event as everybody at the table may see it: with number and time, without the identity behind a seat."""
    hints = get_type_hints(kind)
    shown: dict[str, Any] = {"number": (int, ...), "time": (float, ...)}
    shown |= {field.name: (hints[field.name], ...) for field in fields(kind) if field.name != "identity"}
    return cast("type[BaseModel]", create_model(f"{kind.__name__}Event", __base__=Outgoing, __doc__=kind.__doc__, **shown))


EVENT_MODELS: Final = tuple(_public_event(kind) for kind in EVENTS.values())
"""One model for each kind of event, told apart by `type`."""
AnyEvent: TypeAlias = Annotated[reduce(or_, EVENT_MODELS), Field(discriminator="type")]  # type: ignore[valid-type]


class Update(Outgoing):
    """How the table stands. `events`: those since the last update, with the first update the gap; none where only presence has
    changed or the client asked for the whole state. The first `view` of a connection is whole; in later ones `board` or `sheets`,
    `corrections` and `history` may be left out: they are as they were. `trouble`: for now nothing can be done or heard of, and `view`
    is null."""

    type: Literal["update"]
    number: int
    events: list[AnyEvent]
    view: Change | None
    trouble: str = Field(default="", description="A code, or empty")


FromServer: TypeAlias = Annotated[Update | Done | Refused | Pong, Field(discriminator="type")]

# --- HTTP --------------------------------------------------------------------------------------------------------------------


class Problem(Outgoing):
    """What every refused request is answered with."""

    error: Refusal


class NamedSeat(Incoming):
    """A seat that whoever makes the table takes, and the name there."""

    seat: int
    name: str


class NewTable(Incoming):
    """A new table. Whoever makes it sits down as `name` on the first open seat, or on all of `seats`."""

    setup: Setup
    name: str = ""
    seats: Annotated[list[NamedSeat], Field(max_length=16)] = []


class Links(Outgoing):
    """A table with the links to sit down and to watch, their secrets, and where they work."""

    table: str
    join: str
    watch: str
    join_key: str
    watch_key: str
    reach: Literal["everywhere", "local-network", "this-device"]


class ToWatch(Outgoing):
    """A table with the link to watch it, and its secret."""

    table: str
    watch: str
    watch_key: str


class Look(Outgoing):
    """How a table stands."""

    number: int
    view: View


class Send(Incoming):
    """A command by HTTP, as over the WebSocket."""

    id: CommandId
    version: Number
    command: AnyCommand


class Sent(Outgoing):
    """The number of the last event that the command made."""

    number: int


class Summary(Outgoing):
    """A table of yours at a glance."""

    table: str
    game: str
    state: Literal["open", "running", "over"]
    created: float
    outcome: Literal["won", "drawn", "lost"] | None
    summary: dict[str, Any]


class Tables(Outgoing):
    """Your tables, the newest first."""

    tables: list[Summary]


class Outcome(Outgoing):
    """How many of your games ended so."""

    game: str
    outcome: Literal["won", "drawn", "lost"]
    games: int


class Me(Outgoing):
    """Your statistics."""

    outcomes: list[Outcome]


class GameOption(Outgoing):
    """A rule option of a game. `values` and `default` are texts of the game id; `text_key` is the catalogue key of the option's
    name, `{text_key}_{value}` that of a value's name and `{text_key}_{value}_about` that of its explanation."""

    name: str
    values: list[str]
    default: str
    text_key: str


class PlayerLimits(Outgoing):
    """The least and the greatest number of players that the options of a game allow."""

    least: int
    most: int


class GameDescription(Outgoing):
    """A game that the server can host. `id` is the game id with the default options; `levels` are the levels of its computer
    players. `first_player` says how a table finds the first player, `scoring` what a match adds up."""

    id: str
    options: list[GameOption]
    levels: list[str]
    players: PlayerLimits
    first_player: Literal["lot", "starting-roll"]
    scoring: Literal["wins", "totals"]


class Games(Outgoing):
    """Every registered game."""

    games: list[GameDescription]


class DiceShare(Outgoing):
    """How often a face came; the 95 % band of its share."""

    face: int
    count: int
    share: float | None
    low: float
    high: float
    expect: float


class DiceStatistics(Outgoing):
    """The dice that were thrown in games that are over, against fair ones."""

    games: int
    total: int
    faces: list[DiceShare]
    chi_square: float
    p_value: float


class OwnColumn(Outgoing):
    """A column of a sheet that was played: its total and its bonus, null where they never came."""

    total: int | None
    bonus: int | None


class OwnPlayer(Outgoing):
    """A player of a finished game. `faces`: how often the dice they threw showed 1, 2, … 6; `loss` of `decisions` that were not
    forced, `luck`, and the `result` as it was and as it would have been without luck, in the game's unit."""

    name: str
    level: str
    mine: bool
    faces: list[int]
    result: float | None = None
    adjusted: float | None = None
    luck: float | None = None
    loss: float | None = None
    decisions: int | None = None
    columns: dict[str, OwnColumn] = {}
    first_throw_yamms: int = 0


class OwnGame(Outgoing):
    """A finished game of yours, its players in the order of play. `unit`: points, or chance to win; null where it cannot be reviewed."""

    table: str
    game: str
    created: float
    outcome: Literal["won", "drawn", "lost"] | None
    dice: DiceOf
    unit: Literal["points", "chance"] | None
    players: list[OwnPlayer]


class OwnStatistics(Outgoing):
    """Your finished games, the newest first, and how many are still being reviewed: ask again for those. `dice`: what you threw in them,
    the server's dice and real ones."""

    games: list[OwnGame]
    dice: dict[DiceOf, DiceStatistics]
    waiting: int


class Token(Outgoing):
    """A bearer token for a program: told this once."""

    token: str
    id: str


class TokenIds(Outgoing):
    """The tokens that stand for you, by their ids."""

    tokens: list[str]


class Transfer(Outgoing):
    """A link that joins another device to you, once, until when, and where it works."""

    link: str
    secret: str
    expires: float
    reach: Literal["everywhere", "local-network", "this-device"]


class Redeem(Incoming):
    """The secret of a transfer link."""

    secret: Annotated[str, Field(max_length=128)]


class AskOdds(Incoming):
    """A point of a turn: as for `dicecup odds`."""

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
    """A position to analyse: any, as text. `alone`: every sheet of Yamm counts for itself, in points, as in a review."""

    game: GameId
    position: PositionText
    alone: bool = False


class AskShow(Incoming):
    """A position to be drawn, or the one `after` an action in it."""

    game: GameId
    position: PositionText
    after: ActionText | None = None


class Shown(Outgoing):
    """What a table's view says of its position, of any: `board` in Yam Master, `sheets` in Yamm. Seats are those of the order of play."""

    game: str
    position: str
    turn: SeenTurn | None
    board: SeenBoard | None = None
    sheets: list[SeenSheet] | None = None
    actions: list[SeenAction]


class AskQuestion(Incoming):
    """A decision to practise on: always the same for the same seed, number and difficulty."""

    game: GameId
    seed: Annotated[str, Field(max_length=64)]
    number: Number
    difficulty: Difficulty = 1


class Question(Outgoing):
    """A decision, and some of what may be done in it: what is worth a look, in the order of the actions."""

    shown: Shown
    difficulty: int
    choices: list[str]


class GivenAnswer(Incoming):
    """How a question was answered before."""

    difficulty: Difficulty
    right: bool


class AskVerdict(Incoming):
    """What somebody would do. `before`: the answer to the question before this one."""

    game: GameId
    position: PositionText
    difficulty: Difficulty
    played: ActionText
    before: GivenAnswer | None = None


class Verdict(Outgoing):
    """What the choice loses, the best one, how hard the next question should be, and the analysis of everything that may be done
    (docs/analysis.md)."""

    right: bool
    loss: float
    best: str
    next_difficulty: int
    analysis: dict[str, Any]


class AskReview(Incoming):
    """The record of a game that is over."""

    record: Annotated[str, Field(max_length=60_000)]


class Health(Outgoing):
    """Whether tables can be served."""

    status: str


Found: TypeAlias = dict[str, Any]
