"""Cards of your own mistakes over HTTP (docs/learning.md)."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from dicecup.analysis.mistakes.portion import portion_size
from dicecup.analysis.theme import Theme
from dicecup.hosting.learning.cards import Practice, practice, theme_courses
from dicecup.hosting.quotas import DAY, Quota
from dicecup.hosting.store.cards import StoredAnswer, add_answers, cards_of, remove_card
from dicecup.table.errors import TableCode, TableError
from dicecup.table.names import LONGEST_NAME
from dicecup.web import mistake_jobs
from dicecup.web.bodies import body, takes
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.jobs import Jobs
from dicecup.web.mistake_jobs import Given
from dicecup.web.mistake_messages import (
    AnsweredMistakes,
    AnswerMistakes,
    CardId,
    Day,
    MistakePeriod,
    Mistakes,
    MistakeTheme,
)
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, KnownIdentity, answer
from dicecup.web.sheets import ANSWERS, PageLanguage, pdf

ANSWER_BYTES: Final = 100
"""Bytes of the database that an answer counts for."""
LONGEST_AHEAD: Final = 7
"""Days in the future of which a device may ask for the portion, to have it without a connection."""

NOTHING: Final = Practice([], 0, 0, portion_size(()), 0, theme_courses((), "", (), 0), 0, {})
"""What a new browser can practise."""

router = APIRouter(prefix="/api/mistakes", tags=["analysis"])


@router.get("", response_model=Mistakes)
async def my_mistakes(
    context: Context,
    jobs: Jobs,
    identity: KnownIdentity,
    day: Annotated[Day | None, Query(description="Days since 1970 in your time zone; by default today in UTC")] = None,
    game: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
    theme: Annotated[Theme | None, Query(description="With `game`: a drill of this theme")] = None,
) -> Response:
    """The cards of your own mistakes to practise on a day, and your loss by theme over time. Cards
    are made of your reviewed games now; ask again while games wait."""
    if identity is None:
        return answer(_message(NOTHING, []))
    asked = None if theme is None else (game, theme)
    tables = context.tables
    found = await practice(tables.store, tables.pool, tables.own_games, identity, _day(context, day), asked)
    own = await tables.guarded_positions(identity)
    asked_now = await jobs.run(mistake_jobs.questions, own, found.cards, found.opponents)
    cards = [card.message for card in asked_now if not tables.is_played(card.asked)]
    return answer(_message(found, cards))


@router.get("/puzzles.pdf", response_class=Response, responses=ANSWERS)
async def my_puzzles(context: Context, jobs: Jobs, identity: KnownIdentity, language: PageLanguage) -> Response:
    """Ten of your costliest mistakes as puzzles to print, with the solutions on the second page."""
    tables = context.tables
    cards = [] if identity is None else await cards_of(tables.store, identity)
    own = await tables.guarded_positions(identity)
    pages, asked = await jobs.run(mistake_jobs.puzzles, own, cards, language)
    if tables.is_played(asked):
        raise TableError(TableCode.GAME_RUNNING)
    return pdf("dicecup-puzzles", pages)


@router.post("/answers", response_model=AnsweredMistakes, openapi_extra=takes(AnswerMistakes))
async def answer_my_mistakes(
    context: Context,
    request: Request,
    jobs: Jobs,
    identity: KnownIdentity,
    sent: Annotated[AnswerMistakes, body(AnswerMistakes)],
) -> Response:
    """Save answers to cards. The first answer to a card on a day counts, however often it is sent.
    Answers to unknown cards and with illegal actions are left out."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    store = context.tables.store
    cards = {card.card: card for card in await cards_of(store, identity)}
    given = [each for each in sent.answers if each.card in cards]
    if not given:
        return answer(AnsweredMistakes(due={}))
    context.take(Quota.BYTES, address_of(request.scope), ANSWER_BYTES * len(given))
    asked = [Given(cards[each.card].game, cards[each.card].position, each.played) for each in given]
    losses = await jobs.run(mistake_jobs.losses, asked)
    saved = [
        StoredAnswer(each.card, min(each.day, _today(context) + 1), each.played, loss, each.seconds)
        for each, loss in zip(given, losses, strict=True)
        if loss is not None
    ]
    return answer(AnsweredMistakes(due=await add_answers(store, identity, saved)))


@router.delete("/cards/{card}", status_code=204)
async def remove_my_card(context: Context, identity: KnownIdentity, card: CardId) -> Response:
    """Remove a card: it is not asked again, and its mistake makes no new one."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    await remove_card(context.tables.store, identity, card)
    return Response(status_code=204)


def _today(context: AppContext) -> int:
    """Return the day in UTC. In the time zone of a person it may be one later."""
    return int(context.tables.clock() // DAY)


def _day(context: AppContext, asked: int | None) -> int:
    """Return the day that a person asks for, at most `LONGEST_AHEAD` from today."""
    today = _today(context)
    return today if asked is None else min(asked, today + LONGEST_AHEAD)


def _message(found: Practice, cards: list[dict[str, object]]) -> dict[str, object]:
    themes = [
        MistakeTheme(
            game=each.game,
            theme=each.theme,
            unit=each.unit.value,
            cards=each.cards,
            due=each.due,
            made=each.made,
            periods=[
                MistakePeriod(
                    since=period.since,
                    until=period.until,
                    games=period.loss.decisions,
                    loss=period.loss.mean or 0.0,
                    half=period.loss.half,
                )
                for period in each.periods
            ],
        )
        for each in found.themes
    ]
    shown = found._asdict()
    del shown["opponents"]
    return shown | {"cards": cards, "themes": themes}
