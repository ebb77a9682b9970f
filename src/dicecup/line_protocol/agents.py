"""Python agents by an import path `package.module:factory`.

`factory(seed)` returns a player: an object with `choose(position)`, which returns one of
`position.actions` or its text. It may have `correct(position, side)`, too (`Corrects`).
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

from dicecup.line_protocol.errors import LineProtocolCode, LineProtocolError
from dicecup.players import Player

MakePlayer: TypeAlias = Callable[[str], Player]
"""A function that returns a player for the seed of its own random choices."""


def agent_factory(path: str) -> MakePlayer:
    """Return the factory of an import path, checked at each call.

    Raises `LineProtocolError` (`not-an-agent`), and so does the factory.
    """
    module_name, _, names = path.partition(":")
    try:
        found: Any = import_module(module_name)
        for name in names.split("."):
            found = getattr(found, name)
    except Exception as error:
        raise _not_an_agent(path, f"{type(error).__name__}: {error}") from error
    if not callable(found):
        raise _not_an_agent(path, f"{type(found).__name__} is not callable")

    def make(seed: str) -> Player:
        try:
            player: Player = found(seed)
        except Exception as error:
            raise _not_an_agent(path, f"{type(error).__name__}: {error}") from error
        if not callable(getattr(player, "choose", None)):
            raise _not_an_agent(path, f"{type(player).__name__} has no choose")
        return player

    return make


def _not_an_agent(path: str, why: str) -> LineProtocolError:
    return LineProtocolError(LineProtocolCode.NOT_AN_AGENT, text=path, why=why)
