"""Sharing over HTTP: links to finished games, positions and results, and their pictures."""

from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Depends, Query, Request, Response

from dicecup.hosting import sharing
from dicecup.locale import Messages
from dicecup.sheets import pictures
from dicecup.web.competition.tournaments import checked_tournament
from dicecup.web.context import AppContext
from dicecup.web.jobs import Jobs
from dicecup.web.learning_messages import GameId, PositionText
from dicecup.web.messages import Key
from dicecup.web.requests import Context, KnownIdentity, LinkKey, answer, context_of
from dicecup.web.sharing import previews
from dicecup.web.sharing.messages import Shared
from dicecup.web.sharing.previews import Preview
from dicecup.web.sheets import PageLanguage
from dicecup.web.tables import checked_id

PNG: Final = "image/png"
GIF: Final = "image/gif"
ShareKey: TypeAlias = Annotated[Key, Query(alias="share", description="The key of the link to the game")]
EntryNumber: TypeAlias = Annotated[int | None, Query(ge=1, description="The place in the ranking")]


def offered(request: Request) -> None:
    """Raise `WebError` (`not-offered`) on a server whose host has switched sharing off."""
    previews.check_offered(context_of(request))


def picture(media_type: str) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says about an answer with a picture."""
    return {200: {"content": {media_type: {"schema": {"type": "string", "format": "binary"}}}}}


router = APIRouter(prefix="/api", tags=["sharing"], dependencies=[Depends(offered)])

# --- Links ----------------------------------------------------------------------------------------


@router.get("/tables/{table}/share", response_model=Shared)
async def share_a_game(
    context: Context, identity: KnownIdentity, language: PageLanguage, table: str, key: LinkKey = None
) -> Response:
    """The link to a finished game for everybody, in a language. It shows the game and its review,
    and nothing else of the table. New links of the table replace this one, too."""
    shared, game = await sharing.share(context.tables, checked_id(table), identity, key)
    return _shared(context, previews.of_game(context, table, shared, game, language))


@router.get("/positions/share", response_model=Shared)
async def share_a_position(context: Context, language: PageLanguage, game: GameId, position: PositionText) -> Response:
    """The link to a position, in a language. Its page asks what to do."""
    return _shared(context, previews.of_position(context, game, position, language))


@router.get("/events/{event}/share", response_model=Shared)
async def share_an_event(context: Context, language: PageLanguage, event: str, entry: EntryNumber = None) -> Response:
    """The link to a challenge of a day, or after its end to a result in it, in a language."""
    return _shared(context, await previews.of_event(context, event, entry, language))


@router.get("/tournaments/{tournament}/share", response_model=Shared)
async def share_a_tournament(context: Context, language: PageLanguage, tournament: str) -> Response:
    """The link to the page of a tournament, and the address of its standings for a frame."""
    state = await context.tournaments.state_of(checked_tournament(tournament))
    return _shared(context, previews.of_tournament(context, state, language))


def _shared(context: AppContext, preview: Preview) -> Response:
    """Return a preview as an answer, with whole addresses."""
    base = context.base

    def whole(path: str | None) -> str | None:
        return path and base.url + path

    return answer(
        Shared(
            link=base.url + preview.path,
            title=preview.title,
            card=whole(preview.card),
            replay=whole(preview.replay),
            embed=whole(preview.embed),
            embed_title=preview.embed_title or preview.title,
            reach=base.reach,
        )
    )


# --- Pictures -------------------------------------------------------------------------------------


@router.get("/tables/{table}/card.png", response_class=Response, responses=picture(PNG))
async def card_of_a_game(
    context: Context, jobs: Jobs, request: Request, language: PageLanguage, table: str, share: ShareKey
) -> Response:
    """The picture of a shared game: the result, and the board or the sheet of a winner."""
    text = (await sharing.shared_game(context.tables, checked_id(table), share)).to_text()
    return await context.pictures.answer(
        request, PNG, ("game", language, text), lambda: jobs.run(pictures.game_card, text, language)
    )


@router.get("/tables/{table}/replay.gif", response_class=Response, responses=picture(GIF))
async def replay_of_a_game(
    context: Context, jobs: Jobs, request: Request, language: PageLanguage, table: str, share: ShareKey
) -> Response:
    """A shared game as an animated picture, turn by turn."""
    text = (await sharing.shared_game(context.tables, checked_id(table), share)).to_text()
    return await context.pictures.answer(
        request, GIF, ("game", language, text), lambda: jobs.run(pictures.replay, text, language)
    )


@router.get("/positions/card.png", response_class=Response, responses=picture(PNG))
async def card_of_a_position(
    context: Context, jobs: Jobs, request: Request, language: PageLanguage, game: GameId, position: PositionText
) -> Response:
    """The picture of a position: the board or the sheet, and the dice."""
    return await context.pictures.answer(
        request,
        PNG,
        ("position", language, game, position),
        lambda: jobs.run(pictures.position_card, game, position, language),
    )


@router.get("/events/{event}/card.png", response_class=Response, responses=picture(PNG))
async def card_of_an_event(
    context: Context, jobs: Jobs, request: Request, language: PageLanguage, event: str, entry: EntryNumber = None
) -> Response:
    """The picture of a challenge of a day, or after its end that of a result in it, with the
    game."""
    found, messages = await previews.challenge(context, event), Messages(language)
    title, day = previews.event_title(found, messages), previews.event_day(found, messages)
    if entry is None:
        note = messages("share_event_about")
        return await context.pictures.answer(
            request,
            PNG,
            ("event", language, title, day, note),
            lambda: jobs.run(pictures.text_card, language, title=day, heading=title, note=note),
        )
    result = await previews.result_of(context, found, entry)
    _, text = await context.duplicates.game(event, entry)
    note = f"{previews.rank_text(result, messages)} {day}".strip()
    return await context.pictures.answer(
        request,
        PNG,
        ("result", language, title, note, text),
        lambda: jobs.run(pictures.game_card, text, language, title=title, note=note),
    )
