"""Tables by HTTP: make one, look at it, act at it, its record and its links; yours; all dice thrown."""

import re
from typing import Annotated, Any, Final

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from dicecup.hosting.dice_statistics import Statistics
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.hub import Created
from dicecup.web.context import Desk
from dicecup.web.messages import (
    DiceShare,
    DiceStatistics,
    Links,
    Look,
    Me,
    NewTable,
    Outcome,
    Send,
    Sent,
    Summary,
    Tables,
    ToWatch,
)
from dicecup.web.requests import AtDesk, LinkKey, Person, Somebody, answer, body, takes

TABLE: Final = re.compile(r"[0-9a-f]{20}", re.ASCII)
TEXT: Final = {"text/plain": {"schema": {"type": "string"}}}
router = APIRouter(prefix="/api", tags=["tables"])


def checked(table: str) -> str:
    """A text that can be a table's id. Raises `HostingError` (`no-such-table`)."""
    if not TABLE.fullmatch(table):
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    return table


@router.post("/tables", response_model=Links, status_code=201, openapi_extra=takes(NewTable))
async def make_a_table(desk: AtDesk, identity: Somebody, new: Annotated[NewTable, body(NewTable)]) -> Response:
    """Makes a table, sits you down, and answers its links."""
    seats = [(seat.seat, seat.name) for seat in new.seats]
    created = await desk.hub.create(identity, new.setup, name=new.name, seats=seats)
    return answer(links(desk, created), 201)


@router.get("/tables", response_model=Tables)
async def my_tables(desk: AtDesk, identity: Person) -> Response:
    """The tables at which you sit, the newest first."""
    found = [] if identity is None else await desk.hub.tables_of(identity)
    return answer({"tables": [{name: getattr(table, name) for name in Summary.model_fields} for table in found]})


@router.get("/tables/{table}", response_model=Look)
async def look_at_a_table(desk: AtDesk, identity: Person, table: str, key: LinkKey = None) -> Response:
    """How a table stands, as you may see it."""
    seen = await desk.hub.look(checked(table), identity, key)
    return answer({"number": seen.number, "view": seen.view})


@router.post("/tables/{table}/commands", response_model=Sent, openapi_extra=takes(Send))
async def send_a_command(
    desk: AtDesk, identity: Somebody, table: str, sent: Annotated[Send, body(Send)], key: LinkKey = None
) -> Response:
    """Acts at a table, once however often the same id is sent."""
    with desk.metrics.seconds.time():
        number = await desk.hub.send(checked(table), identity, sent.command, version=sent.version, command_id=sent.id, key=key)
    desk.metrics.commands.labels("done").inc()
    return answer({"number": number})


@router.get("/tables/{table}/links", response_model=Links)
async def links_of_a_table(desk: AtDesk, identity: Person, table: str) -> Response:
    """The links of a table at which you sit."""
    seen = await desk.hub.look(checked(table), identity)
    return answer(links(desk, desk.hub.links(seen.view["table"])))


@router.get("/tables/{table}/next", response_model=ToWatch)
async def next_table(desk: AtDesk, identity: Person, table: str, key: LinkKey = None) -> Response:
    """Where those go on who play here, once there is a rematch or the next game of a match: to watch it, for whoever may see this."""
    seen = await desk.hub.look(checked(table), identity, key)
    if seen.view["next"] is None:
        raise HostingError(HostingCode.NO_SUCH_TABLE)
    following = links(desk, desk.hub.links(seen.view["next"]))
    return answer({name: following[name] for name in ToWatch.model_fields})


@router.get("/tables/{table}/record", response_class=Response, responses={200: {"content": TEXT}})
async def record_of_a_table(desk: AtDesk, identity: Person, table: str, key: LinkKey = None) -> Response:
    """The record as it stands; once the game is over, with the secret of the dice."""
    return PlainTextResponse(await desk.hub.record(checked(table), identity, key))


@router.get("/me", response_model=Me)
async def my_statistics(desk: AtDesk, identity: Somebody) -> Response:
    """How your games ended. A browser that comes for the first time gets its cookie here."""
    found = await desk.hub.outcomes_of(identity)
    return answer(
        Me(
            outcomes=[
                Outcome(game=game, outcome=outcome, games=games)  # type: ignore[arg-type]
                for (game, outcome), games in sorted(found.items())
            ]
        )
    )


@router.get("/dice", response_model=DiceStatistics)
async def all_dice(desk: AtDesk) -> Response:
    """What all of the server's dice showed, in games that are over."""
    return answer(told_statistics(*await desk.hub.dice_statistics()))


def told_statistics(games: int, found: Statistics) -> DiceStatistics:
    """What dice showed in so many games, as it is told."""
    faces = [
        DiceShare(face=face, count=share.count, share=share.share, low=share.low, high=share.high, expect=share.expect)
        for face, share in enumerate(found.shares, 1)
    ]
    return DiceStatistics(games=games, total=found.total, faces=faces, chi_square=found.chi_square, p_value=found.p_value)


def links(desk: Desk, created: Created) -> dict[str, Any]:
    """The links of a table as they are told."""
    base = desk.base
    return {
        "table": created.table,
        "join": base.table(created.table, "join", created.join),
        "watch": base.table(created.table, "watch", created.watch),
        "join_key": created.join,
        "watch_key": created.watch,
        "reach": base.reach,
    }
