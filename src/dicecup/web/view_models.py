"""Models of a view: the JSON that `dicecup.table.views` makes. They describe the views and do not
make them.

Times are seconds since 1970, durations are seconds, and seats are numbered from 0 in seating order.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dicecup.table.pending import PendingKind
from dicecup.table.permissions import Reason
from dicecup.table.setup import ClockKind, DiceOf
from dicecup.table.talk import Phrase, Reaction


class Part(BaseModel):
    """Part of a view, without further members."""

    model_config = ConfigDict(extra="forbid")


class SeenSeat(Part):
    """A seat.

    `called`: the name of its player in the record from which the game goes on. `place` in the order
    of play and `side` (x, o, or the sheet) are null until the order of play is known.
    """

    seat: int
    name: str
    kind: Literal["person", "computer", "free"]
    level: str
    called: str
    place: int | None
    side: int | None
    away_since: float | None
    time_left: float | None
    wants_rematch: bool


class SeenDemand(Part):
    """What the table waits for.

    `seats` can act. The clock of the seat `clock` runs `since` a time until the `deadline`.
    """

    what: PendingKind
    seats: list[int]
    clock: int | None
    since: float | None
    deadline: float | None


class SeenTurn(Part):
    """The current turn. While dice are in the air, `dice` holds the kept ones."""

    number: int
    round: int
    seat: int
    writer: int | None
    throws: int
    throws_left: int
    dice: list[int]
    waiting: bool
    locked: list[int]
    defi: bool


class SeenSquare(Part):
    """A square of the board, its figure and the token on it."""

    square: str
    figure: str
    token: Literal["x", "o"] | None


class SeenThreat(Part):
    """A free square where the next token would score, or win."""

    square: str
    points: int
    wins: bool


class SeenBoard(Part):
    """The board of Yam Master.

    By side, `x` and `o`: supplies, points, the runs that score, and the threats. `winning`: the
    lines of five.
    """

    squares: list[SeenSquare]
    supplies: dict[str, int]
    points: dict[str, int]
    lines: dict[str, list[list[str]]]
    threats: dict[str, list[SeenThreat]]
    winning: list[list[str]]


class SeenReach(Part):
    """The next bonus of a column: the sum it needs, its points, and the points missing for it."""

    needed: int
    bonus: int
    missing: int


class SeenWet(Part):
    """The last result of a sheet that can still be corrected."""

    turn: int
    cell: str
    dice: list[int]
    throws: int


class SeenSheet(Part):
    """A sheet of Yamm. `columns` maps columns to rows to points; 0 is a struck cell, null an empty
    one. `next_row` maps a column to the only row that may be written in it now; null where any
    empty row may, and in a full column."""

    seats: list[int]
    columns: dict[str, dict[str, int | None]]
    upper: dict[str, int]
    bonus: dict[str, int | None]
    next_bonus: dict[str, SeenReach | None]
    column_totals: dict[str, int | None]
    next_row: dict[str, str | None]
    first_throw_yamms: int
    total: int
    wet: SeenWet | None


class SeenAction(Part):
    """A legal action as a text of docs/notation.md, and its effect (docs/protocol.md)."""

    action: str
    effect: dict[str, Any]


class SeenStart(Part):
    """How the first player is found: the face of the lot, or the rounds of the starting roll and
    the seat that throws next."""

    lot: int | None
    rounds: list[list[int]]
    seat: int | None


class SeenClock(Part):
    """The clock that the players agreed on."""

    kind: ClockKind
    seconds: int
    increment: int


class SeenDraw(Part):
    """An offered draw and the seats that agreed."""

    seat: int
    agreed: list[int]


class SeenVacancy(Part):
    """A seat that gave up while the game goes on, and the seats that agree to end the game
    instead."""

    seat: int
    agreed: list[int]


class SeenClaim(Part):
    """The seat that the table waits for, and the time from which the others may claim against it:
    because its person is offline, or takes too long for a turn at a table without a clock."""

    seat: int
    at: float
    reason: Reason


class SeenMatch(Part):
    """The number of the game in its match, and the standing of each side."""

    match: str
    game: int
    games: int
    standing: list[int]


class SeenSeed(Part):
    """The commitment of a seat and its revealed seed."""

    hash: str | None
    seed: str | None


class SeenFairness(Part):
    """The values that verify the dice (docs/fairness.md)."""

    commitment: str
    earlier: list[str]
    seats: list[SeenSeed]
    throws: int
    secret: str | None


class SeenDuplicate(Part):
    """The duplicate event whose dice fall at the table. `practice`: after its end."""

    event: str
    practice: bool


class SeenThrow(Part):
    """The last throw, on which people may react: the number of its event, its seat and its text."""

    number: int
    seat: int
    dice: str


class SeenLine(Part):
    """A line of talk: an event with the name of the person who was on the seat. Of `phrase`,
    `reaction` (with `throw`, `thrower` and `dice`), `text` and `allowed` it has those of its type.
    """

    number: int
    time: float
    name: str
    type: Literal["said", "reacted", "wrote", "texts-allowed"]
    seat: int
    phrase: Phrase | None = None
    reaction: Reaction | None = None
    throw: int | None = None
    thrower: int | None = None
    dice: str | None = None
    text: str | None = None
    allowed: bool | None = None


class SeenResult(Part):
    """How the game ended."""

    end: str
    result: str
    winners: list[int]


class Always(Part):
    """The part of a view that every update has.

    `you`: the seats of the viewer. `rated`: whether the game changes the ratings of its people.
    `owner`: a seat of the table's owner. `links`: how often the links were replaced. `admits`:
    whether the links let newcomers in. `portable`: whether the viewer can go on with this game on a
    device while no server answers, and hand it back later. `throw` is null at a table of one
    person. `texts`: the seats that allow texts.
    """

    table: str
    number: int
    now: float
    game: str
    dice_of: DiceOf
    you: list[int]
    seats: list[SeenSeat]
    order: list[int]
    demand: SeenDemand
    turn: SeenTurn | None
    position: str
    actions: list[SeenAction]
    may: list[str] = Field(description="The types of the commands that these seats may send now")
    portable: bool
    starting: SeenStart | None
    clock: SeenClock | None
    rated: bool
    draw: SeenDraw | None
    owner: int | None
    links: int
    admits: bool
    vacancy: SeenVacancy | None
    claim: SeenClaim | None
    match: SeenMatch | None
    fairness: SeenFairness | None
    duplicate: SeenDuplicate | None
    result: SeenResult | None
    next: str | None
    running: list[str]
    throw: SeenThrow | None
    texts: list[int]


class View(Always):
    """A table as the viewer may see it: `board` in Yam Master, `sheets` in Yamm."""

    board: SeenBoard | None = None
    sheets: list[SeenSheet] | None = None
    corrections: list[SeenAction]
    history: list[str]
    talk: list[SeenLine]


class Change(Always):
    """A view after an update. Missing members have not changed."""

    board: SeenBoard | None = None
    sheets: list[SeenSheet] | None = None
    corrections: list[SeenAction] | None = None
    history: list[str] | None = None
    talk: list[SeenLine] | None = None
