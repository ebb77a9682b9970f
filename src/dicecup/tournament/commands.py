"""Commands of the people of a tournament, as values with one JSON form each.

An example is `{"type": "enter-result", "pairing": 3, "game": 1, "result": "won", "points": []}`.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias

from dicecup.table import codec as wire
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import Result


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter the tournament under a name."""

    name: str
    type: Literal["enter"] = "enter"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AddEntrant:
    """Enter a person without a device. Only an organiser may.

    `strength` orders the first round, the highest first; 0 if it is not known. At a table of the
    server the organiser's device plays for the person.
    """

    name: str
    strength: int = 0
    type: Literal["add-entrant"] = "add-entrant"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Be paired no more. An organiser may name another `entrant`."""

    entrant: int | None = None
    type: Literal["withdraw"] = "withdraw"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Return:
    """Be paired again after withdrawing. An organiser may name another `entrant`."""

    entrant: int | None = None
    type: Literal["return"] = "return"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class StartRound:
    """Start the next round. Only an organiser may."""

    type: Literal["start-round"] = "start-round"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class ScheduleRound:
    """Let the next round begin by itself at a time (seconds since 1970), with `None` by hand. Only
    an organiser may."""

    at: float | None
    type: Literal["schedule-round"] = "schedule-round"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EnterResult:
    """Enter the result of a game with real dice, as the pairing's first entrant sees it.

    `points` of the first and second entrant, or empty. An organiser and both entrants may.
    """

    pairing: int
    game: int
    result: Result
    points: tuple[int, ...] = ()
    type: Literal["enter-result"] = "enter-result"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Decide a pairing that has no result yet, without the rest of its games. Only an organiser
    may."""

    pairing: int
    result: Result
    type: Literal["forfeit"] = "forfeit"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Correct:
    """Replace the result of a pairing for the reason in `remark`. Only an organiser may."""

    pairing: int
    result: Result
    remark: str
    type: Literal["correct"] = "correct"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class DeleteRound:
    """Delete the running round, which must have no results, for the reason in `remark`. A loss by
    withdrawal is none. Only an organiser may."""

    round: int
    remark: str
    type: Literal["delete-round"] = "delete-round"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class NameOrganiser:
    """Make the person with an account an organiser. Only an organiser may."""

    handle: str
    type: Literal["name-organiser"] = "name-organiser"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Finish:
    """End the tournament with the standings as they are. Only an organiser may."""

    type: Literal["finish"] = "finish"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Cancel:
    """Cancel the tournament. Only an organiser may."""

    type: Literal["cancel"] = "cancel"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


TournamentCommand: TypeAlias = (
    Enter
    | AddEntrant
    | Withdraw
    | Return
    | StartRound
    | ScheduleRound
    | EnterResult
    | Forfeit
    | Correct
    | DeleteRound
    | NameOrganiser
    | Finish
    | Cancel
)

TOURNAMENT_COMMANDS: Final[dict[str, type[TournamentCommand]]] = {
    "enter": Enter,
    "add-entrant": AddEntrant,
    "withdraw": Withdraw,
    "return": Return,
    "start-round": StartRound,
    "schedule-round": ScheduleRound,
    "enter-result": EnterResult,
    "forfeit": Forfeit,
    "correct": Correct,
    "delete-round": DeleteRound,
    "name-organiser": NameOrganiser,
    "finish": Finish,
    "cancel": Cancel,
}
"""`type` → command."""
COMMANDS_OF_ORGANISERS: Final = (
    AddEntrant,
    StartRound,
    ScheduleRound,
    Forfeit,
    Correct,
    DeleteRound,
    NameOrganiser,
    Finish,
    Cancel,
)


def tournament_command_to_json(command: TournamentCommand) -> dict[str, Any]:
    """Return the command as JSON, which `tournament_command_from_json` reads back."""
    return wire.to_json(command)


def tournament_command_from_json(data: object) -> TournamentCommand:
    """Return the command of this JSON. Raises `TournamentError` (`not-a-tournament-command`)."""
    return wire.one_of(TOURNAMENT_COMMANDS, data, TournamentCode.NOT_A_TOURNAMENT_COMMAND, TournamentError)
