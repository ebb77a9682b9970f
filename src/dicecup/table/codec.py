"""The frozen dataclasses of this room as JSON and back: nothing is coerced, nothing is left over.

A dataclass says `__pydantic_config__ = STRICT`; one that is told from others by its `type` has that as its last field.
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
    """The value as what `json.dumps` takes: objects, lists, texts, numbers, `None`."""
    data: dict[str, Any] = _adapter(cast(Hashable, type(value))).dump_python(value, mode="json")
    return data


def to_text(value: object) -> str:
    """The same as a text, on one line and without spaces."""
    return _adapter(cast(Hashable, type(value))).dump_json(value).decode()


def from_json(kind: type[_Value], data: object, code: TableCode) -> _Value:
    """The value of this dataclass that `to_json` made `data` of. Raises `TableError` with this `code` (`details`: `text`,
    where it is wrong, and `why`), and what the value itself refuses."""
    try:
        value: _Value = _adapter(cast(Hashable, kind)).validate_json(json.dumps(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise TableError(code, text=".".join(map(str, first["loc"])), why=first["type"]) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise TableError(code, text="", why=type(error).__name__) from None
    return value


def one_of(kinds: Mapping[str, type[_Value]], data: object, code: TableCode) -> _Value:
    """The value of one of these dataclasses, told by `type`. Raises as `from_json`."""
    given = data.get("type") if isinstance(data, Mapping) else None
    kind = kinds.get(given) if isinstance(given, str) else None
    if kind is None:
        raise TableError(code, text=given if isinstance(given, str) else "type", why="type")
    return from_json(kind, data, code)
