"""What a seat may know of its table, as models: the shape of `service.views.view`. They describe; the views are made elsewhere.

Times are seconds since 1970, lengths are seconds, seats count from 0 in seating order.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dicecup.table.pending import PendingKind
from dicecup.table.setup import ClockKind, DiceOf


class Part(BaseModel):
    """Nothing is left over."""

    model_config = ConfigDict(extra="forbid")


class SeenSeat(Part):
    """A seat. `called`: the name that a record to go on with has for it. `place` in the order of play and `side` (x, o, or the sheet) once that is settled."""

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
    """What the table waits for, who can do it, whose clock runs, and until when it waits."""

    what: PendingKind
    seats: list[int]
    clock: int | None
    since: float | None
    deadline: float | None


class SeenTurn(Part):
    """The turn that runs. `dice`: as they lie, those that are kept while the others are in the air."""

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
    """A square of the board with its figure and the token on it."""

    square: str
    figure: str
    token: Literal["x", "o"] | None


class SeenThreat(Part):
    """A free square where the next token would score, or win."""

    square: str
    points: int
    wins: bool


class SeenBoard(Part):
    """Yam Master. By side, `x` and `o`: supplies, points, the runs that score, and the threats; `winning`: the lines of five, once
    there is one."""

    squares: list[SeenSquare]
    supplies: dict[str, int]
    points: dict[str, int]
    lines: dict[str, list[list[str]]]
    threats: dict[str, list[SeenThreat]]
    winning: list[list[str]]


class SeenReach(Part):
    """The next bonus of a column: the sum that it needs, what it brings, what is missing."""

    needed: int
    bonus: int
    missing: int


class SeenWet(Part):
    """The last result of a sheet, which can still be moved."""

    turn: int
    cell: str
    dice: list[int]
    throws: int


class SeenSheet(Part):
    """A sheet of Yamm: `columns` → rows → points, 0 where it is struck."""

    seats: list[int]
    columns: dict[str, dict[str, int | None]]
    upper: dict[str, int]
    bonus: dict[str, int | None]
    next_bonus: dict[str, SeenReach | None]
    column_totals: dict[str, int | None]
    first_throw_yamms: int
    total: int
    wet: SeenWet | None


class SeenAction(Part):
    """What may be done now, as the text of NOTATION, and what it would do (docs/protocol.md)."""

    action: str
    effect: dict[str, Any]


class SeenStart(Part):
    """Who begins: the face of the lot, or the rounds of the starting roll with the seat that throws next."""

    lot: int | None
    rounds: list[list[int]]
    seat: int | None


class SeenClock(Part):
    """The time that was agreed on."""

    kind: ClockKind
    seconds: int
    increment: int


class SeenDraw(Part):
    """A draw that a seat offers, and who agreed."""

    seat: int
    agreed: list[int]


class SeenVacancy(Part):
    """A seat that gave up while the game goes on, and the seats that agree to end the game instead."""

    seat: int
    agreed: list[int]


class SeenClaim(Part):
    """The seat that is missed, and from when on the others may claim."""

    seat: int
    at: float


class SeenMatch(Part):
    """Which game of the match, and what each side has of it so far."""

    match: str
    game: int
    games: int
    standing: list[int]


class SeenSeed(Part):
    """What a seat has committed to, and what it revealed."""

    hash: str | None
    seed: str | None


class SeenFairness(Part):
    """What is needed to check the dice (docs/fairness.md)."""

    commitment: str
    earlier: list[str]
    seats: list[SeenSeed]
    throws: int
    secret: str | None


class SeenResult(Part):
    """How the game ended."""

    end: str
    result: str
    winners: list[int]


class Always(Part):
    """What of a table every update says; `you`: the seats of whoever sees it."""

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
    starting: SeenStart | None
    clock: SeenClock | None
    draw: SeenDraw | None
    vacancy: SeenVacancy | None
    claim: SeenClaim | None
    match: SeenMatch | None
    fairness: SeenFairness | None
    result: SeenResult | None
    next: str | None
    running: list[str]


class View(Always):
    """A table as somebody may see it: `board` in Yam Master, `sheets` in Yamm."""

    board: SeenBoard | None = None
    sheets: list[SeenSheet] | None = None
    corrections: list[SeenAction]
    history: list[str]


class Change(Always):
    """The same after an update: what is not there is as it was."""

    board: SeenBoard | None = None
    sheets: list[SeenSheet] | None = None
    corrections: list[SeenAction] | None = None
    history: list[str] | None = None
