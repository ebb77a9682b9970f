"""What routes need of a request: its body, strictly read; whose it is; the desk."""

from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from dicecup.hosting.store.identities import new_identity
from dicecup.web.context import Desk
from dicecup.web.errors import WebCode, WebError
from dicecup.web.identity import identify
from dicecup.web.messages import Key

Model = TypeVar("Model", bound=BaseModel)


def desk_of(request: Request) -> Desk:
    """The server's."""
    desk: Desk = request.app.state.desk
    return desk


AtDesk = Annotated[Desk, Depends(desk_of)]
LinkKey = Annotated[Key | None, Header(alias="Dicecup-Key", description="The secret of a link, for those who do not sit there")]


async def person(request: Request, desk: AtDesk) -> str | None:
    """Whose request it is. Raises `WebError` (`not-a-token`)."""
    return await identify(desk.hub, desk.signer, request.headers.raw)


async def somebody(request: Request, desk: AtDesk, known: Annotated[str | None, Depends(person)]) -> str:
    """Whose request it is; somebody new gets an identity, in a cookie."""
    identity = known or new_identity()
    if "authorization" not in request.headers:
        remember(request, desk, identity)
    return identity


def remember(request: Request, desk: Desk, identity: str) -> None:
    """The device stands for that identity from now on."""
    request.state.cookie = desk.signer.cookie(identity)


Person = Annotated[str | None, Depends(person)]
Somebody = Annotated[str, Depends(somebody)]


def validated(adapter: TypeAdapter[Any], text: str | bytes) -> Any:
    """What this JSON says. Raises `WebError` (`not-a-message`: where it is wrong, and why), and what the value itself refuses."""
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise WebError(WebCode.NOT_A_MESSAGE, text=".".join(map(str, first["loc"])), why=first["type"]) from None


def body(kind: type[Model]) -> Any:
    """The request's body as such a message: a dependency. A form cannot send it, so that no other site can."""
    adapter = TypeAdapter(kind)

    async def read(request: Request) -> Model:
        content = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content != "application/json":
            raise WebError(WebCode.NOT_A_MESSAGE, text="content-type", why=content)
        read: Model = validated(adapter, await request.body())
        return read

    return Depends(read)


def takes(kind: type[BaseModel]) -> dict[str, Any]:
    """What OpenAPI says of that body; `dicecup.web.schemas` adds the schema itself."""
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def answer(message: BaseModel | dict[str, Any], status: int = 200) -> Response:
    """A message as it is sent."""
    return Response(to_json(message), status, media_type="application/json")
