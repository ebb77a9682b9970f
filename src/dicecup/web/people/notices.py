"""Notices to people while their page is closed, over HTTP."""

import asyncio
from typing import Annotated, Final
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Request, Response

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import channels
from dicecup.hosting.people.channels import MAIL, PUSH, Channel, Wishes
from dicecup.hosting.people.quiet_hours import quiet_hours
from dicecup.hosting.quotas import Quota
from dicecup.locale import LANGUAGES
from dicecup.web.bodies import body, takes
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.people.addresses import is_address, is_endpoint, is_push_secret
from dicecup.web.people.destinations import ForbiddenHostError
from dicecup.web.people.notice_messages import (
    ChangedMail,
    MailChannel,
    MailToken,
    Muted,
    NewMail,
    NewPush,
    Notices,
    PushChannel,
    Quiet,
    QuietTimes,
)
from dicecup.web.refusals import WebCode, WebError, language_of
from dicecup.web.requests import Context, Identity, KnownIdentity, OwnCredential, answer
from dicecup.web.tables import checked_id

router = APIRouter(prefix="/api", tags=["people"])

RESOLVE_WITHIN: Final = 5.0
"""Seconds in which the name of a push service must be found."""
HTTPS_PORT: Final = 443
NOTHING: Final = Wishes((), None)


@router.get("/notices", response_model=Notices)
async def how_i_am_told(context: Context, identity: KnownIdentity) -> Response:
    """What this server offers, and what you have chosen."""
    wishes = NOTHING if identity is None else await channels.wishes_of(context.tables.store, identity)
    return answer(
        Notices(
            push_key=context.offer.push_key,
            mail_offered=context.offer.mail_links is not None,
            pushes=[PushChannel(id=each.id, created=each.created) for each in wishes.channels if each.kind == PUSH],
            mails=[_mail(each) for each in wishes.channels if each.kind == MAIL],
            quiet=None if wishes.quiet is None else QuietTimes(**wishes.quiet._asdict()),
        )
    )


@router.post("/notices/push", response_model=PushChannel, status_code=201, openapi_extra=takes(NewPush))
async def tell_this_browser(
    context: Context, request: Request, own: OwnCredential, sent: Annotated[NewPush, body(NewPush)]
) -> Response:
    """Tell you something in the browser with this push subscription, until it is signed out.
    Refused unless its push service is at a public address."""
    if not context.offer.push_key:
        raise WebError(WebCode.NOT_OFFERED)
    if not is_endpoint(sent.endpoint) or not is_push_secret(sent.keys.p256dh, sent.keys.auth):
        raise WebError(WebCode.NOT_AN_ENDPOINT)
    budget = context.budget(address_of(request.scope))
    budget.check()
    await _check_host(context, sent.endpoint)
    secrets, tables = f"{sent.keys.p256dh}.{sent.keys.auth}", context.tables
    language = _language(request, sent.language)
    channel, earlier = await channels.add_push(tables.store, own, sent.endpoint, secrets, language, tables.clock())
    budget.spend()
    for each in {own.identity, earlier or own.identity}:
        await tables.recipients.changed(each)
    return answer(PushChannel(id=channel.id, created=channel.created), 201)


@router.delete("/notices/push/{channel}", status_code=204)
async def do_not_tell_a_browser(context: Context, identity: KnownIdentity, channel: str) -> Response:
    """End a push subscription of yours."""
    if identity is None or await channels.remove(context.tables.store, channel, identity) is None:
        raise WebError(WebCode.NO_SUCH_CHANNEL)
    await context.tables.recipients.changed(identity)
    return Response(status_code=204)


@router.put("/notices/mail", response_model=MailChannel, status_code=202, openapi_extra=takes(NewMail))
async def tell_by_mail(
    context: Context, request: Request, identity: Identity, sent: Annotated[NewMail, body(NewMail)]
) -> Response:
    """Tell you something by mail. A new address gets a mail with a link, which must be confirmed
    within a day. Until then an earlier address stays."""
    if context.offer.mail_links is None:
        raise WebError(WebCode.NOT_OFFERED)
    if not is_address(sent.address):
        raise WebError(WebCode.NOT_AN_ADDRESS)
    store, network = context.tables.store, address_of(request.scope)
    language = _language(request, sent.language)
    wishes = await channels.wishes_of(store, identity)
    if not any(each.address == sent.address and each.confirmed is not None for each in wishes.channels):
        context.take(Quota.CONFIRMATIONS, network)
    budget = context.budget(network)
    budget.check()
    saved = await channels.set_mail(store, identity, sent.address, language, daily=sent.daily, now=context.tables.clock())
    budget.spend()
    return answer(_mail(saved), 202)


