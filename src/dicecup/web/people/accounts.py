"""Accounts over HTTP: the handle, passkeys and recovery codes of an identity."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from dicecup.hosting.people import accounts, logins, passkeys, recovery
from dicecup.hosting.people.accounts import Account
from dicecup.hosting.people.deletion import delete_account
from dicecup.hosting.people.handles import check_handle
from dicecup.hosting.quotas import Quota
from dicecup.hosting.store.admins import is_admin
from dicecup.table.names import check_name
from dicecup.web.bodies import body, takes
from dicecup.web.guard import address_of
from dicecup.web.people.messages import (
    AccountPasskey,
    AccountState,
    AskPasskey,
    ChangeAccount,
    Codes,
    NamePasskey,
    NewAccount,
    NewPasskey,
    OwnAccount,
    PasskeyOptions,
)
from dicecup.web.people.own_account import MeantAccount
from dicecup.web.people.sites import PasskeySite
from dicecup.web.requests import Context, Identity, KnownIdentity, answer, browser_of

router = APIRouter(prefix="/api/account", tags=["accounts"])


@router.get("", response_model=AccountState)
async def my_account(context: Context, identity: KnownIdentity) -> Response:
    """Your account with what signs in to it, whether this server requires accounts, and with which
    provider people may sign in."""
    store, provider = context.tables.store, context.provider
    account = None if identity is None else await accounts.account_of(store, identity)
    own = None
    if account is not None:
        listed = [
            AccountPasskey(id=each.passkey, name=each.name, created=each.created, used=each.used)
            for each in await passkeys.passkeys_of(store, account.identity)
        ]
        own = OwnAccount(
            handle=account.handle,
            created=account.created,
            public=account.public,
            passkeys=listed,
            codes=await recovery.codes_left(store, account.identity),
            provider=provider is not None and await logins.has_login(store, account.identity, provider.issuer),
        )
    return answer(
        AccountState(
            account=own,
            accounts=context.tables.settings.accounts,
            provider=None if provider is None else provider.name,
            admin=identity is not None and await is_admin(store, identity),
        )
    )


@router.post("/challenge", response_model=PasskeyOptions, openapi_extra=takes(AskPasskey))
async def ask_to_add_a_passkey(
    context: Context, request: Request, site: PasskeySite, identity: Identity, sent: Annotated[AskPasskey, body(AskPasskey)]
) -> Response:
    """A challenge for a new passkey, valid once and for five minutes."""
    store, budget = context.tables.store, context.budget(address_of(request.scope))
    account = await accounts.account_of(store, identity)
    if account is None:
        await accounts.check_free(store, sent.handle)
    budget.check()
    handle = sent.handle if account is None else account.handle
    now = context.tables.clock()
    options = await passkeys.adding_options(store, site, context.tables.settings.host_key, identity, handle, now)
    budget.spend()
    return answer(PasskeyOptions(options=options))


@router.post("", response_model=Codes, status_code=201, openapi_extra=takes(NewAccount))
async def make_an_account(
    context: Context, request: Request, site: PasskeySite, identity: Identity, sent: Annotated[NewAccount, body(NewAccount)]
) -> Response:
    """An account for your identity, with its first passkey. The answer has its recovery codes."""
    store, now = context.tables.store, context.tables.clock()
    check_handle(sent.handle)
    name = _passkey_name(sent.name, request)
    passkey = await passkeys.checked_passkey(store, site, identity, sent.credential, now)
    codes = recovery.new_codes()

    def also(connection: Connection) -> None:
        passkeys.insert_passkey(connection, identity, passkey, name, now)
        recovery.replace_codes(connection, identity, codes)

    context.take(Quota.ACCOUNTS, address_of(request.scope))
    await accounts.create_account(store, Account(identity, sent.handle, now, sent.public), also)
    return answer(Codes(codes=codes), 201)


@router.put("", status_code=204, openapi_extra=takes(ChangeAccount))
async def change_my_account(
    context: Context, request: Request, account: MeantAccount, sent: Annotated[ChangeAccount, body(ChangeAccount)]
) -> Response:
    """Change the handle of your account, and who may see its profile."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    await accounts.change_account(context.tables.store, account._replace(handle=sent.handle, public=sent.public))
    budget.spend()
    return Response(status_code=204)


@router.delete("", status_code=204)
async def delete_my_account(context: Context, request: Request, account: MeantAccount) -> Response:
    """Delete your account, sign out everywhere, and replace your name in all games by `deleted`."""
    # A client that closes its connection does not interrupt it.
    await asyncio.shield(context.tables.tasks.spawn(delete_account(context.tables, context.tournaments, account.identity)))
    request.state.cookie = context.signer.deletion()
    return Response(status_code=204)


@router.post("/codes", response_model=Codes, status_code=201)
async def make_recovery_codes(context: Context, request: Request, account: MeantAccount) -> Response:
    """Ten new recovery codes. The earlier ones do not work any more."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    codes = recovery.new_codes()
    await recovery.save_codes(context.tables.store, account.identity, codes)
    budget.spend()
    return answer(Codes(codes=codes), 201)


@router.post("/passkeys", status_code=204, openapi_extra=takes(NewPasskey))
async def add_a_passkey(
    context: Context,
    request: Request,
    site: PasskeySite,
    account: MeantAccount,
    sent: Annotated[NewPasskey, body(NewPasskey)],
) -> Response:
    """A further passkey of your account, which may have 20."""
    budget = context.budget(address_of(request.scope))
    name, now, store = _passkey_name(sent.name, request), context.tables.clock(), context.tables.store
    budget.check()
    passkey = await passkeys.checked_passkey(store, site, account.identity, sent.credential, now)
    await passkeys.add_passkey(store, account.identity, passkey, name, now)
    budget.spend()
    return Response(status_code=204)


@router.put("/passkeys/{passkey}", status_code=204, openapi_extra=takes(NamePasskey))
async def name_a_passkey(
    context: Context, request: Request, account: MeantAccount, passkey: str, sent: Annotated[NamePasskey, body(NamePasskey)]
) -> Response:
    """Change the name of a passkey of yours."""
    budget = context.budget(address_of(request.scope))
    check_name(sent.name, ())
    budget.check()
    await passkeys.rename_passkey(context.tables.store, account.identity, passkey, sent.name)
    budget.spend()
    return Response(status_code=204)


@router.delete("/passkeys/{passkey}", status_code=204)
async def remove_a_passkey(context: Context, account: MeantAccount, passkey: str) -> Response:
    """Remove a passkey of yours. The last one stays, unless you can sign in with the provider."""
    provider = context.provider
    issuer = None if provider is None else provider.issuer
    await passkeys.remove_passkey(context.tables.store, account.identity, passkey, issuer)
    return Response(status_code=204)


def _passkey_name(given: str, request: Request) -> str:
    """Return the name of a new passkey, by default that of the browser. Raises `TableError` as
    `check_name`."""
    name = given or browser_of(request) or "Passkey"
    check_name(name, ())
    return name
