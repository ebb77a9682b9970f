"""Documents of the protocol, made from the message models: OpenAPI for HTTP, JSON Schema and
AsyncAPI for the WebSocket."""

import json
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.routing import BaseRoute

from dicecup import __version__
from dicecup.web import admin_messages, http_messages, learning_messages, messages, mistake_messages
from dicecup.web.admin_messages import (
    AskAnnouncement,
    AskBan,
    AskBlock,
    AskPerson,
    AskReport,
    AskResolution,
    AskSeat,
    AskUnblock,
)
from dicecup.web.competition import duplicate_messages, rating_messages, tournament_messages
from dicecup.web.competition.duplicate_messages import AskEntry, NewEvent
from dicecup.web.competition.tournament_messages import (
    NewTournament,
    SendToTournament,
    TournamentChanged,
    TournamentHello,
)
from dicecup.web.http_messages import AskStart, DeviceGame, HandBack, NewTable, Redeem, Send
from dicecup.web.learning_messages import AskAnalysis, AskOdds, AskQuestion, AskReview, AskShow, AskVerdict
from dicecup.web.lobby import messages as lobby_messages
from dicecup.web.lobby.messages import (
    Arrive,
    AskInvitation,
    AskPersonBlock,
    CancelSeek,
    Lobby,
    LobbyHello,
    LobbyInvitations,
    SeekOpponent,
    SeekState,
    ShowOnline,
)
from dicecup.web.messages import Do, Done, Hello, Ping, Pong, Refused, Told, Update
from dicecup.web.mistake_messages import AnswerMistakes
from dicecup.web.people import messages as people_messages
from dicecup.web.people import notice_messages, provider_messages
from dicecup.web.people.messages import (
    AskPasskey,
    ChangeAccount,
    NamePasskey,
    NewAccount,
    NewPasskey,
    SignInCode,
    SignInPasskey,
)
from dicecup.web.people.notice_messages import ChangedMail, MailToken, NewMail, NewPush, Quiet
from dicecup.web.people.provider_messages import NewProviderAccount, ProviderAnswer, ProviderTicket
from dicecup.web.sharing import messages as sharing_messages

Document = dict[str, Any]
BODIES: Final = (
    NewTable,
    AskStart,
    Send,
    Redeem,
    DeviceGame,
    HandBack,
    AskPasskey,
    NewAccount,
    ChangeAccount,
    NewPasskey,
    NamePasskey,
    SignInPasskey,
    SignInCode,
    ProviderAnswer,
    ProviderTicket,
    NewProviderAccount,
    NewPush,
    ChangedMail,
    NewMail,
    Quiet,
    MailToken,
    AskOdds,
    AskAnalysis,
    AskReview,
    AskShow,
    AskQuestion,
    AskVerdict,
    AnswerMistakes,
    AskReport,
    AskBan,
    AskPerson,
    AskBlock,
    AskUnblock,
    AskResolution,
    AskAnnouncement,
    AskSeat,
    ShowOnline,
    AskInvitation,
    AskPersonBlock,
    NewTournament,
    SendToTournament,
    NewEvent,
    AskEntry,
)
FROM_CLIENT: Final = (Hello, Do, Ping)
FROM_SERVER: Final = (Update, Done, Refused, Pong, Told)
LOBBY_FROM_CLIENT: Final = (LobbyHello, SeekOpponent, CancelSeek, Arrive, Ping)
LOBBY_FROM_SERVER: Final = (Lobby, SeekState, LobbyInvitations, Refused, Pong, Told)
TOURNAMENT_FROM_CLIENT: Final = (TournamentHello, Ping)
TOURNAMENT_FROM_SERVER: Final = (TournamentChanged, Refused, Pong, Told)
REF: Final = "#/components/schemas/{model}"
TITLE: Final = "Dicecup"


def openapi(routes: Sequence[BaseRoute], cookie: str) -> Document:
    """Return the OpenAPI document of routes. FastAPI does not know the bodies and the
    authentication, which are added.

    `cookie` is the name of the identity's cookie.
    """
    document: Document = get_openapi(title=TITLE, version=__version__, routes=routes)
    components = document.setdefault("components", {})
    components["schemas"] = components.get("schemas", {}) | _definitions(*BODIES, mode="validation")
    components["securitySchemes"] = {
        "cookie": {"type": "apiKey", "in": "cookie", "name": cookie},
        "bearer": {"type": "http", "scheme": "bearer"},
    }
    document["security"] = [{}, {"cookie": []}, {"bearer": []}]
    return document


