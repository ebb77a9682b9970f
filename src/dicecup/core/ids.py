"""Game ids and the options that they hold.

A game id is a name and, in brackets, the options that differ from their defaults, in a fixed order:
`yam-master(failed_defi=ignored,captured=out)`.

The options of a game are a frozen dataclass with one field for each option, in the order of game
ids. The field states the default and the allowed values. `list_options`, `id_text` and
`options_from_id` derive everything else from these fields.
"""

import re
from collections.abc import Iterable
from dataclasses import Field, field, fields
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Final, TypeVar

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Option

_Options = TypeVar("_Options")
_ID: Final = re.compile(r"([a-z]+(?:-[a-z]+)*)(?:\(([^()]+)\))?", re.ASCII)


def numeric_option(default: int, values: Iterable[int]) -> Any:
    """Return the dataclass field of an option whose allowed values are numbers.

    An option whose default is a `bool` or a member of a `StrEnum` needs no such field: its type
    names the allowed values.
    """
    return field(default=default, metadata={"values": tuple(values)})


@cache
def list_options(kind: type) -> tuple[Option, ...]:
    """Return every option of a dataclass of options with its allowed values and its default."""
    return tuple(
        Option(each.name, tuple(map(_value_text, _allowed_values(each))), _value_text(each.default)) for each in _fields(kind)
    )


@lru_cache(maxsize=256)
def id_text(name: str, options: object) -> str:
    """Return the canonical id of a game and its options, an instance of its dataclass of options.

    The result is cached: a table asks for the id at every throw of committed dice.
    """
    chosen = [(each, getattr(options, each.name)) for each in _fields(type(options))]
    written = ",".join(f"{each.name}={_value_text(value)}" for each, value in chosen if value != each.default)
    return f"{name}({written})" if written else name


def options_from_id(name: str, kind: type[_Options], text: str) -> _Options:
    """Return the options that a canonical id of the game `name` holds, as an instance of the
    dataclass `kind`.

    Raises `GameError` (`not-a-game`, `unknown-option`, `option-default`, `option-order`,
    `option-value`, and the errors of the dataclass itself).
    """
    found, written = split_id(text)
    if found != name:
        raise GameError(TextCode.NOT_A_GAME, text=text)
    known = {each.name: each for each in _fields(kind)}
    for option, value in written.items():
        if option not in known:
            raise GameError(TextCode.UNKNOWN_OPTION, text=text, option=option)
        if value == _value_text(known[option].default):
            raise GameError(TextCode.OPTION_DEFAULT, text=text, option=option, value=value)
    if list(written) != [option for option in known if option in written]:
        raise GameError(TextCode.OPTION_ORDER, text=text, order=",".join(known))
    return kind(**{option: _read_value(known[option], value) for option, value in written.items()})


def split_id(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of the game and the texts of the options in an id.

    Raises `GameError` (`not-a-game`) for a text that does not have the form of an id.
    """
    match = _ID.fullmatch(text)
    if match is None:
        raise GameError(TextCode.NOT_A_GAME, text=text)
    name, inside = match.groups()
    options: dict[str, str] = {}
    for pair in inside.split(",") if inside is not None else ():
        option, equals, value = pair.partition("=")
        if not equals or option in options:
            raise GameError(TextCode.NOT_A_GAME, text=text)
        options[option] = value
    return name, options


def _fields(kind: type) -> tuple[Field[Any], ...]:
    return fields(kind)


def _allowed_values(option: Field[Any]) -> tuple[object, ...]:
    """Return the allowed values of an option in the order in which screens list them."""
    if isinstance(option.default, bool):
        return (False, True)
    if isinstance(option.default, StrEnum):
        return tuple(type(option.default))
    numbers: tuple[object, ...] = option.metadata["values"]
    return numbers


def _read_value(option: Field[Any], text: str) -> object:
    """Return the allowed value that a text names. Raises `GameError` (`option-value`)."""
    for value in _allowed_values(option):
        if _value_text(value) == text:
            return value
    raise GameError(TextCode.OPTION_VALUE, option=option.name, value=text)


def _value_text(value: object) -> str:
    """Return the text of an option's value in a game id."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
