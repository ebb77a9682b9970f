"""Games that people played on their devices without the server: finished ones join, and those of
tables come back."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from dicecup.analysis.answers import decided
from dicecup.core.game import Position
from dicecup.hosting.device_games import digest_of_record, read_game
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.handing_back import take_back
from dicecup.hosting.quotas import COMMAND_BYTES, Quota
from dicecup.hosting.store import Digest
from dicecup.hosting.store.device_games import games_of, record_of_game, save_game
from dicecup.hosting.table_summary import summary_of
from dicecup.table.assistance import Fingerprints, refuse_help
from dicecup.table.errors import TableCode, TableError
from dicecup.table.handover import SEPARATOR, CheckedSection, HandedBack, checked_section
from dicecup.table.state import TableState
from dicecup.web.bodies import body, takes
from dicecup.web.guard import address_of
from dicecup.web.http_messages import DeviceGame, HandBack, Joined, Sent, Tables
from dicecup.web.jobs import Jobs
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, KnownIdentity, answer
from dicecup.web.tables import TEXT, checked_id

router = APIRouter(prefix="/api", tags=["people"])


@router.post("/device-games", response_model=Joined, openapi_extra=takes(DeviceGame))
async def join_a_game(
    context: Context,
    request: Request,
    jobs: Jobs,
    identity: KnownIdentity,
    game: Annotated[DeviceGame, body(DeviceGame)],
) -> Response:
    """Add a game to your list and your statistics, once, however often it is sent. Its record is
    checked. A new browser is refused with `no-identity`; `GET /api/me` gives it its cookie."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    store = context.tables.store
    if await record_of_game(store, identity, game.table) is not None:
        return answer({"new": False})
    address = address_of(request.scope)
    context.take(Quota.BYTES, address, COMMAND_BYTES + len(game.record))
    context.take(Quota.TABLES, address)
    now = context.tables.clock()
    own = await context.tables.guarded_positions(identity)
    digest, asked = await jobs.read(_checked, own, game.record, game.table, identity, min(game.created, now))
    if context.tables.is_played(asked):  # statistics show what its decisions cost
        raise TableError(TableCode.GAME_RUNNING)
    return answer({"new": await save_game(store, digest, now, game.record)})


@router.post("/tables/{table}/hand-back", response_model=Sent, openapi_extra=takes(HandBack))
async def hand_a_game_back(
    context: Context,
    request: Request,
    jobs: Jobs,
    identity: KnownIdentity,
    table: str,
    given: Annotated[HandBack, body(HandBack)],
) -> Response:
    """Hand a game back that you went on with on a device while the server was out of reach, once,
    however often it is sent. Every step is checked. Refused with `moved-on` if the game went on at
    the server meanwhile. A new browser is refused with `no-identity`."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    context.take(Quota.BYTES, address_of(request.scope), COMMAND_BYTES + len(given.steps))
    steps = tuple(given.steps.split(SEPARATOR)) if given.steps else ()
    back = HandedBack(given.device, given.since, given.commitment, given.secret, steps, given.resigned)

    async def checked(state: TableState, handed: HandedBack, seats: frozenset[int]) -> CheckedSection:
        return await jobs.read(checked_section, state, handed, seats)

    return answer({"number": await take_back(context.tables, checked_id(table), identity, back, checked)})


@router.get("/device-games", response_model=Tables)
async def my_device_games(context: Context, identity: KnownIdentity) -> Response:
    """The games that you played on devices without the server, the newest first."""
    found = [] if identity is None else await games_of(context.tables.store, identity)
    return answer({"tables": [asdict(summary_of(digest)) for digest in found]})


@router.get("/device-games/{table}/record", response_class=Response, responses={200: {"content": TEXT}})
async def record_of_a_device_game(context: Context, identity: KnownIdentity, table: str) -> Response:
    """The record of such a game of yours."""
    text = None if identity is None else await record_of_game(context.tables.store, identity, checked_id(table))
    if text is None:
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    return PlainTextResponse(text)


def _checked(own: tuple[Position, ...], text: str, table: str, identity: str, created: float) -> tuple[Digest, Fingerprints]:
    """Return the digest of a game, and the positions of its decisions.

    `own` are the positions of the person's running games. Raises as `read_game`, and `TableError`
    (`game-running`).
    """
    played = read_game(text)
    asked = refuse_help(own, decided(played))
    return digest_of_record(played, table, identity, created), asked
