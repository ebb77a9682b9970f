"""One person on several devices, and programs that play for somebody."""

from time import time
from typing import Annotated

from fastapi import APIRouter, Request, Response

from dicecup.hosting.store.identities import TRANSFER_WITHIN, issue_token, issue_transfer, redeem, revoke
from dicecup.hosting.store.tokens import revoke_one, token_id, tokens_of
from dicecup.web.errors import WebCode, WebError
from dicecup.web.messages import Redeem, Token, TokenIds, Transfer
from dicecup.web.requests import AtDesk, Person, Somebody, answer, body, remember, takes

router = APIRouter(prefix="/api", tags=["people"])


@router.post("/tokens", response_model=Token, status_code=201)
async def make_a_token(desk: AtDesk, identity: Somebody) -> Response:
    """A bearer token that stands for you, told this once."""
    token = await issue_token(desk.hub.store, identity)
    return answer(Token(token=token, id=token_id(token)), 201)


@router.get("/tokens", response_model=TokenIds)
async def my_tokens(desk: AtDesk, identity: Person) -> Response:
    """The ids of your tokens."""
    return answer(TokenIds(tokens=[] if identity is None else await tokens_of(desk.hub.store, identity)))


@router.delete("/tokens", status_code=204)
async def revoke_all_tokens(desk: AtDesk, identity: Person) -> Response:
    """No token and no transfer link stands for you any more."""
    if identity is not None:
        await revoke(desk.hub.store, identity)
    return Response(status_code=204)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_a_token(desk: AtDesk, identity: Person, token: str) -> Response:
    """The token with this id no longer stands for you."""
    if identity is None or not await revoke_one(desk.hub.store, identity, token):
        raise WebError(WebCode.NO_SUCH_TOKEN)
    return Response(status_code=204)


@router.post("/transfers", response_model=Transfer, status_code=201)
async def make_a_transfer_link(desk: AtDesk, identity: Somebody) -> Response:
    """A link that joins a second device to you: once, and soon."""
    now = time()
    secret = await issue_transfer(desk.hub.store, identity, now)
    base = desk.base
    return answer(Transfer(link=base.transfer(secret), secret=secret, expires=now + TRANSFER_WITHIN, reach=base.reach), 201)


@router.post("/transfers/redeem", status_code=204, openapi_extra=takes(Redeem))
async def redeem_a_transfer_link(desk: AtDesk, request: Request, sent: Annotated[Redeem, body(Redeem)]) -> Response:
    """From now on this device stands for whoever made the link."""
    identity = await redeem(desk.hub.store, sent.secret, time())
    if identity is None:
        raise WebError(WebCode.NOT_A_TRANSFER)
    remember(request, desk, identity)
    return Response(status_code=204)
