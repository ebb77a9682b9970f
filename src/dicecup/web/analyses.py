"""Analyses over HTTP. Positions of running games against people are refused
(docs/decisions/0009)."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Response

from dicecup import games, record
from dicecup.analysis.steps import steps
from dicecup.core.game import Position
from dicecup.hosting.table_host import TableHost
from dicecup.table.errors import TableCode, TableError
from dicecup.web import analysis_jobs
from dicecup.web.learning_messages import AskAnalysis, AskOdds, AskReview
from dicecup.web.requests import Context, KnownIdentity, LinkKey, answer, body, takes
from dicecup.web.tables import checked

router = APIRouter(prefix="/api", tags=["analysis"])


@router.post("/odds", response_model=dict[str, Any], openapi_extra=takes(AskOdds))
async def odds(context: Context, asked: Annotated[AskOdds, body(AskOdds)]) -> Response:
    """The exact odds of each figure or row in a turn that is played for it alone
    (docs/analysis.md)."""
    found = await context.tables.pool.run(analysis_jobs.odds, asked.game, asked.dice, asked.throws_left, asked.keep, asked.defi)
    return answer(found)


@router.post("/analysis", response_model=dict[str, Any], openapi_extra=takes(AskAnalysis))
async def analysis(context: Context, identity: KnownIdentity, asked: Annotated[AskAnalysis, body(AskAnalysis)]) -> Response:
    """The value of each legal action in a position, with reasons (docs/analysis.md)."""
    await refuse_assistance(context.tables, identity, frozenset([games.from_id(asked.game).position(asked.position)]))
    return answer(await context.tables.pool.run(analysis_jobs.analysis, asked.game, asked.position, asked.alone))


@router.post("/review", response_model=dict[str, Any], openapi_extra=takes(AskReview))
async def review(context: Context, identity: KnownIdentity, asked: Annotated[AskReview, body(AskReview)]) -> Response:
    """The review of a finished game (docs/analysis.md)."""
    return answer(await reviewed(context.tables, identity, asked.record))


@router.get("/tables/{table}/review", response_model=dict[str, Any])
async def review_of_a_table(context: Context, identity: KnownIdentity, table: str, key: LinkKey = None) -> Response:
    """The review of the finished game of a table."""
    text = await context.tables.record(checked(table), identity, key)
    return answer(await reviewed(context.tables, identity, text))


async def reviewed(tables: TableHost, identity: str | None, text: str) -> dict[str, Any]:
    """Return the review of a record.

    Raises `TableError` (`game-running`) if a position of the record belongs to a running game: a
    player could add an end to the record of their own game, or replay its position at another
    table. Raises also what `analysis_jobs.review` raises.
    """
    await refuse_assistance(tables, identity, await asyncio.to_thread(positions_of, text))
    found: dict[str, Any] = await tables.pool.run(analysis_jobs.review, text)
    return found


def positions_of(text: str) -> frozenset[Position]:
    """Return the positions of a finished game in which a player decided.

    An unfinished game has none; its review is refused anyway. Raises `RecordError`.
    """
    played = record.read(text)
    return frozenset(before for before, _, _ in steps(played) if not before.waiting and "End" in played.tags)


async def refuse_assistance(tables: TableHost, identity: str | None, positions: frozenset[Position]) -> None:
    """Raise `TableError` (`game-running`) if the analysis of one of these positions would help in a
    running game."""
    if await tables.helps(identity, positions):
        raise TableError(TableCode.GAME_RUNNING)
