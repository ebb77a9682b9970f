"""Errors of the client, and refusals of the server."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self, cast

from dicecup.core.errors import DicecupError


class ClientCode(StrEnum):
    """Reason for which the server was not asked or did not answer."""

    NOT_A_LINK = "not-a-link"
    UNREACHABLE = "unreachable"
    LEFT = "left"
    """The client or the server has closed the connection for good."""
    ENGINE_AT_REAL_DICE = "engine-at-real-dice"
    """An engine cannot play at a table with real dice."""


class ClientError(DicecupError):
    """A request that got no answer (`details`: `text` of the link or the address, `why`)."""


class ServerRefusal(DicecupError):  # noqa: N818 the server refuses; nothing is broken
    """A request or a command that the server refused. Nothing has changed on the server.

    `code` and `message` (a sentence) come from the server. `number` is the newest event of the
    table if the command was meant for an earlier one.
    """

    def __init__(self, code: str, message: str = "", number: int | None = None, **details: object) -> None:
        super().__init__(cast(StrEnum, code), **details)
        self.message = message
        self.number = number

    @classmethod
    def from_json(cls, error: Mapping[str, Any]) -> Self:
        """Return the refusal in the member `error` of a server's message."""
        return cls(error["code"], error.get("message", ""), error.get("number"), **error.get("details", {}))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (str(self.code), self.message, self.number, dict(self.details))


def _rebuild(code: str, message: str, number: int | None, details: dict[str, object]) -> ServerRefusal:
    return ServerRefusal(code, message, number, **details)
