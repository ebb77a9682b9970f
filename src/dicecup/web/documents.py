"""The documents of the protocol for programs: OpenAPI, AsyncAPI and JSON Schema.

`python -m dicecup.web.documents` makes them from the message models and writes them into the
package. A test compares them. A server only reads them: making them takes a second of CPU, and its
tables would wait (docs/decisions/0059).
"""

import json
from typing import Any, Final

from fastapi import FastAPI

from dicecup.web import schemas
from dicecup.web.app import ROUTED
from dicecup.web.http_messages import Problem
from dicecup.web.identity import COOKIE
from dicecup.web.service_pages import PROTOCOL

PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"model": Problem, "description": "Refused; nothing has changed"},
    "5XX": {"model": Problem, "description": "Not possible now"},
}


def made() -> dict[str, str]:
    """Return the documents by file name. Their cookie of an identity has the name `COOKIE`."""
    app = FastAPI(responses=PROBLEMS)
    for module in ROUTED:
        app.include_router(module.router)
    documents = {
        "openapi.json": schemas.openapi(app.routes, COOKIE),
        "asyncapi.json": schemas.asyncapi(),
        "schema.json": schemas.json_schema(),
    }
    return {name: json.dumps(document, ensure_ascii=False, indent=1) + "\n" for name, document in documents.items()}


if __name__ == "__main__":
    PROTOCOL.mkdir(exist_ok=True)
    for name, text in made().items():
        (PROTOCOL / name).write_text(text, "utf-8")
