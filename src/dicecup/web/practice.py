"""The trainer over HTTP: the view of any position, questions and verdicts."""

from typing import Annotated

from fastapi import APIRouter, Response

from dicecup import games
from dicecup.web import practice_jobs
from dicecup.web.analyses import refuse_assistance
from dicecup.web.learning_messages import AskQuestion, AskShow, AskVerdict, Question, Shown, Verdict
from dicecup.web.requests import Context, KnownIdentity, answer, body, takes

router = APIRouter(prefix="/api", tags=["analysis"])


@router.post("/show", response_model=Shown, openapi_extra=takes(AskShow))
async def show(context: Context, asked: Annotated[AskShow, body(AskShow)]) -> Response:
    """The view of a position: board or sheets, turn, and the legal actions with their effects."""
    return answer(await context.tables.pool.run(practice_jobs.show, asked.game, asked.position, asked.after))


@router.post("/questions", response_model=Question, openapi_extra=takes(AskQuestion))
async def ask(context: Context, asked: Annotated[AskQuestion, body(AskQuestion)]) -> Response:
    """A decision to practise on, from a game that computers play."""
    found = await context.tables.pool.run(practice_jobs.question, asked.game, asked.seed, asked.number, asked.difficulty)
    return answer(found)


@router.post("/questions/answer", response_model=Verdict, openapi_extra=takes(AskVerdict))
async def judge(context: Context, identity: KnownIdentity, asked: Annotated[AskVerdict, body(AskVerdict)]) -> Response:
    """The loss of a choice, the analysis of all choices, and the difficulty of the next
    question."""
    await refuse_assistance(context.tables, identity, frozenset([games.from_id(asked.game).position(asked.position)]))
    before = None if asked.before is None else (asked.before.difficulty, asked.before.right)
    found = await context.tables.pool.run(
        practice_jobs.verdict, asked.game, asked.position, asked.difficulty, asked.played, before
    )
    return answer(found)
