"""Dependencies of routes: the context and the identity of a request. Answers."""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from dicecup.hosting.errors import HostingError
from dicecup.hosting.learning.merging import take_over
from dicecup.hosting.quotas import Quota
from dicecup.hosting.store.devices import EARLIER, Credential
from dicecup.hosting.store.identities import new_identity
from dicecup.web.agents import agent_name
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.identity import identify, new_device
from dicecup.web.messages import Key
from dicecup.web.refusals import WebCode, WebError

NO_QUALITY: Final = re.compile(r"q\s*=\s*0(\.0*)?")


def context_of(request: Request) -> AppContext:
    """Return the context of the server."""
    context: AppContext = request.app.state.context
    return context


Context = Annotated[AppContext, Depends(context_of)]
LinkKey = Annotated[Key | None, Header(alias="Dicecup-Key", description="The secret of a link, for those who do not sit there")]


async def known_credential(request: Request, context: Context) -> Credential | None:
    """Return the credential of a request, `None` for a new browser. Raises `WebError`
    (`not-a-token`) and `HostingError` (`banned`)."""
    return await identify(context.tables, context.signer, request.headers.raw)


KnownCredential = Annotated[Credential | None, Depends(known_credential)]


async def known_identity(known: KnownCredential) -> str | None:
    """Return the identity of a request, `None` for a new browser. Raises as `known_credential`."""
    return known and known.identity


async def credential_or_new(request: Request, context: Context, known: KnownCredential) -> Credential:
    """Return the credential of a request. A new browser gets an identity in a cookie.

    Raises `HostingError` (`too-much-today`) if its network got too many.
    """
    if known is None:
        context.take(Quota.IDENTITIES, address_of(request.scope))
        known = Credential(new_identity(), new_device())
    elif known.device == EARLIER:
        known = await _with_device(request, context, known)
    if known.device not in ("", EARLIER):
        sign_in(request, context, known)
    return known


OwnCredential = Annotated[Credential, Depends(credential_or_new)]


async def identity_or_new(own: OwnCredential) -> str:
    """Return the identity of a request, as `credential_or_new`."""
    return own.identity


async def _with_device(request: Request, context: AppContext, known: Credential) -> Credential:
    """Return the credential of a browser whose cookie names no device with a new device. It stays
    as it is if its network may store nothing more today.

    Raises `WebError` (`no-identity`) if cookies without a device were signed out meanwhile, and
    `StoreError`.
    """
    budget, device = context.budget(address_of(request.scope)), new_device()
    try:
        budget.check()
    except HostingError:
        return known
    if not await context.tables.credentials.replace_earlier(known.identity, device, browser_of(request)):
        raise WebError(WebCode.NO_IDENTITY)
    budget.spend()
    return known._replace(device=device)


def sign_in(request: Request, context: AppContext, credential: Credential) -> None:
    """Give a browser its identity and device: the answer sets its cookie."""
    request.state.cookie = context.signer.cookie(credential.identity, credential.device)


async def switch_identity(request: Request, context: AppContext, known: Credential | None, now: Credential) -> None:
    """Give a browser another identity, and sign it out of the one that it was `known` as. If that
    has no account, its cards become those of the other identity. Raises `StoreError`."""
    sign_in(request, context, now)
    if known is not None and known.device and known.identity != now.identity:
        await end_device(context, known.identity, known.device)
        await take_over(context.tables.store, known.identity, now.identity)


async def end_device(context: AppContext, identity: str, device: str) -> None:
    """Sign out a device, which ends its push subscription. Raises `StoreError`."""
    await context.tables.credentials.end_device(identity, device)
    await context.tables.recipients.changed(identity)


def browser_of(request: Request) -> str:
    """Return browser and system of a request in short."""
    return agent_name(request.headers.get("user-agent", ""))


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


def answer(message: BaseModel | dict[str, Any], status: int = 200) -> Response:
    """Return a message as a JSON response."""
    return encoded_answer(to_json(message), status)


def encoded_answer(message: bytes, status: int = 200) -> Response:
    """Return a message that is JSON already as a response."""
    return Response(message, status, media_type="application/json")


def cached_answer(
    request: Request, document: bytes, media_type: str = "application/json", headers: Mapping[str, str] | None = None
) -> Response:
    """Return a document that was made once. A client that has it already gets no body.

    `headers` may replace the `Cache-Control`, with which the client asks again each time.
    """
    etag = _etag(document)
    sent = {"ETag": etag, "Cache-Control": "no-cache", **(headers or {})}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in known:
        return Response(status_code=304, headers=sent)
    return Response(document, headers=sent, media_type=media_type)


def accepted_encodings(request: Request) -> frozenset[str]:
    """Return the content codings that a client accepts, without those of quality 0."""
    return _accepted(request.headers.get("accept-encoding", ""))


@lru_cache(maxsize=64)
def _accepted(header: str) -> frozenset[str]:
    """Return the content codings in a header `Accept-Encoding`."""
    parts = [[piece.strip().lower() for piece in part.split(";")] for part in header.split(",")]
    return frozenset(name for name, *quality in parts if name and not NO_QUALITY.fullmatch("".join(quality)))


@lru_cache(maxsize=512)
def _etag(document: bytes) -> str:
    return f'"{hashlib.sha256(document).hexdigest()[:32]}"'
