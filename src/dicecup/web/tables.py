"""Tables over HTTP: create, list, look at and act at tables; their links and records; statistics of
games and dice."""

import re
from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from dicecup.hosting import sharing
from dicecup.hosting.competition.fitting import fitting_levels
from dicecup.hosting.competition.standings import strengths_of
from dicecup.hosting.dice_statistics import DiceSummary
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.link_keys import TableKeys
from dicecup.hosting.quotas import COMMAND_BYTES, Quota
from dicecup.table.starts import startable
from dicecup.web.bodies import body, takes
from dicecup.web.competition.tournament_messages import TournamentOfTable
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.http_messages import (
    AskStart,
    DiceShare,
    DiceStatistics,
    Links,
    Look,
    Me,
    NewTable,
    Outcome,
    Send,
    Sent,
    Startable,
    Tables,
    ToWatch,
)
from dicecup.web.jobs import Jobs
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, Identity, KnownIdentity, LinkKey, answer

TABLE: Final = re.compile(r"[0-9a-f]{20}", re.ASCII)
TEXT: Final = {"text/plain": {"schema": {"type": "string"}}}
router = APIRouter(prefix="/api", tags=["tables"])


def checked_id(table: str) -> str:
    """Return the id of a table after checking its form. Raises `HostingError` (`no-such-table`)."""
    if not TABLE.fullmatch(table):
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    return table


@router.post("/tables", response_model=Links, status_code=201, openapi_extra=takes(NewTable))
async def make_a_table(
    context: Context, request: Request, identity: Identity, new: Annotated[NewTable, body(NewTable)]
) -> Response:
    """Create a table, sit down, and return its links."""
    address = address_of(request.scope)
    context.take(Quota.BYTES, address, COMMAND_BYTES + len(new.setup.start))
    context.take(Quota.TABLES, address)
    seats = [(seat.seat, seat.name) for seat in new.seats]
    keys = await context.tables.create(identity, new.setup, name=new.name, seats=seats)
    return answer(links(context, keys), 201)


@router.post("/starts", response_model=Startable, openapi_extra=takes(AskStart))
async def check_a_start(jobs: Jobs, asked: Annotated[AskStart, body(AskStart)]) -> Response:
    """Check whether a new table can go on from a record or a position."""
    return answer({"game": await jobs.read(startable, asked.start, asked.game)})


@router.get("/tables", response_model=Tables)
async def my_tables(context: Context, identity: KnownIdentity) -> Response:
    """Your tables, the newest first, each with your seats, and the levels that fit you."""
    tables = context.tables
    found = [] if identity is None else await tables.tables_of(identity)
    strengths = {} if identity is None else await strengths_of(tables.store, identity, tables.clock())
    return answer({"tables": [asdict(table) for table in found], "fitting": fitting_levels(found, strengths)})


@router.get("/tables/{table}", response_model=Look)
async def look_at_a_table(context: Context, identity: KnownIdentity, table: str, key: LinkKey = None) -> Response:
    """The view of a table, as you may see it."""
    update = await context.tables.look(checked_id(table), identity, key)
    return answer({"number": update.number, "view": update.view})


@router.post("/tables/{table}/commands", response_model=Sent, openapi_extra=takes(Send))
async def send_a_command(
    context: Context,
    request: Request,
    identity: KnownIdentity,
    table: str,
    sent: Annotated[Send, body(Send)],
    key: LinkKey = None,
) -> Response:
    """Handle a command, once, however often the same id is sent. A new browser is refused with
    `no-identity`; `GET /api/me` gives it its cookie."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    budget = context.budget(address_of(request.scope))
    with context.metrics.seconds.time():
        number = await context.tables.send(
            checked_id(table), identity, sent.command, version=sent.version, command_id=sent.id, key=key, budget=budget
        )
    context.metrics.commands.labels("done").inc()
    return answer({"number": number})


@router.get("/tables/{table}/links", response_model=Links)
async def links_of_a_table(context: Context, identity: KnownIdentity, table: str) -> Response:
    """The links of a table at which you sit. A person whom a computer replaced is refused with
    `not-your-seat`."""
    return answer(links(context, await context.tables.keys_for(checked_id(table), identity)))


@router.get("/tables/{table}/next", response_model=ToWatch)
async def next_table(context: Context, identity: KnownIdentity, table: str, key: LinkKey = None) -> Response:
    """The link to watch the next table, a rematch or the next game of a match, for everyone who may
    see this table."""
    following = links(context, await context.tables.next_keys(checked_id(table), identity, key))
    return answer({name: following[name] for name in ToWatch.model_fields})


@router.get("/tables/{table}/tournament", response_model=TournamentOfTable)
async def tournament_of_a_table(context: Context, identity: KnownIdentity, table: str) -> Response:
    """The tournament for which the server made a table, for those who have entered or organise
    it."""
    found = None if identity is None else await context.tournaments.store.of_table(checked_id(table), identity)
    return answer(TournamentOfTable(tournament=found))


@router.get("/tables/{table}/record", response_class=Response, responses={200: {"content": TEXT}})
async def record_of_a_table(context: Context, identity: KnownIdentity, table: str, key: LinkKey = None) -> Response:
    """The record so far, after the end of the game with the secret of the dice."""
    return PlainTextResponse(await sharing.record_text(context.tables, checked_id(table), identity, key))


@router.get("/me", response_model=Me)
async def my_statistics(context: Context, identity: Identity) -> Response:
    """How your games ended. A new browser gets its cookie with the answer."""
    found = await context.tables.store.outcomes_of(identity)
    counted = sorted((game, outcome, games) for (game, outcome), games in found.items() if outcome is not None)
    return answer(
        Me(outcomes=[Outcome(game=game, outcome=outcome, games=games) for game, outcome, games in counted])  # type: ignore[arg-type]
    )


@router.get("/dice", response_model=DiceStatistics)
async def all_dice(context: Context) -> Response:
    """Statistics of the server's dice in all finished games."""
    return answer(dice_message(*await context.tables.dice_statistics()))


def dice_message(games: int, found: DiceSummary) -> DiceStatistics:
    """Return the statistics of the dice in a number of games as a message."""
    faces = [
        DiceShare(face=face, count=share.count, share=share.share, low=share.low, high=share.high, expect=share.expect)
        for face, share in enumerate(found.shares, 1)
    ]
    return DiceStatistics(games=games, total=found.total, faces=faces, chi_square=found.chi_square, p_value=found.p_value)


def links(context: AppContext, keys: TableKeys) -> dict[str, Any]:
    """Return the links of a table as the message `Links`."""
    base = context.base
    return {
        "table": keys.table,
        "join": base.table(keys.table, "join", keys.join),
        "watch": base.table(keys.table, "watch", keys.watch),
        "join_key": keys.join,
        "watch_key": keys.watch,
        "reach": base.reach,
    }
