"""Signing a browser in to an account: with a passkey or a recovery code."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import passkeys, recovery
from dicecup.web.bodies import body, takes
from dicecup.web.guard import address_of
from dicecup.web.identity import new_device
from dicecup.web.people.messages import PasskeyOptions, SignInCode, SignInPasskey
from dicecup.web.people.sites import PasskeySite
from dicecup.web.requests import Context, KnownCredential, answer, browser_of, switch_identity

router = APIRouter(prefix="/api/sign-in", tags=["accounts"])


@router.post("/challenge", response_model=PasskeyOptions)
async def ask_to_sign_in(context: Context, request: Request, site: PasskeySite) -> Response:
    """A challenge for a passkey of any account here, valid once and for five minutes."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    options = await passkeys.sign_in_options(context.tables.store, site, context.tables.clock())
    budget.spend()
    return answer(PasskeyOptions(options=options))


@router.post("/passkey", status_code=204, openapi_extra=takes(SignInPasskey))
async def sign_in_with_a_passkey(
    context: Context,
    request: Request,
    site: PasskeySite,
    known: KnownCredential,
    sent: Annotated[SignInPasskey, body(SignInPasskey)],
) -> Response:
    """Give this device the identity of an account, and sign it out of its own."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    identity = await passkeys.checked_owner(context.tables.store, site, sent.credential, context.tables.clock())
    now = await context.tables.credentials.sign_in(identity, known, new_device(), browser_of(request))
    budget.spend()
    await switch_identity(request, context, known, now)
    return Response(status_code=204)


@router.post("/code", status_code=204, openapi_extra=takes(SignInCode))
async def sign_in_with_a_recovery_code(
    context: Context, request: Request, known: KnownCredential, sent: Annotated[SignInCode, body(SignInCode)]
) -> Response:
    """Give this device the identity of an account, and sign it out of its own. The code is used
    up."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    secret, at = recovery.code_secret(sent.code), context.tables.clock()
    now = await context.tables.credentials.redeem(secret, at, known, new_device(), browser_of(request), kind=recovery.KIND)
    if now is None:
        raise HostingError(HostingCode.NOT_A_CODE)
    budget.spend()
    await switch_identity(request, context, known, now)
    return Response(status_code=204)
