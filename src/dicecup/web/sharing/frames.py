"""The pages for frames on other sites (docs/sharing.md)."""

from typing import Final

from fastapi import APIRouter, Depends, Request, Response

from dicecup.hosting import sharing
from dicecup.hosting.competition.events import check_over, entries_of
from dicecup.locale import Messages
from dicecup.web.competition.tournaments import checked_tournament
from dicecup.web.config import ANY_SITE
from dicecup.web.context import AppContext
from dicecup.web.jobs import Jobs
from dicecup.web.learning_messages import GameId, PositionText
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, context_of
from dicecup.web.sharing import embedded, previews, rankings
from dicecup.web.sharing.shared import ShareKey
from dicecup.web.sheets import PageLanguage
from dicecup.web.tables import checked_id

HTML: Final = "text/html"
POLICY: Final = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors "
"""Content security policy of the pages, without the sites that may hold them in a frame."""


def embedding(request: Request) -> None:
    """Raise `WebError` (`not-offered`) on a server whose host lets no site embed its pages."""
    if not context_of(request).config.may_embed:
        raise WebError(WebCode.NOT_OFFERED)


router = APIRouter(include_in_schema=False, dependencies=[Depends(embedding)])


@router.get("/embed/tables/{table}")
async def game(context: Context, jobs: Jobs, request: Request, language: PageLanguage, table: str, share: ShareKey) -> Response:
    """The board or the sheets of a shared game."""
    game = await sharing.shared_game(context.tables, checked_id(table), share)
    text, link = game.to_text(), context.base.url + previews.of_game(context, table, share, game, language).path
    return _framed(
        context,
        await context.pictures.answer(
            request, HTML, ("game", language, text, link), lambda: jobs.run(embedded.game_page, text, language, link)
        ),
    )


@router.get("/embed/position")
async def position(
    context: Context, jobs: Jobs, request: Request, language: PageLanguage, game: GameId, position: PositionText
) -> Response:
    """The board or the sheet of a position."""
    link = context.base.url + previews.of_position(context, game, position, language).path
    return _framed(
        context,
        await context.pictures.answer(
            request,
            HTML,
            ("position", language, game, position, link),
            lambda: jobs.run(embedded.position_page, game, position, language, link),
        ),
    )


@router.get("/embed/tournaments/{tournament}")
async def tournament(context: Context, jobs: Jobs, request: Request, language: PageLanguage, tournament: str) -> Response:
    """The standings of a tournament."""
    state = await context.tournaments.state_of(checked_tournament(tournament))
    link = context.base.url + previews.of_tournament(context, state, language).path
    key = ("tournament", language, tournament, str(state.number), link)
    made = context.pictures.answer(request, HTML, key, lambda: jobs.run(embedded.standings_page, state, language, link))
    return _framed(context, await made)


@router.get("/embed/events/{event}")
async def event(context: Context, jobs: Jobs, request: Request, language: PageLanguage, event: str) -> Response:
    """The ranking of a challenge of a day that is over."""
    found, messages = await previews.challenge(context, event), Messages(language)
    check_over(found)
    entries = await entries_of(context.tables.store, event)
    link = context.base.url + previews.path_of_event(event, language)
    title, said = previews.title_of_event(found, messages), rankings.summary_of(found, entries, messages)
    listed = list(rankings.lines_of(found, entries, messages))
    key = ("event", language, title, said, link, *(text for line in listed for text in line))
    made = context.pictures.answer(
        request, HTML, key, lambda: jobs.run(embedded.ranking_page, title, said, listed, language, link)
    )
    return _framed(context, await made)


def _framed(context: AppContext, page: Response) -> Response:
    """Return a page that the sites of the setting may hold in a frame."""
    sites = context.config.embedded_by
    page.headers["Content-Security-Policy"] = POLICY + (sites if sites == ANY_SITE else f"'self' {sites}")
    return page
