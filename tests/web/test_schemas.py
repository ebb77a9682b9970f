"""The published documents are valid, and every message of a played game fits them."""

import json
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from dicecup.table.commands import COMMANDS
from dicecup.table.events import EVENTS, public
from dicecup.web import schemas
from dicecup.web.messages import EVENT_MODELS
from dicecup.web.view_models import View
from tests.table.tables import Table, setups
from tests.web.serving import Browser


def validator_of(kind: str) -> Draft202012Validator:
    schema = schemas.json_schema()
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]})


def test_the_schema_is_valid() -> None:
    schema = schemas.json_schema()
    validator_for(schema).check_schema(schema)


@pytest.mark.parametrize("setup", list(setups()), ids=lambda setup: setup.game)
def test_every_view_is_as_the_model_says(setup: Any) -> None:
    table, chance = Table(setup, ready=False), Random(7)
    for _ in range(60):
        for seats in ((), range(len(setup.seats))):
            shown = json.loads(json.dumps(table.view(*seats)))
            assert View.model_validate(shown).model_dump(mode="json", exclude_unset=True) == shown
        if table.state.end is None:
            table.step(chance)


def test_every_event_but_for_identities_has_a_model() -> None:
    assert len(EVENT_MODELS) == len(EVENTS)
    for kind, model in zip(EVENTS.values(), EVENT_MODELS, strict=True):
        names = set(model.model_fields)
        assert names == ({"number", "time"} | {field.name for field in fields(kind)}) - {"identity"}


def test_published_events_fit_the_schema() -> None:
    table = Table(next(setups()))
    table.finish(Random(3))
    validator = validator_of("FromServer")
    events = [{"number": number, "time": 1.5, **public(event)} for number, _, event in table.stored]
    validator.validate({"type": "update", "number": len(events), "events": events, "view": None, "trouble": ""})
    assert not validator.is_valid({"type": "update", "number": 1, "events": [{"type": "seated"}], "view": None, "trouble": ""})


async def test_every_message_of_a_connection_fits_the_schema(anna: Browser) -> None:
    made = await anna.make()
    validator = validator_of("FromServer")
    async with anna.socket(made["table"], {"since": 0}) as socket:
        validator.validate(await socket.receive())
        for message in ({"type": "ping"}, "x", {"type": "command", "id": "1", "version": 3, "command": {"type": "throw"}}):
            await socket.send(message)
            validator.validate(await socket.receive())


def test_every_command_is_in_the_schema() -> None:
    commands = schemas.json_schema()["$defs"]["Do"]["properties"]["command"]["discriminator"]["mapping"]
    assert set(commands) == set(COMMANDS)


def test_the_schema_refuses_invalid_client_messages() -> None:
    validator = validator_of("FromClient")
    assert validator.is_valid({"type": "hello"})
    assert validator.is_valid({"type": "command", "id": "1", "version": 0, "command": {"type": "act", "action": "c3"}})
    assert not validator.is_valid({"type": "command", "id": "1", "version": 0, "command": {"type": "act"}})
    assert not validator.is_valid({"type": "update"})


def test_every_reference_of_every_document_leads_somewhere() -> None:
    for document in (schemas.json_schema(), schemas.asyncapi()):
        for reference in references(document):
            found: Any = document
            for step in reference.removeprefix("#/").split("/"):
                found = found[step]


async def test_the_documents_are_published(anna: Browser) -> None:
    openapi = (await anna.http.get("/openapi.json")).json()
    assert openapi["openapi"].startswith("3.1")
    for reference in references(openapi):
        found: Any = openapi
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
    assert (await anna.http.get("/schema.json")).json() == json.loads(json.dumps(schemas.json_schema()))
    assert (await anna.http.get("/asyncapi.json")).json()["asyncapi"] == "3.0.0"
    docs = (await anna.http.get("/docs")).text
    assert all(path in docs for path in ("/openapi.json", "/schema.json", "/asyncapi.json", *openapi["paths"]))
    assert all(f"<code>{command}</code>" in docs for command in COMMANDS)


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for inner in value.values() for found in references(inner)]
    return [found for inner in value for found in references(inner)] if isinstance(value, list) else []
