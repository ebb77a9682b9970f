"""Devices, bearer tokens and transfer links over HTTP: one identity on several devices and in
programs."""

from time import time
from typing import Annotated

from fastapi import APIRouter, Request, Response

from dicecup.hosting.store.devices import Credential, SeenDevice
from dicecup.hosting.store.identities import TRANSFER_LIFETIME, issue_token, issue_transfer
from dicecup.hosting.store.tokens import token_id, tokens_of
from dicecup.web.bodies import body, takes
from dicecup.web.guard import address_of
from dicecup.web.http_messages import Device, Devices, Redeem, Token, TokenIds, Transfer
from dicecup.web.identity import new_device
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import (
    Context,
    Identity,
    KnownCredential,
    KnownIdentity,
    answer,
    browser_of,
    end_device,
    switch_identity,
)

router = APIRouter(prefix="/api", tags=["people"])


@router.post("/tokens", response_model=Token, status_code=201)
async def make_a_token(context: Context, request: Request, identity: Identity) -> Response:
    """A new bearer token of your identity, which may have 50. It is not shown again."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    token = await issue_token(context.tables.store, identity)
    budget.spend()
    return answer(Token(token=token, id=token_id(token)), 201)


@router.get("/tokens", response_model=TokenIds)
async def my_tokens(context: Context, identity: KnownIdentity) -> Response:
    """The ids of your tokens."""
    return answer(TokenIds(tokens=[] if identity is None else await tokens_of(context.tables.store, identity)))


@router.delete("/tokens", status_code=204)
async def revoke_all_tokens(context: Context, identity: KnownIdentity) -> Response:
    """Revoke all your tokens and transfer links."""
    if identity is not None:
        await context.tables.credentials.end_tokens(identity)
    return Response(status_code=204)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_a_token(context: Context, identity: KnownIdentity, token: str) -> Response:
    """Revoke your token with this id."""
    if identity is None or not await context.tables.credentials.end_token(identity, token):
        raise WebError(WebCode.NO_SUCH_TOKEN)
    return Response(status_code=204)


@router.get("/devices", response_model=Devices)
async def my_devices(context: Context, known: KnownCredential) -> Response:
    """The browsers that are signed in as you, the last one seen first."""
    found = [] if known is None else await context.tables.credentials.devices_of(known.identity)
    return answer(Devices(devices=[_device(each, known) for each in found]))


@router.delete("/devices", status_code=204)
async def sign_out_other_devices(context: Context, known: KnownCredential) -> Response:
    """Sign out all your browsers but this one. Their push subscriptions and your transfer links
    end."""
    if known is not None:
        await context.tables.credentials.end_other_devices(known.identity, known.device)
        await context.tables.recipients.changed(known.identity)
    return Response(status_code=204)


@router.delete("/devices/{device}", status_code=204)
async def sign_out_a_device(context: Context, request: Request, known: KnownCredential, device: str) -> Response:
    """Sign out your browser with this id, and end its push subscription."""
    listed = context.tables.credentials.devices_of
    if known is None or device not in {each.device for each in await listed(known.identity)}:
        raise WebError(WebCode.NO_SUCH_DEVICE)
    await end_device(context, known.identity, device)
    if device == known.device:
        request.state.cookie = context.signer.deletion()
    return Response(status_code=204)


def _device(device: SeenDevice, known: Credential | None) -> Device:
    current = known is not None and device.device == known.device
    return Device(id=device.device, agent=device.agent, created=device.created, seen=device.seen, current=current)


@router.post("/transfers", response_model=Transfer, status_code=201)
async def make_a_transfer_link(context: Context, request: Request, identity: Identity) -> Response:
    """A link that gives another device your identity, once, within ten minutes. 50 may be open."""
    now, budget = time(), context.budget(address_of(request.scope))
    budget.check()
    secret = await issue_transfer(context.tables.store, identity, now)
    budget.spend()
    base = context.base
    return answer(Transfer(link=base.transfer(secret), secret=secret, expires=now + TRANSFER_LIFETIME, reach=base.reach), 201)


@router.post("/transfers/redeem", status_code=204, openapi_extra=takes(Redeem))
async def redeem_a_transfer_link(
    context: Context, request: Request, known: KnownCredential, sent: Annotated[Redeem, body(Redeem)]
) -> Response:
    """Give this device the identity of a transfer link, and sign it out of its own."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    now = await context.tables.credentials.redeem(sent.secret, time(), known, new_device(), browser_of(request))
    if now is None:
        raise WebError(WebCode.NOT_A_TRANSFER)
    budget.spend()
    await switch_identity(request, context, known, now)
    return Response(status_code=204)
