"""Requests and answers over HTTP about accounts."""

from typing import Annotated, Any, Literal

from pydantic import Field

from dicecup.table.names import LONGEST_NAME
from dicecup.web.messages import Incoming, Outgoing

Handle = Annotated[str, Field(max_length=4 * LONGEST_NAME)]
"""A handle. Which texts are handles is checked later, with a code of its own."""
Credential = Annotated[dict[str, Any], Field(description="The answer of `navigator.credentials`, as `toJSON()` returns it")]
LONGEST_CODE = 100


class AskPasskey(Incoming):
    """The wish to add a passkey. `handle`: that of the new account, for a person without one."""

    handle: Handle = ""


class PasskeyOptions(Outgoing):
    """What a page hands to `navigator.credentials.create` or `get` (WebAuthn, as JSON)."""

    options: dict[str, Any]


class NewAccount(Incoming):
    """A new account. Everybody may see the profile of a `public` one. `name` is that of the
    passkey."""

    handle: Handle
    public: bool = False
    name: Handle = ""
    credential: Credential


class ChangeAccount(Incoming):
    """Another handle of your account, and who may see its profile."""

    handle: Handle
    public: bool


class NewPasskey(Incoming):
    """A further passkey of your account."""

    name: Handle = ""
    credential: Credential


class NamePasskey(Incoming):
    """Another name of a passkey."""

    name: Handle


class SignInPasskey(Incoming):
    """The answer of a passkey to a challenge."""

    credential: Credential


class SignInCode(Incoming):
    """A recovery code, in capitals or not, with or without hyphens."""

    code: Annotated[str, Field(max_length=LONGEST_CODE)]


class Codes(Outgoing):
    """Ten new recovery codes in place of the earlier ones. They are not shown again."""

    codes: list[str]


class AccountPasskey(Outgoing):
    """A passkey. Times are seconds since 1970."""

    id: str
    name: str
    created: float
    used: float | None


class OwnAccount(Outgoing):
    """Your account. `codes`: recovery codes that are left; `provider`: whether you can sign in with
    the provider of this server."""

    handle: str
    created: float
    public: bool
    passkeys: list[AccountPasskey]
    codes: int
    provider: bool


class ArchivedGame(Outgoing):
    """A finished game. `you`: the seats of the person; `created`: seconds since 1970; `on_device`:
    it was played on a device without the server."""

    table: str
    game: str
    created: float
    outcome: Literal["won", "drawn", "lost"] | None
    on_device: bool
    you: list[int]
    summary: dict[str, Any]


class Archive(Outgoing):
    """A page of your finished games, the newest first. `next`: where the next page begins, null
    after the last one."""

    games: list[ArchivedGame]
    next: str | None


class ProfileGame(Outgoing):
    """How many games of a game ended in which way, and the mean `loss` of a decision in those that
    were reviewed, in a `unit`; null before."""

    game: str
    games: int
    won: int
    drawn: int
    lost: int
    loss: float | None
    decisions: int
    unit: Literal["points", "chance"] | None


class Profile(Outgoing):
    """The profile of a public account. `recent`: the newest games at public tables."""

    handle: str
    created: float
    games: list[ProfileGame]
    recent: list[ArchivedGame]


class AccountState(Outgoing):
    """Your account, null without one. `accounts`: whether this server requires one for tables;
    `provider`: the name of the provider with which people may sign in, null without one; `admin`:
    whether you are an administrator."""

    account: OwnAccount | None
    accounts: Literal["optional", "required"]
    provider: str | None
    admin: bool
