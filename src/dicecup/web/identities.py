"""Bearer tokens and transfer links over HTTP: one identity on several devices and in programs."""

from time import time
from typing import Annotated

from fastapi import APIRouter, Request, Response

from dicecup.hosting.store.identities import TRANSFER_LIFETIME, issue_token, issue_transfer, redeem, revoke
from dicecup.hosting.store.tokens import revoke_one, token_id, tokens_of
from dicecup.web.http_messages import Redeem, Token, TokenIds, Transfer
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, Identity, KnownIdentity, answer, body, set_cookie, takes

router = APIRouter(prefix="/api", tags=["people"])


@router.post("/tokens", response_model=Token, status_code=201)
async def make_a_token(context: Context, identity: Identity) -> Response:
    """A new bearer token of your identity. It is not shown again."""
    token = await issue_token(context.tables.store, identity)
    return answer(Token(token=token, id=token_id(token)), 201)


@router.get("/tokens", response_model=TokenIds)
async def my_tokens(context: Context, identity: KnownIdentity) -> Response:
    """The ids of your tokens."""
    return answer(TokenIds(tokens=[] if identity is None else await tokens_of(context.tables.store, identity)))


@router.delete("/tokens", status_code=204)
async def revoke_all_tokens(context: Context, identity: KnownIdentity) -> Response:
    """Revoke all your tokens and transfer links."""
    if identity is not None:
        await revoke(context.tables.store, identity)
    return Response(status_code=204)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_a_token(context: Context, identity: KnownIdentity, token: str) -> Response:
    """Revoke your token with this id."""
    if identity is None or not await revoke_one(context.tables.store, identity, token):
        raise WebError(WebCode.NO_SUCH_TOKEN)
    return Response(status_code=204)


@router.post("/transfers", response_model=Transfer, status_code=201)
async def make_a_transfer_link(context: Context, identity: Identity) -> Response:
    """A link that gives another device your identity, once, within ten minutes."""
    now = time()
    secret = await issue_transfer(context.tables.store, identity, now)
    base = context.base
    return answer(Transfer(link=base.transfer(secret), secret=secret, expires=now + TRANSFER_LIFETIME, reach=base.reach), 201)


@router.post("/transfers/redeem", status_code=204, openapi_extra=takes(Redeem))
async def redeem_a_transfer_link(context: Context, request: Request, sent: Annotated[Redeem, body(Redeem)]) -> Response:
    """Give this device the identity of a transfer link."""
    identity = await redeem(context.tables.store, sent.secret, time())
    if identity is None:
        raise WebError(WebCode.NOT_A_TRANSFER)
    set_cookie(request, context, identity)
    return Response(status_code=204)
