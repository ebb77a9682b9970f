"""Dependencies of routes: the context, the identity of a request, and its strictly
validated body."""

import hashlib
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from dicecup.hosting.store.identities import new_identity
from dicecup.web.context import AppContext
from dicecup.web.identity import identify
from dicecup.web.messages import Key
from dicecup.web.refusals import WebCode, WebError

Model = TypeVar("Model", bound=BaseModel)


def context_of(request: Request) -> AppContext:
    """Return the context of the server."""
    context: AppContext = request.app.state.context
    return context


Context = Annotated[AppContext, Depends(context_of)]
LinkKey = Annotated[Key | None, Header(alias="Dicecup-Key", description="The secret of a link, for those who do not sit there")]


async def known_identity(request: Request, context: Context) -> str | None:
    """Return the identity of a request, `None` for a new browser. Raises `WebError`
    (`not-a-token`)."""
    return await identify(context.tables, context.signer, request.headers.raw)


async def identity_or_new(request: Request, context: Context, known: Annotated[str | None, Depends(known_identity)]) -> str:
    """Return the identity of a request. A new browser gets an identity in a cookie."""
    identity = known or new_identity()
    if "authorization" not in request.headers:
        set_cookie(request, context, identity)
    return identity


def set_cookie(request: Request, context: AppContext, identity: str) -> None:
    """Give the device an identity: the answer sets its cookie."""
    request.state.cookie = context.signer.cookie(identity)


KnownIdentity = Annotated[str | None, Depends(known_identity)]
Identity = Annotated[str, Depends(identity_or_new)]


def validated(adapter: TypeAdapter[Any], text: str | bytes) -> Any:
    """Return the message in a JSON text.

    Raises `WebError` (`not-a-message`, with the place and the reason) and the typed errors of the
    values in it.
    """
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise WebError(WebCode.NOT_A_MESSAGE, text=".".join(map(str, first["loc"])), why=first["type"]) from None


def body(kind: type[Model]) -> Any:
    """Return a dependency that reads the body of a request as a message.

    The content type must be JSON. A form of another site cannot send it.
    """
    adapter = TypeAdapter(kind)

    async def read(request: Request) -> Model:
        content = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content != "application/json":
            raise WebError(WebCode.NOT_A_MESSAGE, text="content-type", why=content)
        read: Model = validated(adapter, await request.body())
        return read

    return Depends(read)


def takes(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of a body. `dicecup.web.schemas` adds the schema of the
    message."""
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def answer(message: BaseModel | dict[str, Any], status: int = 200) -> Response:
    """Return a message as a JSON response."""
    return Response(to_json(message), status, media_type="application/json")


def cached_answer(request: Request, encoded: bytes) -> Response:
    """Return JSON that changes only with the version of the server. A client that has it already
    gets no body."""
    etag = f'"{hashlib.sha256(encoded).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in known:
        return Response(status_code=304, headers=headers)
    return Response(encoded, headers=headers, media_type="application/json")
