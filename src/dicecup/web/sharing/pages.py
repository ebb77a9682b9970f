"""The page of the browser client at addresses that people share, with what programs that show a
preview of a link read: Open Graph tags, in the language of the link.

Such programs run no scripts. A link that opens nothing gets the page without tags; the page says
why.
"""

import gzip
from collections.abc import Awaitable, Callable
from html import escape
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from dicecup.core.errors import DicecupError
from dicecup.locale import LANGUAGES, Messages
from dicecup.sheets import pictures
from dicecup.web import app_files
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.refusals import language_of
from dicecup.web.requests import Context, accepted_encodings, cached_answer
from dicecup.web.sharing import previews
from dicecup.web.sharing.previews import Preview
from dicecup.web.tables import checked_id

LONGEST: Final = 64
"""Characters of a key or a language in an address."""
TITLE: Final = "<title>Dicecup</title>"
"""The title in the built page, which the tags replace."""
Text = Annotated[str, Query()]

router = APIRouter(include_in_schema=False)


@router.get("/review/{table}")
async def review(context: Context, request: Request, table: str, share: Text = "", lang: Text = "") -> Response:
    """The review of a game."""
    if not share:
        return await app_files.client_page(request)

    async def preview() -> Preview:
        return await previews.of_shared_game(context, checked_id(table), share[:LONGEST], _language(request, lang))

    return await _page(context, request, preview)


@router.get("/position")
async def position(context: Context, request: Request, game: Text = "", position: Text = "", lang: Text = "") -> Response:
    """A position to answer."""

    async def preview() -> Preview:
        return previews.of_position(context, game, position, _language(request, lang))

    return await _page(context, request, preview)


@router.get("/events/{event}")
async def event(context: Context, request: Request, event: str, entry: Text = "", lang: Text = "") -> Response:
    """A challenge of a day, or a result in it."""

    async def preview() -> Preview:
        number = int(entry) if entry.isascii() and entry.isdecimal() and len(entry) < 10 else None
        return await previews.of_event(context, event, number, _language(request, lang))

    return await _page(context, request, preview)


def _language(request: Request, asked: str) -> str:
    """Return the language of a link, else the one that the browser prefers."""
    return asked if asked in LANGUAGES else language_of(request.headers.get("accept-language", ""))


async def _page(context: AppContext, request: Request, preview: Callable[[], Awaitable[Preview]]) -> Response:
    """Return the page with the tags of a preview.

    It costs as much as a request of a program: an address that has sent too many, and a link that
    opens nothing, get the page without tags.
    """
    try:
        previews.check_offered(context)
        found = await preview() if context.requests.allows(address_of(request.scope)) else None
    except DicecupError:
        found = None
    if found is None or not app_files.is_built():
        return await app_files.client_page(request)
    page = (app_files.BUILT / "index.html").read_text("utf-8").replace(TITLE, tags(context.base.url, found), 1).encode()
    headers = {"Vary": "Accept-Encoding, Accept-Language"}
    if "gzip" in accepted_encodings(request):
        page, headers = gzip.compress(page, mtime=0), headers | {"Content-Encoding": "gzip"}
    return cached_answer(request, page, app_files.KINDS[".html"], headers)


def tags(base: str, preview: Preview) -> str:
    """Return the tags of a preview. `base`: the beginning of all addresses of the server."""
    width, height = pictures.card_size()
    named = {
        "og:type": "website",
        "og:site_name": "Dicecup",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": base + preview.path,
        "og:locale": Messages(preview.language)("language_dates").replace("-", "_"),
    }
    if preview.card is not None:
        named |= {
            "og:image": base + preview.card,
            "og:image:type": "image/png",
            "og:image:width": str(width),
            "og:image:height": str(height),
            "og:image:alt": preview.title,
        }
    meta = {"description": preview.description, "robots": "noindex", "twitter:card": "summary_large_image"}
    return "".join(
        [
            f"<title>{escape(preview.title)}</title>",
            *(f'<meta name="{name}" content="{escape(content)}" />' for name, content in meta.items()),
            *(f'<meta property="{name}" content="{escape(content)}" />' for name, content in named.items()),
        ]
    )
