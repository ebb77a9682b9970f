"""Administration of people over HTTP: bans, blocks, reports, and the message to everybody."""

from collections.abc import Sequence
from time import time
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from dicecup.hosting.ban_list import checked_end, shown_time
from dicecup.hosting.block_list import network_of
from dicecup.hosting.people import banning
from dicecup.hosting.people.search import MOST_FOUND, Person, people_named, people_of
from dicecup.hosting.store import Store, bans
from dicecup.hosting.store.admins import admins_of
from dicecup.hosting.store.announcements import end_announcement, save_announcement
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.blocks import Block, blocks_of, delete_block, save_block
from dicecup.hosting.store.reports import reports_of, resolve_report
from dicecup.web.admin_messages import (
    AskAnnouncement,
    AskBan,
    AskBlock,
    AskPerson,
    AskResolution,
    AskUnblock,
    BanOfPerson,
    BlockedNetwork,
    Blocks,
    FoundPeople,
    FoundPerson,
    FoundReport,
    Reports,
)
from dicecup.web.administrators import Admin, administrator, audited
from dicecup.web.bodies import body, takes
from dicecup.web.messages import Number
from dicecup.web.requests import Context, answer

router = APIRouter(prefix="/api/admin", tags=["administration"], dependencies=[Depends(administrator)])


@router.get("/people", response_model=FoundPeople)
async def find_people(context: Context, text: Annotated[str, Query(max_length=64)] = "") -> Response:
    """People by a part of a name or handle, or by identity. Without a text those who are banned."""
    store = context.tables.store
    if text.strip():
        found = await people_named(store, text)
    else:
        banned = [ban.identity for ban in await bans.bans_of(store) if ban.until > time()]
        found = await people_of(store, banned[:MOST_FOUND])
    return answer(FoundPeople(people=await _people(store, found)))


async def _people(store: Store, found: Sequence[Person]) -> list[FoundPerson]:
    """Return people with their bans and roles."""
    banned = {ban.identity: ban for ban in await bans.bans_of(store) if ban.until > time()}
    admins = {identity for identity, _ in await admins_of(store)}
    return [
        FoundPerson(
            **{**person._asdict(), "names": list(person.names)},
            ban=None if (ban := banned.get(person.identity)) is None else BanOfPerson(**ban._asdict()),
            admin=person.identity in admins,
        )
        for person in found
    ]


@router.post("/bans", status_code=204, openapi_extra=takes(AskBan))
async def ban_a_person(context: Context, admin: Admin, sent: Annotated[AskBan, body(AskBan)]) -> Response:
    """Ban a person, or change the ban. An administrator cannot be banned."""

    async def ban(entry: AuditEntry) -> None:
        await banning.ban(context.tables.store, sent.person, sent.until, sent.reason, entry)
        await context.tables.credentials.bans.refresh()

    await audited(context, admin, "ban", f"{sent.person} {shown_time(sent.until)}: {sent.reason}", ban)
    return Response(status_code=204)


@router.post("/bans/lift", status_code=204, openapi_extra=takes(AskPerson))
async def lift_a_ban(context: Context, admin: Admin, sent: Annotated[AskPerson, body(AskPerson)]) -> Response:
    """End the ban of a person."""

    async def lift(entry: AuditEntry) -> None:
        await banning.lift(context.tables.store, sent.person, entry)
        await context.tables.credentials.bans.refresh()

    await audited(context, admin, "unban", sent.person, lift)
    return Response(status_code=204)


@router.get("/blocks", response_model=Blocks)
async def blocked_networks(context: Context) -> Response:
    """The addresses and networks that may not use the server."""
    found = [block for block in await blocks_of(context.tables.store) if block.until is None or block.until > time()]
    return answer(Blocks(blocks=[BlockedNetwork(**block._asdict()) for block in found]))


@router.post("/blocks", status_code=204, openapi_extra=takes(AskBlock))
async def block_a_network(context: Context, admin: Admin, sent: Annotated[AskBlock, body(AskBlock)]) -> Response:
    """Block an address or a network."""

    async def block(entry: AuditEntry) -> None:
        until = sent.until if sent.until is None else checked_end(entry.time, sent.until)
        await save_block(context.tables.store, Block(network_of(sent.network), until), entry)

    about = sent.network if sent.until is None else f"{sent.network} {shown_time(sent.until)}"
    await audited(context, admin, "block", about, block)
    return Response(status_code=204)


@router.post("/blocks/lift", status_code=204, openapi_extra=takes(AskUnblock))
async def lift_a_block(context: Context, admin: Admin, sent: Annotated[AskUnblock, body(AskUnblock)]) -> Response:
    """End the block of an address or a network."""

    async def lift(entry: AuditEntry) -> None:
        await delete_block(context.tables.store, network_of(sent.network), entry)

    await audited(context, admin, "unblock", sent.network, lift)
    return Response(status_code=204)


@router.get("/reports", response_model=Reports)
async def reports(context: Context, resolved: Annotated[bool, Query()] = False) -> Response:
    """The open reports, the oldest first, or the resolved ones, the newest first."""
    found = await reports_of(context.tables.store, resolved=resolved)
    listed = [FoundReport(**{**report._asdict(), "table": report.table_id}) for report in found]
    return answer(Reports(reports=listed))


@router.post("/reports/{number}/resolve", status_code=204, openapi_extra=takes(AskResolution))
async def resolve_a_report(
    context: Context, admin: Admin, number: Number, sent: Annotated[AskResolution, body(AskResolution)]
) -> Response:
    """Resolve an open report, with a note."""

    async def resolve(entry: AuditEntry) -> None:
        await resolve_report(context.tables.store, number, sent.note, entry)

    await audited(context, admin, "resolve", f"{number}: {sent.note}", resolve)
    return Response(status_code=204)


@router.post("/announcement", status_code=204, openapi_extra=takes(AskAnnouncement))
async def announce(context: Context, admin: Admin, sent: Annotated[AskAnnouncement, body(AskAnnouncement)]) -> Response:
    """Show a message to everybody until a time, in place of the one before."""
    tables = context.tables

    async def save(entry: AuditEntry) -> None:
        await save_announcement(tables.store, checked_end(entry.time, sent.until), sent.texts, entry)
        await tables.announcements.refresh()

    lines = (f"{language}: {text}" for language, text in sorted(sent.texts.items()))
    await audited(context, admin, "announce", "\n".join((shown_time(sent.until), *lines)), save)
    return Response(status_code=204)


@router.delete("/announcement", status_code=204)
async def withdraw_the_announcement(context: Context, admin: Admin) -> Response:
    """Withdraw the message that is shown now."""
    tables = context.tables

    async def withdraw(entry: AuditEntry) -> None:
        await end_announcement(tables.store, entry)
        await tables.announcements.refresh()

    await audited(context, admin, "withdraw", "", withdraw)
    return Response(status_code=204)
