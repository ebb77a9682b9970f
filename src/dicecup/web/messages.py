"""The messages of the protocol. `dicecup.web.schemas` makes OpenAPI, JSON Schema and AsyncAPI from them.

Incoming messages are validated strictly: no value is coerced and no unknown member accepted. Commands and setups are the values of
`dicecup.table`.
"""

from dataclasses import fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from dicecup.hosting.table_host import LONGEST_COMMAND_ID
from dicecup.locale import LANGUAGES
from dicecup.table.commands import Command
from dicecup.table.events import EVENTS
from dicecup.table.setup import DiceOf, Setup
from dicecup.web.view_models import Change, SeenAction, SeenBoard, SeenSheet, SeenTurn, View

PROTOCOL: Final = 2
"""Version of the protocol. It grows when a message changes so that an older client would misread it."""


class Incoming(BaseModel):
    """Message from a client."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Outgoing(BaseModel):
    """Message from the server. Clients ignore members that they do not know."""


# --- The WebSocket -----------------------------------------------------------------------------------------------------------

CommandId: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_COMMAND_ID)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=2**31)]
Key: TypeAlias = Annotated[str, Field(max_length=64)]
Language: TypeAlias = Literal[LANGUAGES]  # type: ignore[valid-type]  # one for each catalogue
AnyCommand: TypeAlias = Annotated[Command, Field(discriminator="type")]


class Hello(Incoming):
    """The first message.

    `since`: the number of the last event that the client has; the first update then has the later events. `key`: the key of a
    link, for people without a seat. `language` of the sentences in refusals, by default that of the handshake's `Accept-Language`,
    which pages cannot set.
    """

    type: Literal["hello"]
    since: Number | None = None
    key: Key | None = None
    language: Language | None = None


class Do(Incoming):
    """A command.

    `id` is chosen by the client. A command with a known `id` is answered again, not handled again. `version` is the number of the
    view that the client saw.
    """

    type: Literal["command"]
    id: CommandId
    version: Number
    command: AnyCommand


class Ping(Incoming):
    """A request for a pong, for clients that cannot send the ping of the WebSocket protocol."""

    type: Literal["ping"]


FromClient: TypeAlias = Annotated[Hello | Do | Ping, Field(discriminator="type")]
FROM_CLIENT: Final[TypeAdapter[Hello | Do | Ping]] = TypeAdapter(FromClient)


class Refusal(Outgoing):
    """Reason for which a request or a command was refused. Nothing has changed.

    `code` is stable, `message` a sentence for people, and `details` hold the offending input. `number` is the newest event of the
    table if the command was meant for an earlier one.
    """

    code: str
    message: str
    details: dict[str, Any] = {}
    number: int | None = None


class Done(Outgoing):
    """A command was handled. `number` is the number of its last event."""

    type: Literal["done"]
    id: str
    number: int


class Refused(Outgoing):
    """A command was refused, or a message that cannot be read; then `id` is null. Nothing has changed."""

    type: Literal["refused"]
    id: str | None
    error: Refusal


class Pong(Outgoing):
    """The answer to a ping."""

    type: Literal["pong"]


def _public_event(kind: type) -> type[BaseModel]:
    """Return the model of an event as everyone at the table may see it: with number and time, without identity."""
    hints = get_type_hints(kind)
    shown: dict[str, Any] = {"number": (int, ...), "time": (float, ...)}
    shown |= {field.name: (hints[field.name], ...) for field in fields(kind) if field.name != "identity"}
    return cast("type[BaseModel]", create_model(f"{kind.__name__}Event", __base__=Outgoing, __doc__=kind.__doc__, **shown))


EVENT_MODELS: Final = tuple(_public_event(kind) for kind in EVENTS.values())
"""One model for each type of event."""
AnyEvent: TypeAlias = Annotated[reduce(or_, EVENT_MODELS), Field(discriminator="type")]  # type: ignore[valid-type]


class Update(Outgoing):
    """A change of the table.

    `events`: the events since the last update; in the first update those after `since`. There are none if only presence has
    changed, or if the client asked for no gap. The first `view` of a connection is whole. Later ones may leave out `board` or
    `sheets`, `corrections` and `history` if they have not changed. With `trouble` the server cannot serve the table now, and `view`
    is null.
    """

    type: Literal["update"]
    number: int
    events: list[AnyEvent]
    view: Change | None
    trouble: str = Field(default="", description="The code of the reason, or empty")


FromServer: TypeAlias = Annotated[Update | Done | Refused | Pong, Field(discriminator="type")]

# --- HTTP --------------------------------------------------------------------------------------------------------------------


class Problem(Outgoing):
    """The answer to a refused request."""

    error: Refusal


class NamedSeat(Incoming):
    """A seat that the creator of a table takes, and the name on it."""

    seat: int
    name: str


class NewTable(Incoming):
    """A new table. Its creator sits down as `name` on the first open seat, or on all of `seats`."""

    setup: Setup
    name: str = ""
    seats: Annotated[list[NamedSeat], Field(max_length=16)] = []


class Links(Outgoing):
    """The links to join and to watch a table, their keys, and where the links work."""

    table: str
    join: str
    watch: str
    join_key: str
    watch_key: str
    reach: Literal["everywhere", "local-network", "this-device"]


class ToWatch(Outgoing):
    """The link to watch a table, and its key."""

    table: str
    watch: str
    watch_key: str


class Look(Outgoing):
    """The view of a table and the number of its last event."""

    number: int
    view: View


class Send(Incoming):
    """A command over HTTP, with the members of a command over the WebSocket."""

    id: CommandId
    version: Number
    command: AnyCommand


class Sent(Outgoing):
    """The number of the last event that the command made."""

    number: int


class Summary(Outgoing):
    """A table in the list of your tables. `you`: your seats; `created`: seconds since 1970."""

    table: str
    game: str
    state: Literal["open", "running", "over"]
    created: float
    outcome: Literal["won", "drawn", "lost"] | None
    you: list[int]
    summary: dict[str, Any]


class Tables(Outgoing):
    """Your tables, the newest first."""

    tables: list[Summary]


class Outcome(Outgoing):
    """The number of your finished games with one outcome."""

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
    """How often a face came, and the 95 % interval of its share from `low` to `high`."""

    face: int
    count: int
    share: float | None
    low: float
    high: float
    expect: float


class DiceStatistics(Outgoing):
    """Dice that were thrown in finished games, against fair dice."""

    games: int
    total: int
    faces: list[DiceShare]
    chi_square: float
    p_value: float


class OwnColumn(Outgoing):
    """A column of a sheet: its total and its bonus, null if they were never reached."""

    total: int | None
    bonus: int | None


class OwnPlayer(Outgoing):
    """A player of a finished game.

    `faces`: how often the dice that the player threw showed 1, 2, … 6. `loss` of `decisions` that were not forced, `luck`, the
    `result` and the result `adjusted` for luck are in the unit of the game.
    """

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
    """A finished game of yours with its players in the order of play.

    `unit` is points or the chance to win, and null for a game that cannot be reviewed.
    """

    table: str
    game: str
    created: float
    outcome: Literal["won", "drawn", "lost"] | None
    dice: DiceOf
    unit: Literal["points", "chance"] | None
    players: list[OwnPlayer]


class OwnStatistics(Outgoing):
    """Your finished games, the newest first.

    `dice`: your own throws with the server's dice and with real dice. `waiting`: how many games are not reviewed yet; ask again for
    them.
    """

    games: list[OwnGame]
    dice: dict[DiceOf, DiceStatistics]
    waiting: int


class Token(Outgoing):
    """A new bearer token for a program. It is not shown again."""

    token: str
    id: str


class TokenIds(Outgoing):
    """The ids of your tokens."""

    tokens: list[str]


class Transfer(Outgoing):
    """A link that gives another device your identity, once, until `expires` (seconds since 1970)."""

    link: str
    secret: str
    expires: float
    reach: Literal["everywhere", "local-network", "this-device"]


class Redeem(Incoming):
    """The secret of a transfer link."""

    secret: Annotated[str, Field(max_length=128)]


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
    """A position to analyse. With `alone` each sheet of Yamm is played by itself, for points, as in a review."""

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
    """A request for a decision to practise on. The same seed, number and difficulty give the same decision."""

    game: GameId
    seed: Annotated[str, Field(max_length=64)]
    number: Number
    difficulty: Difficulty = 1


class Question(Outgoing):
    """A decision to practise on, with the actions that are worth a look, in the order of the actions."""

    shown: Shown
    difficulty: int
    choices: list[str]


class GivenAnswer(Incoming):
    """The answer to an earlier question."""

    difficulty: Difficulty
    right: bool


class AskVerdict(Incoming):
    """The action that a person chooses. `before`: the answer to the question before this one."""

    game: GameId
    position: PositionText
    difficulty: Difficulty
    played: ActionText
    before: GivenAnswer | None = None


class Verdict(Outgoing):
    """The loss of a choice, the best action, the difficulty of the next question, and the analysis of all actions.

    docs/analysis.md describes the analysis.
    """

    right: bool
    loss: float
    best: str
    next_difficulty: int
    analysis: dict[str, Any]


class AskReview(Incoming):
    """The record of a finished game."""

    record: Annotated[str, Field(max_length=60_000)]


class Health(Outgoing):
    """`ok`, or the code of the reason for which tables cannot be served."""

    status: str
