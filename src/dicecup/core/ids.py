"""Game ids: a name, and in brackets the options that differ from their defaults, in a pinned order.

`yam-master(failed_defi=ignored,captured=out)`. Each game reads and writes its own options with these two functions.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from dicecup.core.errors import GameError, TextCode

_Value = TypeVar("_Value", bound=StrEnum)
_ID: Final = re.compile(r"([a-z]+(?:-[a-z]+)*)(?:\(([^()]+)\))?", re.ASCII)


def split_id(text: str) -> tuple[str, dict[str, str]]:
    """The name of the game and the options as written. Raises `GameError` (`not-a-game`)."""
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


def join_id(name: str, options: Mapping[str, object], defaults: Mapping[str, object]) -> str:
    """The canonical id; `options` and `defaults` hold every option in the pinned order."""
    inside = ",".join(f"{option}={option_text(value)}" for option, value in options.items() if value != defaults[option])
    return f"{name}({inside})" if inside else name


def check_options(text: str, written: Mapping[str, str], defaults: Mapping[str, object]) -> None:
    """Refuses what no canonical id holds. Raises `GameError` (`unknown-option`, `option-order`, `option-default`)."""
    order = list(defaults)
    for option, value in written.items():
        if option not in defaults:
            raise GameError(TextCode.UNKNOWN_OPTION, text=text, option=option)
        if value == option_text(defaults[option]):
            raise GameError(TextCode.OPTION_DEFAULT, text=text, option=option, value=value)
    if list(written) != sorted(written, key=order.index):
        raise GameError(TextCode.OPTION_ORDER, text=text, order=",".join(order))


def option_value(kind: type[_Value], option: str, written: Mapping[str, str], default: _Value) -> _Value:
    """The member of `kind` that is written for this option, or the default. Raises `GameError` (`option-value`)."""
    try:
        return kind(written.get(option, default))
    except ValueError:
        raise GameError(TextCode.OPTION_VALUE, option=option, value=written[option]) from None


def option_text(value: object) -> str:
    """An option's value as an id holds it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
