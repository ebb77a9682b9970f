"""Requests and answers over HTTP: tables, games, people and their statistics."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from dicecup.hosting.device_games import LONGEST_RECORD
from dicecup.table.handover import LONGEST_SECTION
from dicecup.table.setup import DiceOf, Setup
from dicecup.table.starts import LONGEST_START
from dicecup.web.messages import AnyCommand, CommandId, Incoming, Number, Outgoing, Refusal
from dicecup.web.view_models import View

MOST_SECONDS: Final = 2.0**33
"""Seconds since 1970 that a time may have at most."""


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
    seats: list[NamedSeat] = Field(default=[], max_length=16)


class AskStart(Incoming):
    """A record or a position from which a game could go on. `game` is the name of a game; a record
    names its own."""

    game: str
    start: str = Field(max_length=LONGEST_START)


class Startable(Outgoing):
    """The id of a game that can go on: the game of the record, or one in which the position is
    possible."""

    game: str


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
    """Your tables, the newest first. `fitting`: by name of a game the level of the computer against
    which you should win half of your games, for games of which enough is known."""

    tables: list[Summary]
    fitting: dict[str, str] = Field(default={})


class DeviceGame(Incoming):
    """A finished game that was played on a device without the server.

    `table`: the id of the table on the device, under which the game joins once. `created`: when it
    began, in seconds since 1970.
    """

    table: str = Field(pattern="^[0-9a-f]{20}$")
    record: str = Field(max_length=LONGEST_RECORD)
    created: float = Field(ge=0, le=MOST_SECONDS)


class Joined(Outgoing):
    """Whether the game is new; one that joined before stays as it is."""

    new: bool


class HandBack(Incoming):
    """What was played on a device without the server since event `since` of a table.

    `device`: the id of the table on the device. Its dice follow from `secret`, whose SHA-256 is
    `commitment`; both are empty for real dice. `steps`: the throws and actions in their order with
    commas between them, always from the first one on. `resigned`: you gave the game up after them.
    """

    device: str = Field(pattern="^[0-9a-f]{20}$")
    since: Number
    commitment: str = Field(pattern="^([0-9a-f]{64})?$")
    secret: str = Field(pattern="^([0-9a-f]{64})?$")
    steps: str = Field(max_length=LONGEST_SECTION)
    resigned: bool


class Outcome(Outgoing):
    """The number of your finished games with one outcome."""

    game: str
    outcome: Literal["won", "drawn", "lost"]
    games: int


class Me(Outgoing):
    """Your statistics."""

    outcomes: list[Outcome]


class GameOption(Outgoing):
    """A rule option of a game. `values` and `default` are texts of the game id; `text_key` is the
    catalogue key of the option's name, `{text_key}_{value}` that of a value's name and
    `{text_key}_{value}_about` that of its explanation. `players`: by value the numbers of players
    that can play with it, where the other options have their defaults."""

    name: str
    values: list[str]
    default: str
    text_key: str
    players: dict[str, list[int]]


class PlayerLimits(Outgoing):
    """The least and the greatest number of players that the options of a game allow."""

    least: int
    most: int


class GameDescription(Outgoing):
    """A game that the server can host. `id` is the game id with the default options; `levels` are
    the levels of its computer players. `first_player` says how a table finds the first player,
    `scoring` what a match adds up. Odds, hints, reviews and the trainer exist for games that are
    `analysed`. `guide` says whether the game has a guided first game. `preparing` are the levels
    that a new server still prepares: a game can begin, and the computer plays when it is ready."""

    id: str
    options: list[GameOption]
    levels: list[str]
    preparing: list[str]
    players: PlayerLimits
    first_player: Literal["lot", "starting-roll"]
    scoring: Literal["wins", "totals"]
    analysed: bool
    guide: bool


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

    `faces`: how often the dice that the player threw showed 1, 2, … 6. `loss` of `decisions` that
    were not forced, `luck`, the `result` and the result `adjusted` for luck are in the unit of the
    game.
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
    columns: dict[str, OwnColumn] = Field(default={})
    first_throw_yamms: int = 0


class OwnGame(Outgoing):
    """A finished game of yours with its players in the order of play. `on_device`: you played it,
    or a part of it, on a device without the server, and the dice `server` are those of the device.

    `unit` is points or the chance to win, and null for a game that cannot be reviewed.
    """

    table: str
    game: str
    created: float
    outcome: Literal["won", "drawn", "lost"] | None
    on_device: bool
    dice: DiceOf
    unit: Literal["points", "chance"] | None
    players: list[OwnPlayer]


class OwnStatistics(Outgoing):
    """Your finished games, the newest first.

    `dice`: your own throws with the server's dice and with real dice; what a device threw is left
    out. `waiting`: how many games are not reviewed yet; ask again for them.
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


class Device(Outgoing):
    """A browser that is signed in as you. `agent` names it, such as `Firefox, Android`. `created`
    and `seen` are in seconds since 1970, `seen` to the hour. The id `earlier` stands for all
    browsers that signed in before the server told them apart."""

    id: str
    agent: str
    created: float
    seen: float
    current: bool


class Devices(Outgoing):
    """The browsers that are signed in as you."""

    devices: list[Device]


class Transfer(Outgoing):
    """A link that gives another device your identity, once, until `expires` (seconds
    since 1970)."""

    link: str
    secret: str
    expires: float
    reach: Literal["everywhere", "local-network", "this-device"]


class Redeem(Incoming):
    """The secret of a transfer link."""

    secret: Annotated[str, Field(max_length=128)]


class Health(Outgoing):
    """`ok`, or the code of the reason for which tables cannot be served."""

    status: str
