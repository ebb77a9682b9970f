"""Bodies of requests, strictly validated. A long one is read in another process, so that it delays
no table."""

from functools import cache
from typing import Any, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, TypeAdapter

from dicecup.hosting.event_reader import LONGEST_IN_LOOP
from dicecup.web.jobs import Jobs
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import validated

Model = TypeVar("Model", bound=BaseModel)


def body(kind: type[Model]) -> Any:
    """Return a dependency that reads the body of a request as a message.

    The content type must be JSON. A form of another site cannot send it.
    """

    async def read(request: Request, jobs: Jobs) -> Model:
        content = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content != "application/json":
            raise WebError(WebCode.NOT_A_MESSAGE, text="content-type", why=content)
        data = await request.body()
        return message_of(kind, data) if len(data) <= LONGEST_IN_LOOP else await jobs.read(message_of, kind, data)

    return Depends(read)


def message_of(kind: type[Model], data: bytes) -> Model:
    """Return the message in a body. Raises as `validated`."""
    read: Model = validated(_adapter(kind), data)
    return read


def takes(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of a body. `dicecup.web.schemas` adds the schema of the
    message."""
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


@cache
def _adapter(kind: type[BaseModel]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
