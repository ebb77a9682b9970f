"""The pages of the requests and of the WebSocket messages, made from the message models as the
documents that a server offers are."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dicecup.web.service_pages import PROTOCOL
from docs.site.pages import FRONT, Page

Json = Mapping[str, Any]
FOLDER: Final = "reference"
"""The folder of the documents for programs."""
METHODS: Final = ("get", "post", "put", "patch", "delete")


def documents() -> dict[str, Json]:
    """Return the documents for programs by file name."""
    return {path.name: json.loads(path.read_text("utf-8")) for path in PROTOCOL.glob("*.json")}


def pages(made: Mapping[str, Json]) -> list[Page]:
    """Return the pages that list these documents."""
    listed = {
        "http": "\n".join(_requests(made["openapi.json"])),
        "websockets": "\n".join(_sockets(made["asyncapi.json"])),
    }
    return [Page(name, "en", FRONT / f"{name}.md", text) for name, text in listed.items()]


def write(made: Mapping[str, Json], folder: Path) -> None:
    """Write the documents into a folder of the site."""
    (folder / FOLDER).mkdir()
    for name, document in made.items():
        (folder / FOLDER / name).write_text(json.dumps(document, ensure_ascii=False, indent=1), "utf-8")


def _requests(document: Json) -> Iterator[str]:
    yield "# HTTP requests\n"
    yield "Every request of a server with its parameters, its body and its answer. [protocol.md](../../protocol.md) explains"
    yield "how they work together. Programs read the same as [OpenAPI](site:reference/openapi.json).\n"
    tagged: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method in (name for name in METHODS if name in methods):
            tag = methods[method].get("tags", ["other"])[0]
            tagged.setdefault(tag, []).append(_request(method, path, methods[method]))
    for tag, requests in tagged.items():
        yield f"## {tag.capitalize()}\n"
        yield from requests
    yield from _models(document, "http")


def _request(method: str, path: str, operation: Json) -> str:
    lines = [f"### `{method.upper()} {path}`\n", f"{_text(operation.get('description', ''))}\n"]
    found = [
        (f"`{each['name']}`", each["in"], _type(each["schema"], "http"), _cell(each.get("description", "")))
        for each in operation.get("parameters", ())
    ]
    lines += _table(("parameter", "in", "type", "what it is"), found)
    if "requestBody" in operation:
        lines.append(f"Body: {_contents(operation['requestBody'])}\n")
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            lines.append(f"Answer {status}: {_contents(answer) or 'nothing'}\n")
    return "\n".join(lines)


def _contents(answer: Json) -> str:
    """Return the types of a body or an answer."""
    kinds = answer.get("content", {}).items()
    return ", ".join(_type(kind["schema"], "http") if kind.get("schema") else f"`{media}`" for media, kind in kinds)


def _sockets(document: Json) -> Iterator[str]:
    yield "# WebSocket messages\n"
    yield "Every message of the three WebSockets. [protocol.md](../../protocol.md) explains them. Programs read the same as"
    yield "[AsyncAPI](site:reference/asyncapi.json) and as [JSON Schema](site:reference/schema.json).\n"
    for channel in document["channels"]:
        yield f"## `{document['channels'][channel]['address']}`\n"
        for action, who in (("receive", "client"), ("send", "server")):
            names = [
                message["$ref"].rpartition("/")[2]
                for operation in document["operations"].values()
                if operation["action"] == action and operation["channel"]["$ref"].endswith(f"/{channel}")
                for message in operation["messages"]
            ]
            yield f"From the {who}: {', '.join(_link(name, 'websockets') for name in names)}.\n"
    yield from _models(document, "websockets")


def _models(document: Json, page: str) -> Iterator[str]:
    """Yield the messages and the values in them, by name."""
    yield "## Messages and values\n"
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield f"({page}-{name.lower()})=\n\n### {name}\n"
        yield f"{_text(schema.get('description', ''))}\n"
        required = schema.get("required", ())
        fields = [
            (f"`{field}`", _type(kind, page), "yes" if field in required else f"`{json.dumps(kind.get('default'))}`")
            for field, kind in schema.get("properties", {}).items()
        ]
        yield from _table(("field", "type", "required, or default"), fields)
        if not fields:
            yield f"{_type({key: value for key, value in schema.items() if key != 'description'}, page)}\n"


def _type(schema: Json, page: str) -> str:
    """Return a type in words."""
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2], page)
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(each, page) for each in schema[key])
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}), page)}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'], page)}"
    bounds = [
        f"{words} {schema[key]}"
        for key, words in (
            ("minimum", "at least"),
            ("maximum", "at most"),
            ("minLength", "at least"),
            ("maxLength", "characters: at most"),
            ("maxItems", "items: at most"),
        )
        if key in schema
    ]
    return ", ".join([kind, *bounds])


def _link(name: str, page: str) -> str:
    return f"[{name}](#{page}-{name.lower()})"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a table, nothing without rows."""
    if not rows:
        return []
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)] + [""]


def _text(text: str) -> str:
    """Return a docstring as Markdown: characters of HTML are text."""
    return text.replace("<", "&lt;")


def _cell(text: str) -> str:
    return " ".join(_text(text).replace("|", "\\|").split())
