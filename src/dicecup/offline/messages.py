"""The messages and bodies that a page sends, as values (docs/protocol.md).

The server reads the same messages with pydantic (`dicecup.web.messages`), which no page has.
tests/offline/test_messages.py compares fields, defaults and limits.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from dicecup.analysis.theme import Theme
from dicecup.offline.errors import OfflineCode, OfflineError
from dicecup.table import codec as wire
from dicecup.table.commands import COMMANDS, Command
from dicecup.table.errors import TableCode, TableError
from dicecup.table.setup import Setup
from dicecup.table.starts import LONGEST_START

LONGEST_COMMAND_ID: Final = 64
"""Characters."""


class Between(NamedTuple):
    """The limits of a number, of the characters of a text, or of the items of a list."""

    least: int
    most: int


Number: TypeAlias = Annotated[int, Between(0, 2**31 - 1)]
Difficulty: TypeAlias = Annotated[int, Between(1, 5)]
GameId: TypeAlias = Annotated[str, Between(0, 200)]
PositionText: TypeAlias = Annotated[str, Between(0, 20_000)]
ShortText: TypeAlias = Annotated[str, Between(0, 20)]
Key: TypeAlias = Annotated[str, Between(0, 64)]

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a connection."""

    since: Number | None = None
    key: Key | None = None
    language: str | None = None
    type: Literal["hello"] = "hello"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Ping:
    """A request for a pong."""

    type: Literal["ping"] = "ping"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class CommandHead:
    """The members of a command besides the command itself."""

    id: Annotated[str, Between(1, LONGEST_COMMAND_ID)]
    version: Number
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


class Do(NamedTuple):
    """A command."""

    id: str
    version: int
    command: Command


@dataclass(frozen=True, slots=True)
class NamedSeat:
    """A seat that the creator of a table takes, and the name on it."""

    seat: int
    name: str
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class NewTable:
    """A new table, on whose `seats` people of this device sit, or one as `name` on the first open
    seat."""

    setup: Setup
    name: str = ""
    seats: Annotated[tuple[NamedSeat, ...], Between(0, 16)] = ()
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskStart:
    """A record or a position from which a game could go on."""

    game: str
    start: Annotated[str, Between(0, LONGEST_START)]
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskOdds:
    """A point of a turn."""

    game: GameId = "yam-master"
    dice: ShortText | None = None
    throws_left: Annotated[int, Between(0, 3)] | None = None
    keep: ShortText | None = None
    defi: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskAnalysis:
    """A position to analyse."""

    game: GameId
    position: PositionText
    alone: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskShow:
    """A position to show, or the position `after` an action in it."""

    game: GameId
    position: PositionText
    after: ShortText | None = None
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskReview:
    """The record of a finished game."""

    record: Annotated[str, Between(0, 100_000)]
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """A request for a decision to practise on."""

    game: GameId
    seed: Annotated[str, Between(0, 64)]
    number: Number
    difficulty: Difficulty = 1
    theme: Theme | None = None
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer to an earlier question."""

    difficulty: Difficulty
    right: bool
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskVerdict:
    """The action that a person chooses, and the answer to the question before."""

    game: GameId
    position: PositionText
    difficulty: Difficulty
    played: ShortText
    before: GivenAnswer | None = None
    lenient: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


def message_of(text: str) -> Hello | Do | Ping:
    """Return the message of a connection in a JSON text. Raises `OfflineError` (`not-a-message`),
    and the typed errors of the values in it."""
    data = _parsed(text)
    kind = data.get("type") if isinstance(data, dict) else None
    if kind == "command":
        return _command(data)
    if kind == "ping":
        return read(Ping, data)
    if kind == "hello":
        return read(Hello, data)
    raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="type", why="type")


def command_of(body: str) -> Do:
    """Return the command in the body of a request. Raises as `message_of`."""
    data = _parsed(body)
    if not isinstance(data, dict):
        raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="", why="type")
    return _command(data)


def _command(data: Mapping[str, Any]) -> Do:
    """Return the command in an object."""
    head = read(CommandHead, {name: value for name, value in data.items() if name not in ("command", "type")})
    if not head.id.isprintable():
        raise TableError(TableCode.NOT_A_COMMAND, text="command_id", why="length")
    command = wire.one_of(COMMANDS, data.get("command"), OfflineCode.NOT_A_MESSAGE, OfflineError)
    return Do(head.id, head.version, command)


def body_of(kind: type[_Value], text: str) -> _Value:
    """Return the body of a request. Raises as `message_of`."""
    return read(kind, _parsed(text))


def read(kind: type[_Value], data: object) -> _Value:
    """Return the value of an object. Raises as `message_of`."""
    value = wire.from_json(kind, data, OfflineCode.NOT_A_MESSAGE, OfflineError)
    _check_limits(value)
    return value


def _check_limits(value: object) -> None:
    """Raise `OfflineError` (`not-a-message`) for a member outside its limits."""
    for name, limit in limits(type(value)).items():
        member = getattr(value, name)
        if member is not None and not limit.least <= (member if isinstance(member, int) else len(member)) <= limit.most:
            raise OfflineError(OfflineCode.NOT_A_MESSAGE, text=name, why="range")
    if isinstance(value, AskVerdict):
        _check_limits(value.before)


def limits(kind: type) -> Mapping[str, Between]:
    """Return the limits of the members of a message."""
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind, include_extras=True).items()
    annotated = [(name, part) for name, hint in hints for part in (hint, *get_args(hint)) if get_origin(part) is Annotated]
    return {name: part.__metadata__[0] for name, part in annotated}


def _parsed(text: str) -> Any:
    """Return the value of a JSON text. Raises `OfflineError` (`not-a-message`)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="", why="json_invalid") from None
