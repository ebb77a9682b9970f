"""Analyses by HTTP. Nothing is said about a table at which people are still playing."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Response

from dicecup import games, record
from dicecup.analysis.steps import steps
from dicecup.core.game import Position
from dicecup.hosting.hub import Hub
from dicecup.table.errors import TableCode, TableError
from dicecup.web import computing
from dicecup.web.messages import AskAnalysis, AskOdds, AskReview
from dicecup.web.requests import AtDesk, LinkKey, Person, answer, body, takes
from dicecup.web.tables import checked

router = APIRouter(prefix="/api", tags=["analysis"])


@router.post("/odds", response_model=dict[str, Any], openapi_extra=takes(AskOdds))
async def odds(desk: AtDesk, asked: Annotated[AskOdds, body(AskOdds)]) -> Response:
    """The exact odds of every figure or row when a turn is played for it alone (docs/analysis.md)."""
    found = await desk.hub.pool.run(computing.odds, asked.game, asked.dice, asked.throws_left, asked.keep, asked.defi)
    return answer(found)


@router.post("/analysis", response_model=dict[str, Any], openapi_extra=takes(AskAnalysis))
async def analysis(desk: AtDesk, identity: Person, asked: Annotated[AskAnalysis, body(AskAnalysis)]) -> Response:
    """What everything that may be done in a position is worth, and why (docs/analysis.md)."""
    await refuse_what_is_played(desk.hub, identity, frozenset([games.from_id(asked.game).position(asked.position)]))
    return answer(await desk.hub.pool.run(computing.analysis, asked.game, asked.position, asked.alone))


@router.post("/review", response_model=dict[str, Any], openapi_extra=takes(AskReview))
async def review(desk: AtDesk, identity: Person, asked: Annotated[AskReview, body(AskReview)]) -> Response:
    """The review of a game that is over (docs/analysis.md)."""
    return answer(await reviewed(desk.hub, identity, asked.record))


@router.get("/tables/{table}/review", response_model=dict[str, Any])
async def review_of_a_table(desk: AtDesk, identity: Person, table: str, key: LinkKey = None) -> Response:
    """The review of a table's game, once it is over."""
    text = await desk.hub.record(checked(table), identity, key)
    return answer(await reviewed(desk.hub, identity, text))


async def reviewed(hub: Hub, identity: str | None, text: str) -> dict[str, Any]:
    """The review of a record. Raises as `computing.review`, and `TableError` (`game-running`): whoever plays could end the record of their
    own game, or play up to its position at another table."""
    await refuse_what_is_played(hub, identity, await asyncio.to_thread(positions_of, text))
    found: dict[str, Any] = await hub.pool.run(computing.review, text)
    return found


def positions_of(text: str) -> frozenset[Position]:
    """In which something was decided in the game of this record; none where it is not over, which the review refuses. Raises
    `RecordError`."""
    played = record.read(text)
    return frozenset(before for before, _, _ in steps(played) if not before.waiting and "End" in played.tags)


async def refuse_what_is_played(hub: Hub, identity: str | None, asked: frozenset[Position]) -> None:
    """Raises `TableError` (`game-running`) where one of these would help somebody in a game against people."""
    if await hub.helps(identity, asked):
        raise TableError(TableCode.GAME_RUNNING)
