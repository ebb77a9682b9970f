"""Printed pages over HTTP: empty sheets of Yamm, rules of thumb, and the game of a table."""

from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from dicecup import sheets
from dicecup.hosting import sharing
from dicecup.table.names import LONGEST_NAME
from dicecup.web.jobs import Jobs
from dicecup.web.messages import Language
from dicecup.web.refusals import language_of
from dicecup.web.requests import Context, KnownIdentity, LinkKey
from dicecup.web.tables import checked_id
from dicecup.yamm.options import MOST_PLAYERS

PDF: Final = "application/pdf"
ANSWERS: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {PDF: {"schema": {"type": "string", "format": "binary"}}}}}
AskedLanguage: TypeAlias = Annotated[
    Language | None,
    Query(alias="lang", description="The language; without it, the one that `Accept-Language` prefers"),
]
Name: TypeAlias = Annotated[str, Field(max_length=LONGEST_NAME)]

router = APIRouter(prefix="/api", tags=["sheets"])


def page_language(request: Request, asked: AskedLanguage = None) -> str:
    """Return the language of the page."""
    return asked or language_of(request.headers.get("accept-language", ""))


PageLanguage = Annotated[str, Depends(page_language)]


@router.get("/sheet.pdf", response_class=Response, responses=ANSWERS)
async def empty_sheets(
    jobs: Jobs,
    language: PageLanguage,
    players: Annotated[int, Query(ge=1, le=MOST_PLAYERS)] | None = None,
    names: Annotated[list[Name], Query(alias="name", max_length=MOST_PLAYERS)] = [],  # noqa: B006 FastAPI copies it
    pairs: bool = False,
) -> Response:
    """Empty score sheets of Yamm to print, one for each player or pair, with the given names."""
    return pdf("yamm", await jobs.run(sheets.empty_sheet, language, players=players, names=names, pairs=pairs))


@router.get("/rules-of-thumb.pdf", response_class=Response, responses=ANSWERS)
async def rules_of_thumb(jobs: Jobs, language: PageLanguage) -> Response:
    """What keeps, cells, bonus points, squares and threats are worth, as measured, to print."""
    return pdf("rules-of-thumb", await jobs.run(sheets.thumb_page, language))


@router.get("/tables/{table}/sheet.pdf", response_class=Response, responses=ANSWERS)
async def sheet_of_a_table(
    context: Context, jobs: Jobs, identity: KnownIdentity, language: PageLanguage, table: str, key: LinkKey = None
) -> Response:
    """The game of a table so far, to print: the sheets of Yamm, or the board of Yam Master with
    every turn."""
    text = await sharing.record_text(context.tables, checked_id(table), identity, key)
    return pdf(f"dicecup-{table}", await jobs.run(sheets.of_text, text, language))


def pdf(name: str, pages: bytes) -> Response:
    """Return a PDF as an answer."""
    return Response(pages, media_type=PDF, headers={"Content-Disposition": f'attachment; filename="{name}.pdf"'})
