"""Events of a tournament, as values with one JSON form each.

The log of events is the tournament: its state follows from them. Entrants and pairings are numbered
from 1 and keep their numbers. Games of a pairing are numbered from 1.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from dicecup.table import codec as wire
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.setup import TournamentSetup


class Result(StrEnum):
    """The result of a game or a pairing, for the entrant who has the first seat in the pairing."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    NEITHER = "neither"
    """Both lost: nobody came."""


class Cause(StrEnum):
    """How a result came about."""

    RULES = "rules"
    """By the rules of the game."""
    TIME = "time"
    RESIGNED = "resigned"
    AGREED = "agreed"
    LEFT = "left"
    """An entrant left the table, or nobody came to it."""
    ENTERED = "entered"
    """An entrant or an organiser entered it."""
    WITHDRAWN = "withdrawn"
    """An entrant had withdrawn."""
    DEADLINE = "deadline"
    """The deadline of the round passed without a result."""
    ORGANISER = "organiser"
    """An organiser decided."""
    LOT = "lot"
    """The lot, after too many drawn games of a knock-out."""


FORFEITS: Final = frozenset({Cause.WITHDRAWN, Cause.DEADLINE, Cause.ORGANISER})
"""Causes of a result without a game: neither tie-breaks nor balance of seats count it."""


class Why(StrEnum):
    """Why an entrant is not paired any more."""

    OWN = "own"
    ORGANISER = "organiser"
    ABSENT = "absent"
    """The entrant did not come to a table of an arena."""
    BANNED = "banned"
    """The person may not use the server any more."""


class How(StrEnum):
    """How a tournament ended."""

    ROUNDS = "rounds"
    TIME = "time"
    ORGANISER = "organiser"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Created:
    """The tournament was created. `seed`: the text from which lots follow. The identities of people
    are for this server alone."""

    tournament: str
    setup: TournamentSetup
    identity: str
    seed: str
    type: Literal["created"] = "created"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class OrganiserNamed:
    """A person with the account `handle` became an organiser."""

    handle: str
    identity: str
    type: Literal["organiser-named"] = "organiser-named"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class OrganiserLeft:
    """An organiser left, because the account was deleted."""

    identity: str
    type: Literal["organiser-left"] = "organiser-left"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Entered:
    """A person entered. `identity` is `None` for a person without a device, whom an organiser
    entered. `strength` orders the first round, the highest first; 0 if it is not known."""

    entrant: int
    name: str
    identity: str | None
    strength: int = 0
    type: Literal["entered"] = "entered"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An entrant is not paired any more."""

    entrant: int
    why: Why
    type: Literal["withdrawn"] = "withdrawn"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Returned:
    """An entrant who had withdrawn is paired again."""

    entrant: int
    type: Literal["returned"] = "returned"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Renamed:
    """An entrant got another name, because the account was deleted."""

    entrant: int
    name: str
    type: Literal["renamed"] = "renamed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The next round begins by itself at this time (seconds since 1970), `None`: by hand."""

    at: float | None
    type: Literal["scheduled"] = "scheduled"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round began. At the `deadline` (seconds since 1970) it ends; `None`: never by itself."""

    round: int
    deadline: float | None
    type: Literal["round-started"] = "round-started"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Duel:
    """A new pairing of two entrants. `first` has the first seat in odd games."""

    pairing: int
    first: int
    second: int
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Paired:
    """Entrants were paired in the running round, and `byes` went to others."""

    duels: tuple[Duel, ...]
    byes: tuple[int, ...] = ()
    type: Literal["paired"] = "paired"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Opened:
    """The table of a game."""

    pairing: int
    game: int
    table: str
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TablesOpened:
    """The server made tables for games."""

    games: tuple[Opened, ...]
    type: Literal["tables-opened"] = "tables-opened"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game ended. `points`: what the record has for the pairing's first and second entrant, empty
    if it is not known. `by`: the entrant who entered the result, `None` for an organiser or a
    table."""

    pairing: int
    game: int
    result: Result
    cause: Cause
    points: tuple[int, ...] = ()
    by: int | None = None
    type: Literal["game-ended"] = "game-ended"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class LossMeasured:
    """A review of a game measured the loss of each entrant of the pairing, first and second, added
    over the number of `decisions`."""

    pairing: int
    game: int
    losses: tuple[float, ...]
    decisions: tuple[int, ...]
    type: Literal["loss-measured"] = "loss-measured"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A pairing was decided without a game, or without the rest of its games."""

    pairing: int
    result: Result
    cause: Cause
    type: Literal["forfeited"] = "forfeited"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Corrected:
    """An organiser replaced the result of a pairing, for the reason in `remark`."""

    pairing: int
    before: Result
    result: Result
    remark: str
    type: Literal["corrected"] = "corrected"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RoundDeleted:
    """An organiser deleted the running round, which had no results, for the reason in `remark`."""

    round: int
    remark: str
    type: Literal["round-deleted"] = "round-deleted"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TimeHeld:
    """Deadlines moved by seconds in which nobody could reach the server."""

    seconds: float
    type: Literal["time-held"] = "time-held"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Finished:
    """The tournament ended."""

    how: How
    type: Literal["finished"] = "finished"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


Event: TypeAlias = (
    Created
    | OrganiserNamed
    | OrganiserLeft
    | Entered
    | Withdrawn
    | Returned
    | Renamed
    | Scheduled
    | RoundStarted
    | Paired
    | TablesOpened
    | GameEnded
    | LossMeasured
    | Forfeited
    | Corrected
    | RoundDeleted
    | TimeHeld
    | Finished
)

EVENTS: Final[dict[str, type[Event]]] = {
    "created": Created,
    "organiser-named": OrganiserNamed,
    "organiser-left": OrganiserLeft,
    "entered": Entered,
    "withdrawn": Withdrawn,
    "returned": Returned,
    "renamed": Renamed,
    "scheduled": Scheduled,
    "round-started": RoundStarted,
    "paired": Paired,
    "tables-opened": TablesOpened,
    "game-ended": GameEnded,
    "loss-measured": LossMeasured,
    "forfeited": Forfeited,
    "corrected": Corrected,
    "round-deleted": RoundDeleted,
    "time-held": TimeHeld,
    "finished": Finished,
}
"""`type` → event."""


class StoredEvent(NamedTuple):
    """An event with its number in its tournament, from 1, and its time in seconds since 1970."""

    number: int
    time: float
    event: Event


def tournament_event_to_text(event: Event) -> str:
    """Return the event as the JSON text that is stored, identities included."""
    return wire.to_text(event)


def tournament_event_from_json(data: object) -> Event:
    """Return the event of this JSON. Raises `TournamentError` (`not-a-tournament-event`)."""
    return wire.one_of(EVENTS, data, TournamentCode.NOT_A_TOURNAMENT_EVENT, TournamentError)


def public_event(event: Event) -> dict[str, Any]:
    """Return the event as JSON for clients, without the identity of a person."""
    data = wire.to_json(event)
    data.pop("identity", None)
    return data