@cache
def json_schema() -> Document:
    """Return the JSON Schema of the messages of all WebSockets: `$defs/FromClient` and
    `$defs/FromServer` of tables, `$defs/LobbyFromClient` and `$defs/LobbyFromServer` of the lobby,
    `$defs/TournamentFromClient` and `$defs/TournamentFromServer` of tournaments."""
    sides = {
        "FromClient": FROM_CLIENT,
        "FromServer": FROM_SERVER,
        "LobbyFromClient": LOBBY_FROM_CLIENT,
        "LobbyFromServer": LOBBY_FROM_SERVER,
        "TournamentFromClient": TOURNAMENT_FROM_CLIENT,
        "TournamentFromServer": TOURNAMENT_FROM_SERVER,
    }
    definitions = _definitions(*_all_from_client(), mode="validation", ref="#/$defs/{model}")
    definitions |= _definitions(*_all_from_server(), mode="serialization", ref="#/$defs/{model}")
    definitions |= {name: {"oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]} for name, kinds in sides.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{TITLE}, protocol {messages.PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in sides],
        "$defs": definitions,
    }


@cache
def asyncapi() -> Document:
    """Return the AsyncAPI document of the WebSockets: a channel for tables, one for the lobby and
    one for tournaments, with the messages of both directions."""
    from_client, from_server = _all_from_client(), _all_from_server()
    definitions = _definitions(*from_client, mode="validation") | _definitions(*from_server, mode="serialization")
    described = {
        kind.__name__: {
            "summary": (kind.__doc__ or "").partition("\n")[0],
            "payload": {"$ref": REF.format(model=kind.__name__)},
        }
        for kind in (*from_client, *from_server)
    }
    table = _channel("/ws/tables/{table}", (*FROM_CLIENT, *FROM_SERVER))
    tournament = _channel("/ws/tournaments/{tournament}", (*TOURNAMENT_FROM_CLIENT, *TOURNAMENT_FROM_SERVER))
    return {
        "asyncapi": "3.0.0",
        "info": {"title": TITLE, "version": __version__},
        "defaultContentType": "application/json",
        "channels": {
            "table": table | {"parameters": {"table": {"description": "The id of a table"}}},
            "lobby": _channel("/ws/lobby", (*LOBBY_FROM_CLIENT, *LOBBY_FROM_SERVER)),
            "tournament": tournament | {"parameters": {"tournament": {"description": "The id of a tournament"}}},
        },
        "operations": {
            "fromClient": _operation("receive", "table", FROM_CLIENT),
            "fromServer": _operation("send", "table", FROM_SERVER),
            "lobbyFromClient": _operation("receive", "lobby", LOBBY_FROM_CLIENT),
            "lobbyFromServer": _operation("send", "lobby", LOBBY_FROM_SERVER),
            "tournamentFromClient": _operation("receive", "tournament", TOURNAMENT_FROM_CLIENT),
            "tournamentFromServer": _operation("send", "tournament", TOURNAMENT_FROM_SERVER),
        },
        "components": {"messages": described, "schemas": definitions},
    }


@cache
def everything() -> Document:
    """Return one schema of all messages, HTTP and WebSocket. The browser's types are generated from
    it."""
    modules = (
        messages,
        http_messages,
        people_messages,
        provider_messages,
        learning_messages,
        mistake_messages,
        admin_messages,
        lobby_messages,
        notice_messages,
        tournament_messages,
        rating_messages,
        duplicate_messages,
        sharing_messages,
    )
    named = {name: kind for module in modules for name, kind in vars(module).items()}.values()
    kinds = [kind for kind in named if isinstance(kind, type) and issubclass(kind, BaseModel)]
    incoming = [kind for kind in kinds if issubclass(kind, messages.Incoming)]
    outgoing = [kind for kind in kinds if kind not in incoming and kind is not BaseModel]
    definitions = _definitions(*incoming, mode="validation", ref="#/$defs/{model}")
    return {"$defs": definitions | _definitions(*outgoing, mode="serialization", ref="#/$defs/{model}")}


def _all_from_client() -> list[type[BaseModel]]:
    """Return the messages of clients of all WebSockets, each once."""
    return list(dict.fromkeys((*FROM_CLIENT, *LOBBY_FROM_CLIENT, *TOURNAMENT_FROM_CLIENT)))


def _all_from_server() -> list[type[BaseModel]]:
    """Return the messages of the server of all WebSockets, each once."""
    return list(dict.fromkeys((*FROM_SERVER, *LOBBY_FROM_SERVER, *TOURNAMENT_FROM_SERVER)))


def _channel(address: str, kinds: tuple[type[BaseModel], ...]) -> Document:
    """Return an AsyncAPI channel."""
    listed = {kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in kinds}
    return {"address": address, "messages": listed, "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}}}


def _operation(action: str, channel: str, kinds: tuple[type[BaseModel], ...]) -> Document:
    """Return an AsyncAPI operation of the server."""
    listed = [{"$ref": f"#/channels/{channel}/messages/{kind.__name__}"} for kind in kinds]
    return {"action": action, "channel": {"$ref": f"#/channels/{channel}"}, "messages": listed}


def _definitions(*kinds: type[BaseModel], mode: Any, ref: str = REF) -> Document:
    _, schema = models_json_schema([(kind, mode) for kind in kinds], ref_template=ref)
    found: Document = schema["$defs"]
    return found


if __name__ == "__main__":
    json.dump(everything(), sys.stdout)
