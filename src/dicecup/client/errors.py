"""What goes wrong between a client and its server."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, cast

from dicecup.core.errors import DicecupError


class ClientCode(StrEnum):
    """Why nothing could be asked, or no answer came."""

    NOT_A_LINK = "not-a-link"
    UNREACHABLE = "unreachable"
    LEFT = "left"


class ClientError(DicecupError):
    """Nothing was refused: the server could not be asked (`details`: `text` of the link, or `why`)."""


class Refused(DicecupError):  # noqa: N818 it says what the server did
    """The server refuses, and nothing has changed. `code` is its code, `message` its sentence, `number` that of the table where a
    command was meant for an earlier one."""

    def __init__(self, code: str, message: str = "", number: int | None = None, **details: object) -> None:
        super().__init__(cast(StrEnum, code), **details)
        self.message = message
        self.number = number

    @classmethod
    def of(cls, error: Mapping[str, Any]) -> "Refused":
        """As the server says it."""
        return cls(error["code"], error.get("message", ""), error.get("number"), **error.get("details", {}))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (str(self.code), self.message, self.number, dict(self.details))


def _rebuild(code: str, message: str, number: int | None, details: dict[str, object]) -> Refused:
    return Refused(code, message, number, **details)
