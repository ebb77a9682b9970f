"""Signing in with the provider of the host: at the provider, and then with a ticket."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request, Response
from sqlalchemy import Connection

from dicecup.hosting.people import accounts, logins, recovery
from dicecup.hosting.people.accounts import Account
from dicecup.hosting.people.handles import check_handle
from dicecup.hosting.people.logins import Begun
from dicecup.hosting.quotas import Quota
from dicecup.web.bodies import body, takes
from dicecup.web.guard import address_of
from dicecup.web.identity import new_device
from dicecup.web.people.messages import Codes
from dicecup.web.people.own_account import MeantAccount
from dicecup.web.people.provider import Provider
from dicecup.web.people.provider_messages import (
    BegunSignIn,
    NewProviderAccount,
    ProvedLogin,
    ProviderAnswer,
    ProviderTicket,
)
from dicecup.web.people.sites import origin_of
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import (
    Context,
    Identity,
    KnownCredential,
    answer,
    browser_of,
    switch_identity,
)

RETURN: Final = "/sign-in"
"""The page to which the provider sends people back."""

router = APIRouter(prefix="/api", tags=["accounts"])


def provider_of(context: Context) -> Provider:
    """Return the provider. Raises `WebError` (`not-offered`) on a server without one."""
    if context.provider is None:
        raise WebError(WebCode.NOT_OFFERED)
    return context.provider


OfferedProvider = Annotated[Provider, Depends(provider_of)]


@router.post("/provider/begin", response_model=BegunSignIn)
async def go_to_the_provider(context: Context, request: Request, provider: OfferedProvider) -> Response:
    """The address at the provider where you sign in, valid once and for five minutes. It sends you
    back to `/sign-in` with `code` and `state`."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    begun = logins.new_state()
    proof = logins.proof_of(context.tables.settings.host_key, begun.state)
    address = await provider.address(origin_of(request, context) + RETURN, begun.state, proof)
    await logins.save_state(context.tables.store, begun, context.tables.clock())
    budget.spend()
    return answer(BegunSignIn(url=address, page=begun.page))


@router.post("/provider/finish", response_model=ProvedLogin, openapi_extra=takes(ProviderAnswer))
async def come_back_from_the_provider(
    context: Context, request: Request, provider: OfferedProvider, sent: Annotated[ProviderAnswer, body(ProviderAnswer)]
) -> Response:
    """A ticket for the login that the provider has proved, valid once and for five minutes."""
    budget, store = context.budget(address_of(request.scope)), context.tables.store
    budget.check()
    await logins.use_state(store, Begun(sent.state, sent.page), context.tables.clock())
    proof = logins.proof_of(context.tables.settings.host_key, sent.state)
    proved = await provider.prove(sent.code, sent.iss, origin_of(request, context) + RETURN, proof)
    owner = await logins.owner_of(store, proved.login)
    account = None if owner is None else await accounts.account_of(store, owner)
    ticket = await logins.save_ticket(store, proved.login, sent.page, context.tables.clock())
    budget.spend()
    return answer(ProvedLogin(ticket=ticket, account=account and account.handle, handle=proved.handle))


@router.post("/sign-in/provider", status_code=204, openapi_extra=takes(ProviderTicket))
async def sign_in_with_the_provider(
    context: Context, request: Request, known: KnownCredential, sent: Annotated[ProviderTicket, body(ProviderTicket)]
) -> Response:
    """Give this device the identity of the account of a proved login, and sign it out of its
    own."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    identity = await logins.checked_owner(context.tables.store, sent.ticket, sent.page, context.tables.clock())
    now = await context.tables.credentials.sign_in(identity, known, new_device(), browser_of(request))
    budget.spend()
    await switch_identity(request, context, known, now)
    return Response(status_code=204)


@router.post("/provider/account", response_model=Codes, status_code=201, openapi_extra=takes(NewProviderAccount))
async def make_an_account_with_the_provider(
    context: Context, request: Request, identity: Identity, sent: Annotated[NewProviderAccount, body(NewProviderAccount)]
) -> Response:
    """An account for your identity, to which a proved login signs in. The answer has its recovery
    codes."""
    store, now = context.tables.store, context.tables.clock()
    check_handle(sent.handle)
    codes = recovery.new_codes()

    def also(connection: Connection) -> None:
        logins.insert_login(connection, identity, logins.take_ticket(connection, sent.ticket, sent.page, now))
        recovery.replace_codes(connection, identity, codes)

    context.take(Quota.ACCOUNTS, address_of(request.scope))
    await accounts.create_account(store, Account(identity, sent.handle, now, sent.public), also)
    return answer(Codes(codes=codes), 201)


@router.post("/account/provider", status_code=204, openapi_extra=takes(ProviderTicket))
async def add_the_provider(
    context: Context, request: Request, account: MeantAccount, sent: Annotated[ProviderTicket, body(ProviderTicket)]
) -> Response:
    """Sign in to your account with a proved login from now on, too."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    await logins.add_login(context.tables.store, account.identity, sent.ticket, sent.page, context.tables.clock())
    budget.spend()
    return Response(status_code=204)


@router.delete("/account/provider", status_code=204)
async def remove_the_provider(context: Context, provider: OfferedProvider, account: MeantAccount) -> Response:
    """Do not sign in to your account with the provider any more. Without a passkey it stays."""
    await logins.remove_login(context.tables.store, account.identity, provider.issuer)
    return Response(status_code=204)
