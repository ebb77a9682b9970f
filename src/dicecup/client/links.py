"""Links to tables, such as `https://dice.example.org/tables/0123456789abcdef0123#join=KEY`, to
tournaments, and with the identity of another device."""

import re
from dataclasses import dataclass
from typing import Final, Self

from dicecup.client.client_errors import ClientCode, ClientError

_LINK: Final = re.compile(
    r"(?P<url>https?://[^/?#\s]+(?:/[^?#\s]*)?)/tables/(?P<table>[0-9a-f]{20})/?(?:#(?P<kind>join|watch)=(?P<key>[0-9a-f]+))?",
    re.ASCII,
)

_TOURNAMENT: Final = re.compile(
    r"(?P<url>https?://[^/?#\s]+(?:/[^?#\s]*)?)/tournaments/(?P<tournament>[0-9a-f]{20})(?:[/?#]\S*)?", re.ASCII
)

TRANSFER: Final = "/transfer#"
"""What every link with the identity of another device contains."""
_TRANSFER: Final = re.compile(rf"(?P<url>https?://[^/?#\s]+(?:/[^?#\s]*)?){TRANSFER}(?P<secret>[!-~]+)", re.ASCII)


def read_transfer(text: str) -> tuple[str, str]:
    """Return the server and the secret of a link with the identity of another device. Raises
    `ClientError` (`not-a-link`)."""
    found = _TRANSFER.fullmatch(text.strip())
    if found is None:
        raise ClientError(ClientCode.NOT_A_LINK, text=text)
    return found["url"], found["secret"]


@dataclass(frozen=True, slots=True)
class TableLink:
    """Link to a table: the `url` of the server, the id of the `table`, and the `key` that lets
    other people see the table.

    With `joins` the key also lets them sit down.
    """

    url: str
    table: str
    key: str | None = None
    joins: bool = False

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the link in a text. Raises `ClientError` (`not-a-link`)."""
        found = _LINK.fullmatch(text.strip())
        if found is None:
            raise ClientError(ClientCode.NOT_A_LINK, text=text)
        return cls(found["url"], found["table"], found["key"], found["kind"] == "join")

    def __str__(self) -> str:
        key = "" if self.key is None else f"#{'join' if self.joins else 'watch'}={self.key}"
        return f"{self.url}/tables/{self.table}{key}"


@dataclass(frozen=True, slots=True)
class TournamentLink:
    """Link to a tournament: the `url` of the server and the id of the `tournament`."""

    url: str
    tournament: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the link in a text. Raises `ClientError` (`not-a-link`)."""
        found = _TOURNAMENT.fullmatch(text.strip())
        if found is None:
            raise ClientError(ClientCode.NOT_A_LINK, text=text)
        return cls(found["url"], found["tournament"])

    def __str__(self) -> str:
        return f"{self.url}/tournaments/{self.tournament}"
