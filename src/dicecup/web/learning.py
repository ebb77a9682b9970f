"""What the pages to learn on ask for by HTTP: any position as a table's view shows it, and the trainer's questions."""

from typing import Annotated

from fastapi import APIRouter, Response

from dicecup import games
from dicecup.web import computing_learning as computing
from dicecup.web.analyses import refuse_what_is_played
from dicecup.web.messages import AskQuestion, AskShow, AskVerdict, Question, Shown, Verdict
from dicecup.web.requests import AtDesk, Person, answer, body, takes

router = APIRouter(prefix="/api", tags=["analysis"])


@router.post("/show", response_model=Shown, openapi_extra=takes(AskShow))
async def show(desk: AtDesk, asked: Annotated[AskShow, body(AskShow)]) -> Response:
    """A position with its board or sheets, the turn, and what may be done with its effects."""
    return answer(await desk.hub.pool.run(computing.show, asked.game, asked.position, asked.after))


@router.post("/questions", response_model=Question, openapi_extra=takes(AskQuestion))
async def ask(desk: AtDesk, asked: Annotated[AskQuestion, body(AskQuestion)]) -> Response:
    """A decision to practise on, from a game that the computer plays for it."""
    found = await desk.hub.pool.run(computing.question, asked.game, asked.seed, asked.number, asked.difficulty)
    return answer(found)


@router.post("/questions/answer", response_model=Verdict, openapi_extra=takes(AskVerdict))
async def judge(desk: AtDesk, identity: Person, asked: Annotated[AskVerdict, body(AskVerdict)]) -> Response:
    """What the choice is worth and why, and how hard the next question should be."""
    await refuse_what_is_played(desk.hub, identity, frozenset([games.from_id(asked.game).position(asked.position)]))
    before = None if asked.before is None else (asked.before.difficulty, asked.before.right)
    found = await desk.hub.pool.run(computing.verdict, asked.game, asked.position, asked.difficulty, asked.played, before)
    return answer(found)
