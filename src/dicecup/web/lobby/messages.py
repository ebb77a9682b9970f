"""The messages of the lobby's WebSocket."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from dicecup.table.setup import Clock, DiceOf
from dicecup.web.messages import CommandId, Incoming, Language, Number, Outgoing, Ping, Pong, Refused, Told

LONGEST_GAME: Final = 200
"""Characters of a game id in a request."""
TableId: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{20}$")]

PersonId: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{22}$")]


class LobbyHello(Incoming):
    """The first message. `language` of the sentences in refusals, by default that of the
    handshake's `Accept-Language`, which pages cannot set."""

    type: Literal["hello"]
    language: Language | None = None


class SeekOpponent(Incoming):
    """A request for an opponent.

    `id` is chosen by the client. A request with a known `id` is not a new one. People are paired
    who want the same `game` and `clock`; the options in the game id and `rated` are wishes. The
    game is rated if both want that. `name` is that of a person without an account.
    """

    type: Literal["seek"]
    id: CommandId
    game: str = Field(max_length=LONGEST_GAME)
    clock: Clock | None = None
    rated: bool = False
    name: str


class CancelSeek(Incoming):
    """The end of the request. Who is paired already stays paired."""

    type: Literal["cancel"]


class Arrive(Incoming):
    """You have come to the `table` of your pair. Without it the pair is undone after ten
    seconds."""

    type: Literal["arrive"]
    table: TableId


LobbyFromClient: TypeAlias = Annotated[LobbyHello | SeekOpponent | CancelSeek | Arrive | Ping, Field(discriminator="type")]
LOBBY_FROM_CLIENT: Final[TypeAdapter[LobbyHello | SeekOpponent | CancelSeek | Arrive | Ping]] = TypeAdapter(LobbyFromClient)


class ListedSeat(Outgoing):
    """A seat of a listed table. A free seat has neither `name` nor `level`."""

    name: str
    level: str


class ListedTable(Outgoing):
    """A public table with free seats. `key` is that of the link to join it, `level` the wished
    level of opponents or empty, `created` in seconds since 1970."""

    table: str
    key: str
    game: str
    created: float
    seats: list[ListedSeat]
    level: str
    clock: Clock | None
    dice: DiceOf
    games: int
    rated: bool


class Lobby(Outgoing):
    """The lobby: how many `people` are there, and open tables.

    The first message has all `tables`. Later ones have those that are new or have changed, and in
    `gone` the ids of those that are not open any more.
    """

    type: Literal["lobby"]
    people: int
    tables: list[ListedTable]
    gone: list[str]


class OwnSeek(Outgoing):
    """Your request with its `id`. `since` is when you began to wait, in seconds since 1970.

    `offers_computer`: you have waited so long that a game against the computer is worth offering;
    you keep your place meanwhile. `table`: where you sit with your opponent; come there and send
    `arrive`.
    """

    id: str
    game: str
    clock: Clock | None
    rated: bool
    since: float
    offers_computer: bool
    table: str | None


class SeekState(Outgoing):
    """Your request, null if there is none any more.

    `code`: `opponent-left` if your opponent did not come and you wait again at your old place, and
    `seat-missed` if you did not come yourself.
    """

    type: Literal["seek"]
    seek: OwnSeek | None
    code: Literal["", "opponent-left", "seat-missed"]


class LobbyInvitation(Outgoing):
    """An invitation to a table of a person called `name`. `key` is that of the link to join it,
    `created` in seconds since 1970."""

    table: str
    key: str
    name: str
    game: str
    created: float


class LobbyInvitations(Outgoing):
    """All invitations that you have now, the newest first."""

    type: Literal["invitations"]
    invitations: list[LobbyInvitation]


class LobbyNow(Outgoing):
    """The lobby for those who do not look at it: how many `people` are there, and the invitations
    that you have now, the newest first. `declined`: ids of tables to which you have invited a
    person who declined. A table is listed until its game begins."""

    people: int
    invitations: list[LobbyInvitation]
    declined: list[str]


class KnownPerson(Outgoing):
    """A person whom you have played last in this `game`. The `id` is valid for you alone. `online`:
    whether the person is in the lobby, null unless both of you show it."""

    id: str
    name: str
    online: bool | None
    game: str


class KnownPeople(Outgoing):
    """The people whom you have played, and those whom you have blocked. `shows_online`: whether you
    show them when you are in the lobby."""

    people: list[KnownPerson]
    blocked: list[KnownPerson]
    shows_online: bool


class ShowOnline(Incoming):
    """Whether people whom you have played see when you are in the lobby."""

    shows: bool


class AskInvitation(Incoming):
    """The invitation of a person to a table at which you sit."""

    table: TableId
    person: PersonId


class AskPersonBlock(Incoming):
    """The person whom you block: a `person` whom you have played, or who sits on a `seat` of a
    `table` with you; one of both."""

    person: PersonId | None = None
    table: TableId | None = None
    seat: Number | None = None


LobbyFromServer: TypeAlias = Annotated[
    Lobby | SeekState | LobbyInvitations | Refused | Pong | Told, Field(discriminator="type")
]
