"""The archive of a person and public profiles, over HTTP."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from dicecup.core.game import LEVELS
from dicecup.hosting.people import archive, profiles
from dicecup.hosting.people.accounts import account_by_handle
from dicecup.hosting.people.archive import Game, Place, Search
from dicecup.locale import LANGUAGES, Messages
from dicecup.table.names import LONGEST_NAME, name_key
from dicecup.web.people.messages import Archive, ArchivedGame, Profile, ProfileGame
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, KnownIdentity, answer

router = APIRouter(prefix="/api", tags=["accounts"])
ZIP: Final = {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}, "description": "An archive"}
Time = Annotated[float | None, Query(ge=0, le=2.0**33)]


@router.get("/archive", response_model=Archive)
async def my_archive(
    context: Context,
    identity: KnownIdentity,
    game: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
    opponent: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
    outcome: Literal["", "won", "drawn", "lost"] = "",
    since: Time = None,
    until: Time = None,
    after: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """Your finished games, the newest first: those of a `game`, against an `opponent` with this in
    the name, with this `outcome`, that began between two times (seconds since 1970). Computers have
    the names of their levels in all languages. `after` is the `next` of the page before."""
    text = opponent.strip()
    wanted, place = Search(game, text, outcome, since, until, _levels_named(text)), _place(after)
    found, next_place = ([], None) if identity is None else await archive.search(context.tables.store, identity, wanted, place)
    following = None if next_place is None else f"{next_place.created!r}:{next_place.table}"
    return answer(Archive(games=[_message(each) for each in found], next=following))


@router.get("/archive/export", response_class=StreamingResponse, responses={200: ZIP})
async def export_my_archive(context: Context, identity: KnownIdentity) -> Response:
    """All your finished games in a zip archive: a record of each, and `games.json`; with your
    tournaments, ratings and own mistakes in `tournaments.json`, `ratings.json` and
    `mistakes.json`."""
    if identity is None:
        raise WebError(WebCode.NO_IDENTITY)
    headers = {"Content-Disposition": 'attachment; filename="dicecup-games.zip"'}
    return StreamingResponse(archive.export(context.tables, identity), headers=headers, media_type="application/zip")


@router.get("/people/{handle}", response_model=Profile)
async def profile(context: Context, handle: str) -> Response:
    """The profile of a person whose account is public."""
    tables = context.tables
    account = await account_by_handle(tables.store, handle)
    if account is None or not account.public:
        raise WebError(WebCode.NO_SUCH_PROFILE, text=handle)
    games = [ProfileGame(**each._asdict()) for each in await profiles.summaries(tables.store, tables.own_games, account)]
    recent = [_message(each) for each in await profiles.public_games(tables.store, account)]
    return answer(Profile(handle=account.handle, created=account.created, games=games, recent=recent))


def _levels_named(text: str) -> tuple[str, ...]:
    """Return the levels whose name has a text in it, in any language."""
    key = name_key(text)
    shown = [Messages(language) for language in LANGUAGES]
    return tuple(level for level in LEVELS if any(key in name_key(messages(f"level_{level}")) for messages in shown))


def _message(game: Game) -> ArchivedGame:
    return ArchivedGame(**game._asdict() | {"you": list(game.you)})


def _place(text: str) -> Place | None:
    """Return the place in a list that a text names. Raises `WebError` (`not-a-message`)."""
    if not text:
        return None
    created, _, table = text.partition(":")
    try:
        return Place(float(created), table)
    except ValueError:
        raise WebError(WebCode.NOT_A_MESSAGE, text="after", why="place") from None
