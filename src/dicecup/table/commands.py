"""Commands of the people at a table, as values with one JSON form each.

An example is `{"type": "act", "action": "f1.FH", "seat": null}`.

A person who holds several seats names the `seat` that acts. Without it the pending one of the
person's seats acts.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, TypeAlias

from dicecup.table import codec as wire
from dicecup.table.errors import TableCode
from dicecup.table.talk import Phrase, Reaction


class Remedy(StrEnum):
    """What the others may claim when a person has left, or is too slow at a table without a
    clock."""

    WIN = "win"
    DRAW = "draw"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take the named seat or the first free one."""

    name: str
    seat: int | None = None
    type: Literal["sit"] = "sit"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class StandUp:
    """Leave a seat before all seats are taken. The table closes when the last person leaves."""

    seat: int | None = None
    type: Literal["stand-up"] = "stand-up"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SeatComputer:
    """Let a computer take a free seat."""

    level: str
    free: int | None = None
    seat: int | None = None
    type: Literal["seat-computer"] = "seat-computer"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Take a seat back from its person, before the game or when the others may claim against it.

    Only the owner of the table may. The links of the table change. In a running game the seat keeps
    its place, and another person may take it.
    """

    taken: int
    seat: int | None = None
    type: Literal["free-seat"] = "free-seat"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RotateLinks:
    """Give the table new links. The old ones stop working. Only the owner of the table may."""

    seat: int | None = None
    type: Literal["rotate-links"] = "rotate-links"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class SetAdmission:
    """Close the table to newcomers, or open it again. Only the owner of the table may.

    While it is closed, its links open nothing: only people who sit there see it.
    """

    admits: bool
    seat: int | None = None
    type: Literal["set-admission"] = "set-admission"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommitSeed:
    """Commit to a seed with its SHA-256 in lower-case hex, before any seed is revealed."""

    hash: str
    seat: int | None = None
    type: Literal["commit-seed"] = "commit-seed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """Reveal the seat's seed, 16 to 32 bytes in lower-case hex.

    All seats must have committed first.
    """

    seed: str
    seat: int | None = None
    type: Literal["reveal-seed"] = "reveal-seed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw the server's dice for the first throw of a turn.

    A keep throws the other dice by itself. A person for whose action a computer waits may let the
    computer throw.
    """

    seat: int | None = None
    type: Literal["throw"] = "throw"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EnterDice:
    """Enter what real dice show, in any order: `61143`.

    `22|643`: a locked die was knocked over. `~`: the throw was void.
    """

    dice: str
    seat: int | None = None
    type: Literal["enter-dice"] = "enter-dice"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EnterDie:
    """Enter what the single real die shows that decides who starts."""

    face: int
    seat: int | None = None
    type: Literal["enter-die"] = "enter-die"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Act:
    """Do an action of the game, given as its text. Corrections are actions.

    `hold`: seconds, at most 10, for which a computer that is next waits, so that the action can be
    taken back. It has an effect only where all opponents are computers, the server throws the dice,
    and the action ends a turn and cannot be corrected.
    """

    action: str
    seat: int | None = None
    hold: float = 0.0
    type: Literal["act"] = "act"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last entry at a table with real dice, or the last action of a turn for which
    a computer was told to wait, before that computer throws.

    Only the person who made it can take it back.
    """

    seat: int | None = None
    type: Literal["take-back"] = "take-back"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up.

    With three sides or more the others go on. A game without opponents, or before it is known who
    starts, is abandoned.
    """

    seat: int | None = None
    type: Literal["resign"] = "resign"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Replace:
    """Let a computer play on at this level for the seat that gave up."""

    level: str
    seat: int | None = None
    type: Literal["replace"] = "replace"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EndGame:
    """Agree to end the game after a seat gave up.

    The game ends once all people who remain agree.
    """

    seat: int | None = None
    type: Literal["end-game"] = "end-game"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw to all other people."""

    seat: int | None = None
    type: Literal["offer-draw"] = "offer-draw"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Accept or decline the draw that was offered."""

    accept: bool
    seat: int | None = None
    type: Literal["answer-draw"] = "answer-draw"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim a win, a draw or a computer at a `level` when the pending person has left, or is too
    slow at a table without a clock."""

    what: Remedy
    level: str = ""
    seat: int | None = None
    type: Literal["claim"] = "claim"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Rematch:
    """Ask for another game. It begins at a table of its own once all people have asked for it."""

    seat: int | None = None
    type: Literal["rematch"] = "rematch"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Say:
    """Say a quick phrase."""

    phrase: Phrase
    seat: int | None = None
    type: Literal["say"] = "say"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class React:
    """React on one of the last throws, given as the number of its event."""

    reaction: Reaction
    throw: int
    seat: int | None = None
    type: Literal["react"] = "react"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Write:
    """Write a text of 1 to 200 visible characters. All people must allow texts."""

    text: str
    seat: int | None = None
    type: Literal["write"] = "write"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AllowTexts:
    """Allow texts at this table, or no longer, for all seats of the person."""

    allowed: bool
    seat: int | None = None
    type: Literal["allow-texts"] = "allow-texts"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


TalkCommand: TypeAlias = Say | React | Write | AllowTexts
"""A command that is no part of the game. It is for every version of a table."""

Command: TypeAlias = (
    Sit
    | StandUp
    | SeatComputer
    | FreeSeat
    | RotateLinks
    | SetAdmission
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
    | TalkCommand
)

COMMANDS: Final[dict[str, type[Command]]] = {
    "sit": Sit,
    "stand-up": StandUp,
    "seat-computer": SeatComputer,
    "free-seat": FreeSeat,
    "rotate-links": RotateLinks,
    "set-admission": SetAdmission,
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
    "say": Say,
    "react": React,
    "write": Write,
    "allow-texts": AllowTexts,
}
"""`type` → command."""


def command_to_json(command: Command) -> dict[str, Any]:
    """Return the command as JSON, which `command_from_json` reads back."""
    return wire.to_json(command)


def command_from_json(data: object) -> Command:
    """Return the command of this JSON. Raises `TableError` (`not-a-command`)."""
    return wire.one_of(COMMANDS, data, TableCode.NOT_A_COMMAND)
