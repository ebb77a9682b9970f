"""The messages and bodies that a page sends, as values (docs/protocol.md)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeVar

from dicecup.offline.errors import OfflineCode, OfflineError
from dicecup.table import codec as wire
from dicecup.table.commands import COMMANDS, Command
from dicecup.table.errors import TableCode, TableError
from dicecup.table.setup import Setup

LONGEST_COMMAND_ID: Final = 64
"""Characters."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a connection."""

    since: int | None = None
    key: str | None = None
    language: str | None = None
    type: Literal["hello"] = "hello"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Ping:
    """A request for a pong."""

    type: Literal["ping"] = "ping"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class _Head:
    """The members of a command besides the command itself."""

    id: str
    version: int
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
    seats: tuple[NamedSeat, ...] = ()
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskStart:
    """A record or a position from which a game could go on."""

    game: str
    start: str
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskOdds:
    """A point of a turn."""

    game: str = "yam-master"
    dice: str | None = None
    throws_left: int | None = None
    keep: str | None = None
    defi: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskAnalysis:
    """A position to analyse."""

    game: str
    position: str
    alone: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskShow:
    """A position to show, or the position `after` an action in it."""

    game: str
    position: str
    after: str | None = None
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskReview:
    """The record of a finished game."""

    record: str
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """A request for a decision to practise on."""

    game: str
    seed: str
    number: int
    difficulty: int = 1
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer to an earlier question."""

    difficulty: int
    right: bool
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class AskVerdict:
    """The action that a person chooses, and the answer to the question before."""

    game: str
    position: str
    difficulty: int
    played: str
    before: GivenAnswer | None = None
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
    head = read(_Head, {name: value for name, value in data.items() if name not in ("command", "type")})
    if not 1 <= len(head.id) <= LONGEST_COMMAND_ID or head.version < 0:
        raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="id", why="length")
    if not head.id.isprintable():
        raise TableError(TableCode.NOT_A_COMMAND, text="command_id", why="length")
    command = wire.one_of(COMMANDS, data.get("command"), OfflineCode.NOT_A_MESSAGE, OfflineError)
    return Do(head.id, head.version, command)


def body_of(kind: type[_Value], text: str) -> _Value:
    """Return the body of a request. Raises as `message_of`."""
    return read(kind, _parsed(text))


def read(kind: type[_Value], data: object) -> _Value:
    """Return the value of an object. Raises as `message_of`."""
    return wire.from_json(kind, data, OfflineCode.NOT_A_MESSAGE, OfflineError)


def _parsed(text: str) -> Any:
    """Return the value of a JSON text. Raises `OfflineError` (`not-a-message`)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise OfflineError(OfflineCode.NOT_A_MESSAGE, text="", why="json_invalid") from None
