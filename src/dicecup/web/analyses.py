"""Analyses over HTTP. Positions of running games against people are refused
(docs/decisions/0009)."""

from collections.abc import Callable
from typing import Annotated, Any, Concatenate, ParamSpec

from fastapi import APIRouter, Request, Response

from dicecup.core.game import Position
from dicecup.hosting import sharing
from dicecup.hosting.table_host import TableHost
from dicecup.table.errors import TableCode, TableError
from dicecup.web import analysis_jobs
from dicecup.web.analysis_jobs import Checked
from dicecup.web.bodies import body, takes
from dicecup.web.jobs import Jobs, RequestJobs
from dicecup.web.learning_messages import AskAnalysis, AskOdds, AskReview
from dicecup.web.requests import Context, KnownIdentity, LinkKey, encoded_answer
from dicecup.web.tables import checked_id

Arguments = ParamSpec("Arguments")
router = APIRouter(prefix="/api", tags=["analysis"])


@router.post("/odds", response_model=dict[str, Any], openapi_extra=takes(AskOdds))
async def odds(jobs: Jobs, asked: Annotated[AskOdds, body(AskOdds)]) -> Response:
    """The exact odds of each figure or row in a turn that is played for it alone
    (docs/analysis.md)."""
    return encoded_answer(await jobs.run(analysis_jobs.odds, asked.game, asked.dice, asked.throws_left, asked.keep, asked.defi))


@router.post("/analysis", response_model=dict[str, Any], openapi_extra=takes(AskAnalysis))
async def analysis(context: Context, jobs: Jobs, asked: Annotated[AskAnalysis, body(AskAnalysis)]) -> Response:
    """The value of each legal action in a position, with reasons (docs/analysis.md)."""
    return encoded_answer(
        await run_without_assistance(context.tables, jobs, analysis_jobs.analysis, asked.game, asked.position, asked.alone)
    )


@router.post("/review", response_model=dict[str, Any], openapi_extra=takes(AskReview))
async def review(context: Context, jobs: Jobs, request: Request, asked: Annotated[AskReview, body(AskReview)]) -> Response:
    """The review of a finished game (docs/analysis.md)."""
    return await _reviewed(context.tables, jobs, request, asked.record)


@router.get("/tables/{table}/review", response_model=dict[str, Any])
async def review_of_a_table(
    context: Context, jobs: Jobs, request: Request, identity: KnownIdentity, table: str, key: LinkKey = None
) -> Response:
    """The review of the finished game of a table."""
    text = await sharing.record_text(context.tables, checked_id(table), identity, key)
    return await _reviewed(context.tables, jobs, request, text)


async def _reviewed(tables: TableHost, jobs: RequestJobs, request: Request, text: str) -> Response:
    """Return the review of a record, compressed for clients that accept it."""
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    found = encoded_answer(await run_without_assistance(tables, jobs, analysis_jobs.review, text, compressed=compressed))
    if compressed:
        found.headers["Content-Encoding"] = "gzip"
    found.headers["Vary"] = "Accept-Encoding"
    return found


async def run_without_assistance(
    tables: TableHost,
    jobs: RequestJobs,
    function: Callable[Concatenate[tuple[Position, ...], Arguments], Checked],
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> bytes:
    """Return the answer of a job whose first argument is the positions of the client's running
    games.

    Raises `TableError` (`game-running`) if other people play one of the positions that the answer
    is about, and what `RequestJobs.run` raises.
    """
    own = await tables.guarded_positions(jobs.client.identity or None)
    answer, asked = await jobs.run(function, own, *arguments, **named)
    if tables.is_played(asked):
        raise TableError(TableCode.GAME_RUNNING)
    return answer
