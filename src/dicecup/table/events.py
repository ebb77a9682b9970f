"""What has happened at a table, as values with one JSON form each. The list of them is the table; all else derives from it.

Seats count from 0 in seating order and keep their numbers, whoever starts.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from pydantic import ConfigDict

from dicecup.table import codec as wire
from dicecup.table.commands import Remedy
from dicecup.table.errors import TableCode
from dicecup.table.setup import Setup


@dataclass(frozen=True, slots=True)
class Created:
    """The table with its id. `commitment`: SHA-256 of the secret of its dice; empty where real dice are thrown."""

    table: str
    setup: Setup
    commitment: str
    type: Literal["created"] = "created"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody sat down. The identity is for this server alone."""

    seat: int
    name: str
    identity: str
    type: Literal["seated"] = "seated"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class StoodUp:
    """A seat is free again."""

    seat: int
    type: Literal["stood-up"] = "stood-up"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class LevelSeated:
    """The computer sits here now: on a seat that was free, or in place of somebody who left."""

    seat: int
    level: str
    name: str
    type: Literal["level-seated"] = "level-seated"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeedCommitted:
    """A seat's promise: SHA-256 of its seed."""

    seat: int
    hash: str
    type: Literal["seed-committed"] = "seed-committed"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A seat's seed; empty where it was not committed or revealed in time."""

    seat: int
    seed: str
    type: Literal["seed-revealed"] = "seed-revealed"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Started:
    """All seats are taken, all seeds are known: the game begins."""

    type: Literal["started"] = "started"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class LotCast:
    """Yam Master: an odd face, and the first seat is x; an even one, and the second is. `seat`: who typed it, real dice
    only."""

    face: int
    seat: int | None = None
    type: Literal["lot-cast"] = "lot-cast"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DieThrown:
    """A die of Yamm's starting roll: number `counter` of the server's throws, or typed by `seat`."""

    face: int
    counter: int | None = None
    seat: int | None = None
    type: Literal["die-thrown"] = "die-thrown"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Thrown:
    """How all five dice lie, `11346` or `22|346`, or `~`; number `counter` of the server's throws, or typed by `seat`."""

    dice: str
    counter: int | None = None
    seat: int | None = None
    type: Literal["thrown"] = "thrown"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted, or moved a result."""

    seat: int
    action: str
    type: Literal["acted"] = "acted"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What this seat typed last, `text`, and what a computer did upon it, no longer counts."""

    seat: int
    text: str
    type: Literal["taken-back"] = "taken-back"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A seat offers all others a draw."""

    seat: int
    type: Literal["draw-offered"] = "draw-offered"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DrawAnswered:
    """A seat agrees, or it does not and the offer is off."""

    seat: int
    accept: bool
    type: Literal["draw-answered"] = "draw-answered"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gives the game up."""

    seat: int
    type: Literal["resigned"] = "resigned"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EndAgreed:
    """A seat agrees to end the game after another seat gave up."""

    seat: int
    type: Literal["end-agreed"] = "end-agreed"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claims the win, a draw, or a computer, since the seat `against` has left."""

    seat: int
    what: Remedy
    against: int
    type: Literal["claimed"] = "claimed"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TimeUp:
    """A seat's clock has run out."""

    seat: int
    type: Literal["time-up"] = "time-up"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class ClockHeld:
    """Nobody could reach the server for so many of the seconds that have passed: the clock that runs does not count them."""

    seconds: float
    type: Literal["clock-held"] = "clock-held"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: `end` and `result` as a record's tags say them; `winners`: the seats that win, several where they share
    it or are a pair, none for a draw."""

    end: str
    result: str
    winners: tuple[int, ...]
    type: Literal["ended"] = "ended"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SecretPublished:
    """The secret of the dice, in hex: everybody can check them now."""

    secret: str
    type: Literal["secret-published"] = "secret-published"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommitmentEnded:
    """The table came to a server that does not know the secret: what was thrown under it can no longer be checked here."""

    commitment: str
    type: Literal["commitment-ended"] = "commitment-ended"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommitmentBegun:
    """The dice follow from another secret from now on."""

    commitment: str
    type: Literal["commitment-begun"] = "commitment-begun"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """A seat would play again."""

    seat: int
    type: Literal["rematch-asked"] = "rematch-asked"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class NextTable:
    """The next game, a rematch or one of the match, is played at that table."""

    table: str
    type: Literal["next-table"] = "next-table"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


Event: TypeAlias = (
    Created
    | Seated
    | StoodUp
    | LevelSeated
    | SeedCommitted
    | SeedRevealed
    | Started
    | LotCast
    | DieThrown
    | Thrown
    | Acted
    | TakenBack
    | DrawOffered
    | DrawAnswered
    | Resigned
    | EndAgreed
    | Claimed
    | TimeUp
    | ClockHeld
    | Ended
    | SecretPublished
    | CommitmentEnded
    | CommitmentBegun
    | RematchAsked
    | NextTable
)

EVENTS: Final[dict[str, type[Event]]] = {
    "created": Created,
    "seated": Seated,
    "stood-up": StoodUp,
    "level-seated": LevelSeated,
    "seed-committed": SeedCommitted,
    "seed-revealed": SeedRevealed,
    "started": Started,
    "lot-cast": LotCast,
    "die-thrown": DieThrown,
    "thrown": Thrown,
    "acted": Acted,
    "taken-back": TakenBack,
    "draw-offered": DrawOffered,
    "draw-answered": DrawAnswered,
    "resigned": Resigned,
    "end-agreed": EndAgreed,
    "claimed": Claimed,
    "time-up": TimeUp,
    "clock-held": ClockHeld,
    "ended": Ended,
    "secret-published": SecretPublished,
    "commitment-ended": CommitmentEnded,
    "commitment-begun": CommitmentBegun,
    "rematch-asked": RematchAsked,
    "next-table": NextTable,
}
"""`type` → event."""


class Stored(NamedTuple):
    """An event with its number within its table, from 1, and when it happened: seconds since 1970, UTC."""

    number: int
    time: float
    event: Event


def event_to_text(event: Event) -> str:
    """The event as it is stored, identities included; `event_from_json` reads it back, once it is read as JSON."""
    return wire.to_text(event)


def event_from_json(data: object) -> Event:
    """The event of this JSON. Raises `TableError` (`not-an-event`)."""
    return wire.one_of(EVENTS, data, TableCode.NOT_AN_EVENT)


def public(event: Event) -> dict[str, Any]:
    """The event as everybody at the table may see it: without the identity behind a seat."""
    data = wire.to_json(event)
    data.pop("identity", None)
    return data
