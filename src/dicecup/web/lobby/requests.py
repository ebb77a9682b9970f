"""People whom you have played, over HTTP: their list, invitations and blocks."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.lobby import acquaintances
from dicecup.hosting.lobby.acquaintances import Invitation, known_person, person_key
from dicecup.hosting.lobby.person_blocks import BlockedPerson, block_person, blocked_by, unblock_person
from dicecup.hosting.people.accounts import handles_of
from dicecup.hosting.people.on_seats import other_on_seat
from dicecup.hosting.quotas import Quota
from dicecup.table.errors import TableCode, TableError
from dicecup.table.permissions import may_invite
from dicecup.web.bodies import body, takes
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.lobby.messages import (
    AskInvitation,
    AskPersonBlock,
    KnownPeople,
    KnownPerson,
    LobbyInvitation,
    LobbyNow,
    ShowOnline,
)
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, Identity, KnownIdentity, answer
from dicecup.web.tables import checked_id

router = APIRouter(prefix="/api/lobby", tags=["lobby"])


@router.get("", response_model=LobbyNow)
async def the_lobby_now(context: Context, identity: KnownIdentity) -> Response:
    """How many people are in the lobby, your invitations, and the tables whose invitation by you
    was declined."""
    lobby, store = context.tables.lobby, context.tables.store
    invitations = () if identity is None else await lobby.invitations_of(identity)
    declined = [] if identity is None else await acquaintances.declined_tables(store, identity)
    listed = [LobbyInvitation(**each) for each in invitations]
    return answer(LobbyNow(people=await lobby.count_people(), invitations=listed, declined=declined))


@router.get("/people", response_model=KnownPeople)
async def people_you_played(context: Context, identity: KnownIdentity) -> Response:
    """The people whom you have played, the last one first, and those whom you have blocked."""
    if identity is None:
        return answer(KnownPeople(people=[], blocked=[], shows_online=False))
    tables, store = context.tables, context.tables.store
    found = await acquaintances.acquaintances(store, identity, tables.clock())
    return answer(
        KnownPeople(
            people=[
                KnownPerson(id=_key(context, identity, each.identity), name=each.name, online=each.online, game=each.game)
                for each in found
            ],
            blocked=[
                KnownPerson(id=_key(context, identity, each.other), name=each.name, online=None, game="")
                for each in await blocked_by(store, identity)
            ],
            shows_online=await acquaintances.is_shown(store, identity),
        )
    )


@router.put("/online", status_code=204, openapi_extra=takes(ShowOnline))
async def show_when_you_are_there(
    context: Context, identity: Identity, sent: Annotated[ShowOnline, body(ShowOnline)]
) -> Response:
    """Show people whom you have played when you are in the lobby, and see when they are if they
    show it too."""
    await acquaintances.show(context.tables.store, identity, shown=sent.shows)
    context.tables.lobby.changed(identity)
    return Response(status_code=204)


@router.post("/invitations", status_code=204, openapi_extra=takes(AskInvitation))
async def invite_a_person(
    context: Context, request: Request, identity: Identity, sent: Annotated[AskInvitation, body(AskInvitation)]
) -> Response:
    """Invite a person whom you have played to a table at which you sit. Refused with
    `invitation-refused` if one of you has blocked the other."""
    tables, now = context.tables, context.tables.clock()
    table = checked_id(sent.table)
    state = await tables.cache.state_of(table)
    if not may_invite(state, identity):
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    if state.is_full or state.started or state.end is not None:
        raise TableError(TableCode.TABLE_FULL)
    other, _ = await known_person(tables.store, tables.settings.host_key, identity, sent.person, now)
    context.take(Quota.INVITATIONS, address_of(request.scope))
    name = state.seats[min(state.seats_of(identity))].name
    name = (await handles_of(tables.store, [identity])).get(identity, name)
    new = Invitation(table, other, identity, name, state.setup.game, state.links, now)
    await acquaintances.invite(tables.store, tables.settings.host_key, new)
    tables.lobby.changed(other)
    return Response(status_code=204)


@router.delete("/invitations/{table}", status_code=204)
async def decline_an_invitation(context: Context, identity: Identity, table: str) -> Response:
    """Decline an invitation. The person who sent it hears of that."""
    inviter = await acquaintances.decline(context.tables.store, identity, checked_id(table), context.tables.clock())
    _changed(context, *filter(None, (identity, inviter)))
    return Response(status_code=204)


@router.post("/blocks", status_code=204, openapi_extra=takes(AskPersonBlock))
async def block_a_person(
    context: Context, identity: Identity, sent: Annotated[AskPersonBlock, body(AskPersonBlock)]
) -> Response:
    """Block a person whom you have played, or who sits at a table with you: you do not see each
    other in the lobby, are never paired, and cannot invite each other."""
    tables, now = context.tables, context.tables.clock()
    if sent.person is not None and sent.table is not None:
        raise WebError(WebCode.NOT_A_MESSAGE, text="table", why="person")
    if sent.table is None:
        other, name = await known_person(tables.store, tables.settings.host_key, identity, sent.person or "", now)
    else:
        state = await tables.visible_state(sent.table, identity, None)
        other = other_on_seat(state, sent.seat, identity)
        name = next(seat.name for seat in state.seats if seat.identity == other)
        name = (await handles_of(tables.store, [other])).get(other, name)
    if not await block_person(tables.store, BlockedPerson(identity, other, name, now)):
        raise HostingError(HostingCode.TOO_MANY_BLOCKS)
    _changed(context, identity, other)
    return Response(status_code=204)


@router.delete("/blocks/{person}", status_code=204)
async def unblock_a_person(context: Context, identity: Identity, person: str) -> Response:
    """End the block of a person."""
    tables = context.tables
    other, _ = await known_person(tables.store, tables.settings.host_key, identity, person, tables.clock())
    await unblock_person(tables.store, identity, other)
    _changed(context, identity, other)
    return Response(status_code=204)


def _key(context: AppContext, identity: str, other: str) -> str:
    return person_key(context.tables.settings.host_key, identity, other)


def _changed(context: AppContext, *identities: str) -> None:
    for identity in identities:
        context.tables.lobby.changed(identity)
