"""The view of any position, also of an earlier one of a table, and the trainer over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from dicecup.hosting import sharing
from dicecup.web import practice_jobs
from dicecup.web.analyses import run_without_assistance
from dicecup.web.bodies import body, takes
from dicecup.web.jobs import Jobs
from dicecup.web.learning_messages import AskQuestion, AskShow, AskVerdict, Question, Shown, Verdict
from dicecup.web.requests import Context, KnownIdentity, LinkKey, encoded_answer
from dicecup.web.tables import checked_id

router = APIRouter(prefix="/api", tags=["analysis"])


@router.post("/show", response_model=Shown, openapi_extra=takes(AskShow))
async def show(jobs: Jobs, asked: Annotated[AskShow, body(AskShow)]) -> Response:
    """The view of a position: board or sheets, turn, and the legal actions with their effects."""
    return encoded_answer(await jobs.read(practice_jobs.show, asked.game, asked.position, asked.after))


@router.get("/tables/{table}/turns/{turn}", response_model=Shown)
async def turn_of_a_table(
    context: Context, jobs: Jobs, identity: KnownIdentity, table: str, turn: Annotated[int, Path(ge=1)], key: LinkKey = None
) -> Response:
    """The view of a game at the end of a turn, before any correction of its result."""
    text = await sharing.record_text(context.tables, checked_id(table), identity, key)
    return encoded_answer(await jobs.read(practice_jobs.turn, text, turn))


@router.post("/questions", response_model=Question, openapi_extra=takes(AskQuestion))
async def ask(jobs: Jobs, asked: Annotated[AskQuestion, body(AskQuestion)]) -> Response:
    """A decision to practise on, from a game that computers play."""
    of = (asked.game, asked.seed, asked.number, asked.difficulty, asked.theme)
    return encoded_answer(await jobs.run(practice_jobs.question, *of))


@router.post("/questions/answer", response_model=Verdict, openapi_extra=takes(AskVerdict))
async def judge(context: Context, jobs: Jobs, asked: Annotated[AskVerdict, body(AskVerdict)]) -> Response:
    """The loss of a choice, the analysis of all choices, and the difficulty of the next
    question."""
    before = None if asked.before is None else (asked.before.difficulty, asked.before.right)
    choice = (asked.game, asked.position, asked.difficulty, asked.played, before)
    answer = await run_without_assistance(context.tables, jobs, practice_jobs.verdict, *choice, lenient=asked.lenient)
    return encoded_answer(answer)
