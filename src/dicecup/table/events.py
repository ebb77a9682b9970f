"""Events of a table, as values with one JSON form each.

The log of events is the table: its state follows from them.

Seats count from 0 in seating order and keep their numbers.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from dicecup.table import codec as wire
from dicecup.table.commands import Remedy
from dicecup.table.errors import TableCode
from dicecup.table.sections import BroughtOver, PlayedOnDevice
from dicecup.table.setup import Setup
from dicecup.table.talk import Reacted, Said, TalkEvent, TextsAllowed, Wrote


@dataclass(frozen=True, slots=True)
class Created:
    """The table was created.

    `commitment`: the SHA-256 of the secret of its dice, empty for real dice.
    """

    table: str
    setup: Setup
    commitment: str
    type: Literal["created"] = "created"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Seated:
    """A person took a seat. The identity is for this server alone."""

    seat: int
    name: str
    identity: str
    type: Literal["seated"] = "seated"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class StoodUp:
    """A person left a seat."""

    seat: int
    type: Literal["stood-up"] = "stood-up"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class LevelSeated:
    """A computer took a free seat, or the seat of a person who left."""

    seat: int
    level: str
    name: str
    type: Literal["level-seated"] = "level-seated"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """A seat was taken back from its person, by the owner of the table or the host. The links of
    the table changed.

    In a running game the seat is vacant until a person or a computer takes it.
    """

    seat: int
    type: Literal["seat-freed"] = "seat-freed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Renamed:
    """A seat got another name, because the account of its person was deleted."""

    seat: int
    name: str
    type: Literal["renamed"] = "renamed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class LinksRotated:
    """The table got new links. The old ones do not work any more."""

    type: Literal["links-rotated"] = "links-rotated"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AdmissionSet:
    """The table was closed to newcomers, or opened again (`admits`)."""

    admits: bool
    type: Literal["admission-set"] = "admission-set"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeedCommitted:
    """A seat committed to its seed with the seed's SHA-256."""

    seat: int
    hash: str
    type: Literal["seed-committed"] = "seed-committed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A seat revealed its seed.

    The seed is empty if it was not committed to or not revealed in time.
    """

    seat: int
    seed: str
    type: Literal["seed-revealed"] = "seed-revealed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Started:
    """The game began: all seats are taken and all seeds are known."""

    type: Literal["started"] = "started"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class LotCast:
    """The lot of Yam Master: the first seat is x on an odd face, the second on an even one.

    `seat`: the seat that entered a real die.
    """

    face: int
    seat: int | None = None
    type: Literal["lot-cast"] = "lot-cast"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DieThrown:
    """A die of the starting roll.

    It is number `counter` of the server's throws, or a real die that `seat` entered.
    """

    face: int
    counter: int | None = None
    seat: int | None = None
    type: Literal["die-thrown"] = "die-thrown"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw with all five dice: `11346`, `22|346` or `~`.

    It is number `counter` of the server's throws, or real dice that `seat` entered.
    """

    dice: str
    counter: int | None = None
    seat: int | None = None
    type: Literal["thrown"] = "thrown"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat did an action or a correction.

    A computer that is next waits `hold` seconds. Until its throw the action can be taken back.
    """

    seat: int
    action: str
    hold: float = 0.0
    type: Literal["acted"] = "acted"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last entry of this seat, `text`, was taken back, with all that computers did after it.

    The dice that lay before the entry lie there again. No dice are thrown anew.
    """

    seat: int
    text: str
    type: Literal["taken-back"] = "taken-back"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A seat offered a draw to all others."""

    seat: int
    type: Literal["draw-offered"] = "draw-offered"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DrawAnswered:
    """A seat accepted the draw offer, or declined it, which ends the offer."""

    seat: int
    accept: bool
    type: Literal["draw-answered"] = "draw-answered"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave the game up."""

    seat: int
    type: Literal["resigned"] = "resigned"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EndAgreed:
    """A seat agreed to end the game after another seat gave up."""

    seat: int
    type: Literal["end-agreed"] = "end-agreed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claimed a win, a draw or a computer because the person on the seat `against` has left
    or was too slow."""

    seat: int
    what: Remedy
    against: int
    type: Literal["claimed"] = "claimed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TimeUp:
    """A seat's clock ran out."""

    seat: int
    type: Literal["time-up"] = "time-up"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class ClockHeld:
    """The running turn got seconds back in which nobody could reach the server: on its clock, or
    without a clock before the others may claim."""

    seconds: float
    type: Literal["clock-held"] = "clock-held"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended. `end` and `result` are the record tags End and Result.

    `winners` are the seats that win: several if they share the win or are a pair, none for a draw.
    """

    end: str
    result: str
    winners: tuple[int, ...]
    type: Literal["ended"] = "ended"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SecretPublished:
    """The secret of the dice was published, in hex. Everybody can check the dice now.

    `earlier` holds the secrets of the ended commitments in their order, and an empty text for each
    that this server does not know.
    """

    secret: str
    earlier: tuple[str, ...] = ()
    type: Literal["secret-published"] = "secret-published"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommitmentEnded:
    """No more dice follow from the secret of this commitment.

    The table came to a server that does not know the secret, or its log was restored from a backup.
    """

    commitment: str
    type: Literal["commitment-ended"] = "commitment-ended"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommitmentBegun:
    """The dice follow from another secret from here on.

    `salt`: with the host key and the id of the table it determines the secret, see
    `fairness.secret_of`.
    """

    commitment: str
    salt: str = ""
    type: Literal["commitment-begun"] = "commitment-begun"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """A seat asked for a rematch."""

    seat: int
    type: Literal["rematch-asked"] = "rematch-asked"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class NextTable:
    """The next game of the match, or the rematch, is played at this table."""

    table: str
    type: Literal["next-table"] = "next-table"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


Event: TypeAlias = (
    Created
    | Seated
    | StoodUp
    | LevelSeated
    | SeatFreed
    | Renamed
    | LinksRotated
    | AdmissionSet
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
    | PlayedOnDevice
    | BroughtOver
    | TalkEvent
)

EVENTS: Final[dict[str, type[Event]]] = {
    "created": Created,
    "seated": Seated,
    "stood-up": StoodUp,
    "level-seated": LevelSeated,
    "seat-freed": SeatFreed,
    "renamed": Renamed,
    "links-rotated": LinksRotated,
    "admission-set": AdmissionSet,
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
    "played-on-device": PlayedOnDevice,
    "brought-over": BroughtOver,
    "said": Said,
    "reacted": Reacted,
    "wrote": Wrote,
    "texts-allowed": TextsAllowed,
}
"""`type` → event."""


class Stored(NamedTuple):
    """An event with its number at its table, from 1, and its time in seconds since 1970."""

    number: int
    time: float
    event: Event


def event_to_text(event: Event) -> str:
    """Return the event as the JSON text that is stored, identities included.

    `event_from_json` reads the parsed text back.
    """
    return wire.to_text(event)


def event_from_json(data: object) -> Event:
    """Return the event of this JSON. Raises `TableError` (`not-an-event`)."""
    return wire.one_of(EVENTS, data, TableCode.NOT_AN_EVENT)


def public(event: Event) -> dict[str, Any]:
    """Return the event as JSON for clients, without the identity of a person."""
    data = wire.to_json(event)
    data.pop("identity", None)
    return data
