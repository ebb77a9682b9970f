"""The messages of the WebSocket, and the types that all messages of the protocol share.

`http_messages`, `learning_messages` and `people.messages` hold the messages of HTTP. `schemas`
makes OpenAPI, JSON Schema and AsyncAPI from all of them. Incoming messages are validated strictly:
no value is coerced and no unknown member is accepted. Commands and setups are the values of
`dicecup.table`.
"""

from dataclasses import fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from dicecup.hosting.table_host import LONGEST_COMMAND_ID
from dicecup.locale import LANGUAGES
from dicecup.table.commands import Command
from dicecup.table.events import EVENTS
from dicecup.web.view_models import Change

PROTOCOL: Final = 2
"""Version of the protocol. It grows when a message changes so that an older client would misread
it."""


class Incoming(BaseModel):
    """Message from a client."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Outgoing(BaseModel):
    """Message from the server. Clients ignore members that they do not know."""


CommandId: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_COMMAND_ID)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=2**31)]
Key: TypeAlias = Annotated[str, Field(max_length=64)]
Language: TypeAlias = Literal[LANGUAGES]  # type: ignore[valid-type]  # one for each catalogue
AnyCommand: TypeAlias = Annotated[Command, Field(discriminator="type")]


class Hello(Incoming):
    """The first message.

    `since`: the number of the last event that the client has; the first update then has the later
    events. `key`: the key of a link, for people without a seat. `language` of the sentences in
    refusals, by default that of the handshake's `Accept-Language`, which pages cannot set.
    """

    type: Literal["hello"]
    since: Number | None = None
    key: Key | None = None
    language: Language | None = None


class Do(Incoming):
    """A command.

    `id` is chosen by the client. A command with a known `id` is answered again, not handled again.
    `version` is the number of the view that the client saw.
    """

    type: Literal["command"]
    id: CommandId
    version: Number
    command: AnyCommand


class Ping(Incoming):
    """A request for a pong, for clients that cannot send the ping of the WebSocket protocol."""

    type: Literal["ping"]


FromClient: TypeAlias = Annotated[Hello | Do | Ping, Field(discriminator="type")]
FROM_CLIENT: Final[TypeAdapter[Hello | Do | Ping]] = TypeAdapter(FromClient)


class Refusal(Outgoing):
    """Reason for which a request or a command was refused. Nothing has changed.

    `code` is stable, `message` a sentence for people, and `details` hold the offending input.
    `number` is the newest event of the table if the command was meant for an earlier one.
    """

    code: str
    message: str
    details: dict[str, Any] = {}
    number: int | None = None


class Done(Outgoing):
    """A command was handled. `number` is the number of its last event."""

    type: Literal["done"]
    id: str
    number: int


class Refused(Outgoing):
    """A command was refused, or a message that cannot be read; then `id` is null. Nothing has
    changed."""

    type: Literal["refused"]
    id: str | None
    error: Refusal


class Pong(Outgoing):
    """The answer to a ping."""

    type: Literal["pong"]


class Told(Outgoing):
    """There is a new message of the host to everybody, which `GET /api/announcement` returns."""

    type: Literal["announcement"]
    number: int


class Invited(Outgoing):
    """Your invitations may have changed. `GET /api/lobby` returns them."""

    type: Literal["invited"]


def _public_event(kind: type) -> type[BaseModel]:
    """Return the model of an event as everyone at the table may see it: with number and time,
    without identity."""
    hints = get_type_hints(kind)
    shown: dict[str, Any] = {"number": (int, ...), "time": (float, ...)}
    shown |= {field.name: (hints[field.name], ...) for field in fields(kind) if field.name != "identity"}
    return cast("type[BaseModel]", create_model(f"{kind.__name__}Event", __base__=Outgoing, __doc__=kind.__doc__, **shown))


EVENT_MODELS: Final = tuple(_public_event(kind) for kind in EVENTS.values())
"""One model for each type of event."""
AnyEvent: TypeAlias = Annotated[reduce(or_, EVENT_MODELS), Field(discriminator="type")]  # type: ignore[valid-type]


class Update(Outgoing):
    """A change of the table.

    `events`: the events since the last update; in the first update those after `since`. There are
    none if only presence has changed, or if the client asked for no gap. The first `view` of a
    connection is whole. Later ones may leave out `board` or `sheets`, `corrections`, `history` and
    `talk` if they have not changed. With `trouble` the server cannot serve the table now, and
    `view` is null.
    """

    type: Literal["update"]
    number: int
    events: list[AnyEvent]
    view: Change | None
    trouble: str = Field(default="", description="The code of the reason, or empty")


FromServer: TypeAlias = Annotated[Update | Done | Refused | Pong | Told | Invited, Field(discriminator="type")]
