"""Conversion between the frozen dataclasses of this room and JSON.

Values are not converted, unknown members are refused.

Each dataclass has `__pydantic_config__ = STRICT`. A dataclass that belongs to a union has its
`type` as the last field.
"""

import json
from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, Final, TypeVar, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError

from dicecup.table.errors import TableCode, TableError

STRICT: Final = ConfigDict(extra="forbid", strict=True)

_Value = TypeVar("_Value")


@cache
def _adapter(kind: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(type[Any], kind))


def to_json(value: object) -> dict[str, Any]:
    """Return the value as objects, lists, texts, numbers and `None`, which `json.dumps` takes."""
    data: dict[str, Any] = _adapter(cast(Hashable, type(value))).dump_python(value, mode="json")
    return data


def to_text(value: object) -> str:
    """Return the value as JSON text on one line without spaces."""
    return _adapter(cast(Hashable, type(value))).dump_json(value).decode()


def from_json(kind: type[_Value], data: object, code: TableCode) -> _Value:
    """Return the value of this dataclass from which `to_json` made `data`.

    Raises `TableError` with this `code`, and what the dataclass itself raises. `details` hold the
    place of the fault as `text`, and `why`.
    """
    try:
        value: _Value = _adapter(cast(Hashable, kind)).validate_json(json.dumps(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise TableError(code, text=".".join(map(str, first["loc"])), why=first["type"]) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise TableError(code, text="", why=type(error).__name__) from None
    return value


def one_of(kinds: Mapping[str, type[_Value]], data: object, code: TableCode) -> _Value:
    """Return the value of the dataclass that the member `type` names.

    Raises what `from_json` raises.
    """
    given = data.get("type") if isinstance(data, Mapping) else None
    kind = kinds.get(given) if isinstance(given, str) else None
    if kind is None:
        raise TableError(code, text=given if isinstance(given, str) else "type", why="type")
    return from_json(kind, data, code)