@router.patch("/notices/mail", status_code=204, openapi_extra=takes(ChangedMail))
async def change_my_mails(
    context: Context, request: Request, identity: KnownIdentity, sent: Annotated[ChangedMail, body(ChangedMail)]
) -> Response:
    """Change the mails to your address, confirmed or not. It gets no mail about that."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    language = sent.language if sent.language in LANGUAGES else None
    if identity is None or not await channels.change_mail(context.tables.store, identity, language, daily=sent.daily):
        raise WebError(WebCode.NO_SUCH_CHANNEL)
    budget.spend()
    return Response(status_code=204)


@router.delete("/notices/mail", status_code=204)
async def do_not_tell_by_mail(context: Context, identity: KnownIdentity) -> Response:
    """Forget your mail address."""
    if identity is not None:
        await channels.remove_mail(context.tables.store, identity)
        await context.tables.recipients.changed(identity)
    return Response(status_code=204)


@router.post("/notices/mail/confirm", response_model=MailChannel, openapi_extra=takes(MailToken))
async def confirm_a_mail_address(context: Context, sent: Annotated[MailToken, body(MailToken)]) -> Response:
    """Confirm the address of the mail with this token."""
    channel = _channel_of(context, "confirm", sent.token)
    found = await channels.confirm(context.tables.store, channel, context.tables.clock())
    if found is None:
        raise WebError(WebCode.NOT_A_MAIL_LINK)
    await context.tables.recipients.changed(found.identity)
    return answer(_mail(found))


@router.post("/notices/mail/stop", status_code=204)
async def stop_mails(context: Context, token: str) -> Response:
    """End all mails to the address of the mail with this token: the one-click unsubscription of
    RFC 8058. It answers in the same way if they have ended already."""
    for owner in await channels.stop_mails(context.tables.store, _channel_of(context, "stop", token)):
        await context.tables.recipients.changed(owner)
    return Response(status_code=204)


@router.get("/notices/mail/stop", status_code=303, response_class=Response)
async def ask_to_stop_mails(token: str) -> Response:
    """Send a browser to the page that ends the mails after a click. The link itself ends nothing,
    since programs that look for harmful mails open it."""
    return Response(status_code=303, headers={"Location": f"/mail#stop={quote(token, safe='')}"})


@router.put("/notices/quiet-hours", status_code=204, openapi_extra=takes(Quiet))
async def set_quiet_hours(
    context: Context, request: Request, identity: Identity, sent: Annotated[Quiet, body(Quiet)]
) -> Response:
    """Set the hours in which you get no messages. What comes meanwhile is sent at their end, if it
    is still true."""
    quiet, budget = quiet_hours(sent.zone, sent.begins, sent.ends), context.budget(address_of(request.scope))
    budget.check()
    await channels.set_quiet_hours(context.tables.store, identity, quiet, context.tables.clock())
    budget.spend()
    return Response(status_code=204)


@router.get("/tables/{table}/mute", response_model=Muted)
async def is_muted(context: Context, identity: KnownIdentity, table: str) -> Response:
    """Whether you are told nothing of a table."""
    found = identity is not None and bool(await channels.muted(context.tables.store, {(identity, table)}))
    return answer(Muted(muted=found))


@router.put("/tables/{table}/mute", status_code=204)
async def mute(context: Context, request: Request, identity: KnownIdentity, table: str) -> Response:
    """Be told nothing of a table at which you sit."""
    budget = context.budget(address_of(request.scope))
    budget.check()
    state = await context.tables.cache.state_of(checked_id(table))
    if identity is None or not state.seats_of(identity):
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    await channels.set_muted(context.tables.store, identity, table, muted=True)
    budget.spend()
    return Response(status_code=204)


@router.delete("/tables/{table}/mute", status_code=204)
async def unmute(context: Context, identity: KnownIdentity, table: str) -> Response:
    """Be told of a table again."""
    if identity is not None:
        await channels.set_muted(context.tables.store, identity, table, muted=False)
    return Response(status_code=204)


async def _check_host(context: AppContext, endpoint: str) -> None:
    """Raise `WebError` (`not-an-endpoint`) unless the push service is at a public address."""
    read = urlsplit(endpoint)
    try:
        async with asyncio.timeout(RESOLVE_WITHIN):
            await context.offer.destinations.addresses(read.hostname or "", read.port or HTTPS_PORT)
    except (ForbiddenHostError, OSError, UnicodeError):
        raise WebError(WebCode.NOT_AN_ENDPOINT) from None


def _channel_of(context: AppContext, purpose: str, token: str) -> str:
    """Return the channel of a token in a mail. Raises `WebError` (`not-a-mail-link`)."""
    links = context.offer.mail_links
    channel = None if links is None else links.channel_of(purpose, token)
    if channel is None:
        raise WebError(WebCode.NOT_A_MAIL_LINK)
    return channel


def _language(request: Request, wanted: str | None) -> str:
    return wanted if wanted in LANGUAGES else language_of(request.headers.get("accept-language", ""))


def _mail(channel: Channel) -> MailChannel:
    return MailChannel(id=channel.id, address=channel.address, daily=channel.daily, confirmed=channel.confirmed is not None)
