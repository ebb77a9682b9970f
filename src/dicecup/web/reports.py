"""Reports of people, and the message of the host to everybody, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from dicecup.hosting.quotas import Quota
from dicecup.hosting.reporting import report
from dicecup.web.admin_messages import Announced, Announcement, AskReport
from dicecup.web.bodies import body, takes
from dicecup.web.guard import address_of
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, KnownIdentity, LinkKey, answer

router = APIRouter(prefix="/api", tags=["people"])


@router.post("/reports", status_code=204, openapi_extra=takes(AskReport))
async def report_a_person(
    context: Context,
    request: Request,
    identity: KnownIdentity,
    sent: Annotated[AskReport, body(AskReport)],
    key: LinkKey = None,
) -> Response:
    """Report a person at a table, or what the person said, to the administrators. The same report
    for the same reason counts once, and further remarks are added to it. A new browser is refused
    with `no-identity`."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    context.take(Quota.REPORTS, address_of(request.scope))
    context.quotas.take(Quota.REPORTS, identity)
    await report(context.tables, identity, sent.table, key, sent.seat, sent.event, sent.reason, sent.remark)
    return Response(status_code=204)


@router.get("/announcement", response_model=Announced)
async def current_announcement(context: Context) -> Response:
    """The message of the host to everybody, which other answers name in the header
    `Dicecup-Announcement`."""
    found = context.tables.announcements.current
    return answer(Announced(announcement=None if found is None else Announcement(**found._asdict())))
