"""Conversion between the frozen dataclasses of this room and JSON, with the standard library alone.

Values are not converted, unknown members are refused, as pydantic's strict mode does it
(tests/table/test_codec.py compares both). Fields are texts, numbers, truth values, `StrEnum`s,
`Literal`s, other dataclasses of this kind, tuples of one type, and each of these or `None`.

Each dataclass has `__pydantic_config__ = STRICT`, with which the server reads commands and setups
inside its own messages. A dataclass that belongs to a union has its `type` as the last field.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache, partial
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from dicecup.core.errors import DicecupError
from dicecup.table.errors import TableError

Config: TypeAlias = dict[str, Any]
"""The configuration of a dataclass for pydantic."""
STRICT: Final[Config] = {"extra": "forbid", "strict": True}

_Value = TypeVar("_Value")
_Reader: TypeAlias = Callable[[object], object]
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # json.dumps would make one each time
_PLAIN: Final = (str, int, float, bool, NoneType)


class _Fault(Exception):  # noqa: N818 `from_json` makes a typed error of it
    """JSON that is not the value of a field: the name of the reason, and the place, innermost
    first."""

    def __init__(self, why: str, *place: str) -> None:
        super().__init__(why)
        self.why = why
        self.place = list(place)


class _Field(NamedTuple):
    """A field of a dataclass, with the function that reads its value."""

    name: str
    read: _Reader
    is_required: bool


# --- Writing --------------------------------------------------------------------------------------


def to_json(value: object) -> dict[str, Any]:
    """Return the value as objects, lists, texts, numbers and `None`, which `json.dumps` takes."""
    return {name: _written(getattr(value, name)) for name in _names(cast(Any, type(value)))}


def to_text(value: object) -> str:
    """Return the value as JSON text on one line without spaces."""
    return _ENCODER.encode(to_json(value))


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(field.name for field in fields(kind))


def _written(value: object) -> object:
    """Return the value of a field as JSON."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_written(each) for each in value]
    return to_json(value)


# --- Reading --------------------------------------------------------------------------------------


def from_json(kind: type[_Value], data: object, code: StrEnum, error: type[DicecupError] = TableError) -> _Value:
    """Return the value of this dataclass from which `to_json` made `data`.

    Raises an `error` with this `code`, and what the dataclass itself raises. `details` hold the
    place of the fault as `text`, and `why`.
    """
    try:
        return cast(_Value, _read(kind, data))
    except _Fault as fault:
        raise error(code, text=".".join(reversed(fault.place)), why=fault.why) from None
    except (TypeError, ValueError, RecursionError) as fault:
        raise error(code, text="", why=type(fault).__name__) from None


def one_of(kinds: Mapping[str, type[_Value]], data: object, code: StrEnum, error: type[DicecupError] = TableError) -> _Value:
    """Return the value of the dataclass that the member `type` names.

    Raises what `from_json` raises.
    """
    given = data.get("type") if isinstance(data, Mapping) else None
    kind = kinds.get(given) if isinstance(given, str) else None
    if kind is None:
        raise error(code, text=given if isinstance(given, str) else "type", why="type")
    return from_json(kind, data, code, error)


def _read(kind: Any, data: object) -> object:
    """Return the dataclass of an object. Raises `_Fault`, and what the dataclass itself raises."""
    if not isinstance(data, dict):
        raise _Fault("dataclass_type")
    values = {}
    for name, read, is_required in _fields(kind):
        if name in data:
            try:
                values[name] = read(data[name])
            except _Fault as fault:
                fault.place.append(name)
                raise
        elif is_required:
            raise _Fault("missing", name)
    if len(values) < len(data):
        raise _Fault("unexpected_keyword_argument", str(next(name for name in data if name not in values)))
    return kind(**values)


@cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    """Return the fields of a dataclass."""
    hints = get_type_hints(kind)
    return tuple(_Field(field.name, _reader(hints[field.name]), field.default is MISSING) for field in fields(kind))


def _reader(hint: Any) -> _Reader:
    """Return the function that reads a value of a type. Raises `TypeError` for other types than
    those above."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _READERS:
        return _READERS[hint]
    if origin is Literal:
        return partial(_read_literal, arguments)
    if origin is tuple:
        return partial(_read_tuple, _reader(arguments[0]))
    if NoneType in arguments:
        (other,) = (each for each in arguments if each is not NoneType)
        return partial(_read_optional, _reader(other))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return partial(_read_member, {member.value: member for member in hint})
    if is_dataclass(hint):
        return partial(_read, hint)
    raise TypeError(hint)


def _read_text(data: object) -> object:
    if not isinstance(data, str):
        raise _Fault("string_type")
    try:
        data.encode()
    except UnicodeEncodeError:  # half of a pair of code units, which no database stores
        raise _Fault("string_unicode") from None
    return data


def _read_integer(data: object) -> object:
    if type(data) is not int:
        raise _Fault("int_type")
    return data


def _read_number(data: object) -> object:
    if type(data) is not float and type(data) is not int:
        raise _Fault("float_type")
    try:
        return float(data)
    except OverflowError:
        raise _Fault("float_type") from None


def _read_truth(data: object) -> object:
    if type(data) is not bool:
        raise _Fault("bool_type")
    return data


def _read_literal(allowed: tuple[object, ...], data: object) -> object:
    if not isinstance(data, str) or data not in allowed:
        raise _Fault("literal_error")
    return data


def _read_member(members: Mapping[str, object], data: object) -> object:
    if not isinstance(data, str) or data not in members:
        raise _Fault("enum")
    return members[data]


def _read_optional(read: _Reader, data: object) -> object:
    return None if data is None else read(data)


def _read_tuple(read: _Reader, data: object) -> object:
    if not isinstance(data, list | tuple):
        raise _Fault("tuple_type")
    values = []
    for place, each in enumerate(data):
        try:
            values.append(read(each))
        except _Fault as fault:
            fault.place.append(str(place))
            raise
    return tuple(values)


_READERS: Final[Mapping[object, _Reader]] = {str: _read_text, int: _read_integer, float: _read_number, bool: _read_truth}
