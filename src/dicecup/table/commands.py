"""What people at a table may ask for, as values with one JSON form each: `{"type": "act", "action": "f1.FH", "seat": null}`.

`seat` is for those who hold several seats: which of them acts. Without it, it is the one of theirs that is to act.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, TypeAlias

from pydantic import ConfigDict

from dicecup.table import codec as wire
from dicecup.table.errors import TableCode


class Remedy(StrEnum):
    """What the others may claim when somebody has left."""

    WIN = "win"
    DRAW = "draw"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat, or the first that is free."""

    name: str
    seat: int | None = None
    type: Literal["sit"] = "sit"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class StandUp:
    """Leave a seat before all are taken; the last one to leave closes the table."""

    seat: int | None = None
    type: Literal["stand-up"] = "stand-up"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeatComputer:
    """Let the computer take a seat that is free."""

    level: str
    free: int | None = None
    seat: int | None = None
    type: Literal["seat-computer"] = "seat-computer"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommitSeed:
    """The SHA-256 of the seat's seed, in lower-case hex; before anybody reveals one."""

    hash: str
    seat: int | None = None
    type: Literal["commit-seed"] = "commit-seed"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """The seat's seed, 16 to 32 bytes in lower-case hex; once all have committed to theirs."""

    seed: str
    seat: int | None = None
    type: Literal["reveal-seed"] = "reveal-seed"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw the server's dice: a turn's first throw. A keep throws the others by itself."""

    seat: int | None = None
    type: Literal["throw"] = "throw"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EnterDice:
    """What real dice show, in any order: `61143`; `22|643` where a locked die was knocked over; `~`: the throw was void."""

    dice: str
    seat: int | None = None
    type: Literal["enter-dice"] = "enter-dice"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EnterDie:
    """What the single real die shows that decides who starts."""

    face: int
    seat: int | None = None
    type: Literal["enter-die"] = "enter-die"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the game as its text, a correction included."""

    action: str
    seat: int | None = None
    type: Literal["act"] = "act"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last thing that was typed at a table with real dice was a mistake: only for whoever typed it."""

    seat: int | None = None
    type: Literal["take-back"] = "take-back"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up; alone, or before it is known who begins, this ends it without anybody losing."""

    seat: int | None = None
    type: Literal["resign"] = "resign"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Replace:
    """Let a computer play on at this level for the seat that gave up."""

    level: str
    seat: int | None = None
    type: Literal["replace"] = "replace"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EndGame:
    """Agree to end the game after a seat gave up. The game ends once all people who remain agree."""

    seat: int | None = None
    type: Literal["end-game"] = "end-game"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer all other people a draw."""

    seat: int | None = None
    type: Literal["offer-draw"] = "offer-draw"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Agree to the draw that was offered, or do not."""

    accept: bool
    seat: int | None = None
    type: Literal["answer-draw"] = "answer-draw"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Claim:
    """Whoever the game waits for has left: take the win, take a draw, or let the computer play on at a `level`."""

    what: Remedy
    level: str = ""
    seat: int | None = None
    type: Literal["claim"] = "claim"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Rematch:
    """Another game at a table of its own, once all people here have asked for it."""

    seat: int | None = None
    type: Literal["rematch"] = "rematch"
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


Command: TypeAlias = (
    Sit
    | StandUp
    | SeatComputer
    | CommitSeed
    | RevealSeed
    | Throw
    | EnterDice
    | EnterDie
    | Act
    | TakeBack
    | Resign
    | Replace
    | EndGame
    | OfferDraw
    | AnswerDraw
    | Claim
    | Rematch
)

COMMANDS: Final[dict[str, type[Command]]] = {
    "sit": Sit,
    "stand-up": StandUp,
    "seat-computer": SeatComputer,
    "commit-seed": CommitSeed,
    "reveal-seed": RevealSeed,
    "throw": Throw,
    "enter-dice": EnterDice,
    "enter-die": EnterDie,
    "act": Act,
    "take-back": TakeBack,
    "resign": Resign,
    "replace": Replace,
    "end-game": EndGame,
    "offer-draw": OfferDraw,
    "answer-draw": AnswerDraw,
    "claim": Claim,
    "rematch": Rematch,
}
"""`type` → command."""


def command_to_json(command: Command) -> dict[str, Any]:
    """The command as JSON; `command_from_json` reads it back."""
    return wire.to_json(command)


def command_from_json(data: object) -> Command:
    """The command of this JSON. Raises `TableError` (`not-a-command`)."""
    return wire.one_of(COMMANDS, data, TableCode.NOT_A_COMMAND)
