"""Tournaments over HTTP: create, list, look at and act at them; their rounds, crosstables, logs and
printed pages."""

import re
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic_core import to_json

from dicecup import sheets
from dicecup.hosting.competition.tournaments import formats
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.link_keys import keys_of
from dicecup.hosting.quotas import COMMAND_BYTES, Quota
from dicecup.tournament import views
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import public_event
from dicecup.tournament.state import TournamentState
from dicecup.web.bodies import body, takes
from dicecup.web.competition.tournament_messages import (
    Crosstable,
    MadeTournament,
    NewTournament,
    RoundOfTournament,
    SeenTournament,
    SendToTournament,
    TournamentList,
    TournamentLog,
    TournamentSent,
)
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.jobs import Jobs
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, Identity, KnownIdentity, answer, encoded_answer
from dicecup.web.sheets import ANSWERS, PageLanguage, pdf

TOURNAMENT: Final = re.compile(r"[0-9a-f]{20}", re.ASCII)
PAGES: Final = ("pairings", "standings", "crosstable")

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"])


def checked_tournament(tournament: str) -> str:
    """Return the id of a tournament after checking its form. Raises `HostingError`
    (`no-such-tournament`)."""
    if not TOURNAMENT.fullmatch(tournament):
        raise HostingError(HostingCode.NO_SUCH_TOURNAMENT)
    return tournament


@router.post("", response_model=MadeTournament, status_code=201, openapi_extra=takes(NewTournament))
async def make_a_tournament(
    context: Context, request: Request, identity: Identity, new: Annotated[NewTournament, body(NewTournament)]
) -> Response:
    """Create a tournament. You are its organiser."""
    address = address_of(request.scope)
    context.take(Quota.BYTES, address, COMMAND_BYTES)
    context.take(Quota.TABLES, address)
    tournament = await context.tournaments.create(identity, new.setup)
    link, reach = context.base.tournament(tournament), context.base.reach
    return answer(MadeTournament(tournament=tournament, link=link, reach=reach), 201)


@router.get("", response_model=TournamentList)
async def tournaments(context: Context, identity: KnownIdentity) -> Response:
    """The tournaments that you have entered or organise, and public ones that are not over."""
    store = context.tournaments.store
    own = [] if identity is None else await store.of_person(identity)
    return answer({"own": own, "listed": await store.listed(), "formats": formats()})


@router.get("/{tournament}", response_model=SeenTournament)
async def look_at_a_tournament(context: Context, identity: KnownIdentity, tournament: str) -> Response:
    """The view of a tournament, what concerns you, and the link to its page."""
    state, view = await context.tournaments.view_of(checked_tournament(tournament), partial(_encoded_view, context))
    own = to_json(views.own_view(state, identity, context.tables.clock()))
    link = to_json({"link": context.base.tournament(tournament), "reach": context.base.reach})
    return encoded_answer(b'{"view":' + view + b',"you":' + own + b"," + link.removeprefix(b"{"))


@router.post("/{tournament}/commands", response_model=TournamentSent, openapi_extra=takes(SendToTournament))
async def send_a_command_to_a_tournament(
    context: Context,
    request: Request,
    identity: KnownIdentity,
    tournament: str,
    sent: Annotated[SendToTournament, body(SendToTournament)],
) -> Response:
    """Handle a command, once, however often the same id is sent. A new browser is refused with
    `no-identity`; `GET /api/me` gives it its cookie."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    number = await context.tournaments.send(
        checked_tournament(tournament),
        identity,
        sent.command,
        version=sent.version,
        command_id=sent.id,
        budget=context.budget(address_of(request.scope)),
    )
    return answer({"number": number})


@router.get("/{tournament}/rounds/{number}", response_model=RoundOfTournament)
async def round_of_a_tournament(context: Context, tournament: str, number: int) -> Response:
    """A round with all its pairings."""
    state = await context.tournaments.state_of(checked_tournament(tournament))
    found = views.round_view(state, number, partial(_watch_key, context))
    if found is None:
        raise TournamentError(TournamentCode.NO_SUCH_ROUND, text=number)
    return answer(found)


@router.get("/{tournament}/crosstable", response_model=Crosstable)
async def crosstable_of_a_tournament(context: Context, tournament: str) -> Response:
    """What each entrant did in each round, in the order of the standings."""
    return answer(views.crosstable_view(await context.tournaments.state_of(checked_tournament(tournament))))


@router.get("/{tournament}/log", response_model=TournamentLog)
async def log_of_a_tournament(context: Context, tournament: str, since: Annotated[int, Query(ge=0, lt=2**31)] = 0) -> Response:
    """The events of a tournament after the number `since`."""
    events = await context.tournaments.events(checked_tournament(tournament), since)
    return answer(
        {"events": [{"number": stored.number, "time": stored.time, "event": public_event(stored.event)} for stored in events]}
    )


@router.get("/{tournament}/pairings.pdf", response_class=Response, responses=ANSWERS)
async def print_pairings(
    context: Context,
    jobs: Jobs,
    language: PageLanguage,
    tournament: str,
    number: Annotated[int | None, Query(alias="round", ge=1)] = None,
) -> Response:
    """The pairings of a round to print, by default those of the last one."""
    state = await context.tournaments.state_of(checked_tournament(tournament))
    return pdf(f"dicecup-{tournament}-pairings", await jobs.run(sheets.pairings_page, state, language, number=number))


@router.get("/{tournament}/standings.pdf", response_class=Response, responses=ANSWERS)
async def print_standings(context: Context, jobs: Jobs, language: PageLanguage, tournament: str) -> Response:
    """The standings to print."""
    return await _printed(context, jobs, language, tournament, "standings")


@router.get("/{tournament}/crosstable.pdf", response_class=Response, responses=ANSWERS)
async def print_crosstable(context: Context, jobs: Jobs, language: PageLanguage, tournament: str) -> Response:
    """The crosstable to print."""
    return await _printed(context, jobs, language, tournament, "crosstable")


async def _printed(context: AppContext, jobs: Any, language: str, tournament: str, page: str) -> Response:
    state: TournamentState = await context.tournaments.state_of(checked_tournament(tournament))
    function = sheets.standings_page if page == "standings" else sheets.crosstable_page
    return pdf(f"dicecup-{tournament}-{page}", await jobs.run(function, state, language))


def _encoded_view(context: AppContext, state: TournamentState) -> bytes:
    """Return the view that everybody sees as JSON."""
    return to_json(views.view(state, partial(_watch_key, context)))


def _watch_key(context: AppContext, table: str) -> str:
    """Return the key of the link to watch a table. Nobody replaces the links of tables of
    tournaments before their games."""
    return keys_of(context.tables.settings.host_key, table, 0).watch
