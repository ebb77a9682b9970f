"""What the link to a game, a position or a result says before anybody opens it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from dicecup import games
from dicecup.hosting import sharing
from dicecup.hosting.competition import events, results
from dicecup.hosting.competition.events import Entry, Event
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.sheets import pictured, pictures
from dicecup.sheets.endings import ending
from dicecup.sheets.words import BREAK, printable
from dicecup.table import daily
from dicecup.table.duplicate import is_event_id
from dicecup.tournament.state import TournamentState
from dicecup.web.context import AppContext
from dicecup.web.refusals import WebCode, WebError

ISOLATES: Final = str.maketrans("", "", f"\u2068\u2069{BREAK}")
"""Removes the signs around and in names, which only pages show."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A link with its title and description. All addresses are paths of the server.

    `card`, `replay` and `embed`: the addresses of the picture, of the animated game and of the page
    for a frame, `None` where there is none. `embed_title`: the title of the frame, `None` if it is
    that of the link.
    """

    language: str
    title: str
    description: str
    path: str
    card: str | None = None
    replay: str | None = None
    embed: str | None = None
    embed_title: str | None = None


def check_offered(context: AppContext) -> None:
    """Raise `WebError` (`not-offered`) on a server whose host has switched sharing off."""
    if not context.config.sharing:
        raise WebError(WebCode.NOT_OFFERED)


def of_game(context: AppContext, table: str, key: str, game: Record, language: str) -> Preview:
    """Return the preview of the finished game of a table. `key`: the key of its link."""
    messages, asked = Messages(language), {"share": key, "lang": language}
    if game.game.name not in pictured.GAMES:
        return Preview(language, game.game.id, messages("share_game_about"), _path(f"/review/{table}", asked))
    names = pictured.names_of_sides(game, messages)
    description = " ".join([*ending(game, names, messages), messages("share_game_about")])
    return Preview(
        language,
        pictured.title_of(game, messages),
        description.translate(ISOLATES),
        _path(f"/review/{table}", asked),
        card=_path(f"/api/tables/{table}/card.png", asked),
        replay=_path(f"/api/tables/{table}/replay.gif", asked) if pictures.has_pillow() else None,
        embed=_path(f"/embed/tables/{table}", asked) if context.config.may_embed else None,
    )


async def of_shared_game(context: AppContext, table: str, key: str | None, language: str) -> Preview:
    """Return the preview of a game for everybody who has the key of its link. Raises `HostingError`
    (`no-such-table`) and `StoreError`."""
    return of_game(context, table, key or "", await sharing.shared_game(context.tables, table, key), language)


def of_position(context: AppContext, game: str, position: str, language: str) -> Preview:
    """Return the preview of a position, which is not checked. Raises `GameError` for an unknown
    game, and `SheetError` (`no-page`) for a game without pictures."""
    name = games.from_id(game).name
    messages, asked = Messages(language), {"game": game, "position": position, "lang": language}
    return Preview(
        language,
        f"{pictured.game_title(name, messages)}: {messages('ui_learn_train_question')}",
        messages("share_position_about"),
        _path("/position", asked),
        card=_path("/api/positions/card.png", asked),
        embed=_path("/embed/position", asked) if context.config.may_embed else None,
    )


def of_tournament(context: AppContext, state: TournamentState, language: str) -> Preview:
    """Return the preview of a tournament."""
    asked = {"lang": language}
    return Preview(
        language,
        printable(state.setup.name),
        Messages(language)("share_tournament_about"),
        f"/tournaments/{state.tournament}",
        embed=_path(f"/embed/tournaments/{state.tournament}", asked) if context.config.may_embed else None,
    )


# --- Challenges of a day --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a person in a challenge that is over. `number`: the place in the ranking's
    list, from 1; `rank`: the rank, `None` for an entry that does not count."""

    entry: Entry
    number: int
    rank: int | None
    entrants: int


async def challenge(context: AppContext, event: str) -> Event:
    """Return a challenge of a day. Raises `HostingError` (`no-such-event`), also for a pair and a
    table of four, which are for those who were invited, and `StoreError`."""
    if not is_event_id(event):
        raise HostingError(HostingCode.NO_SUCH_EVENT, text=event)
    found = await events.event_of(context.tables.store, event)
    if found.day is None:
        raise HostingError(HostingCode.NO_SUCH_EVENT, text=event)
    return found


async def result_of(context: AppContext, event: Event, number: int) -> Result:
    """Return the result on a place of a ranking. Raises `HostingError` (`event-running`,
    `no-such-game`) and `StoreError`."""
    events.check_over(event)
    entries = await events.entries_of(context.tables.store, event.event)
    if not 0 < number <= len(entries):
        raise HostingError(HostingCode.NO_SUCH_GAME, text=number)
    return Result(entries[number - 1], number, results.ranks(entries)[number - 1], len(entries))


async def of_event(context: AppContext, event: str, number: int | None, language: str) -> Preview:
    """Return the preview of a challenge, or of a result in it.

    Raises `HostingError` (`no-such-event`, `event-running` and `no-such-game` for a result) and
    `StoreError`.
    """
    found, messages = await challenge(context, event), Messages(language)
    asked = {"lang": language} if number is None else {"entry": str(number), "lang": language}
    title = ranking = title_of_event(found, messages)
    description = messages("share_event_about")
    if number is not None:
        result = await result_of(context, found, number)
        title = f"{printable(result.entry.name)}: {ranking}"
        description = f"{rank_text(result, messages)} {description}".strip()
    return Preview(
        language,
        title,
        description,
        _path(f"/events/{event}", asked),
        card=_path(f"/api/events/{event}/card.png", asked),
        embed=_path(f"/embed/events/{event}", {"lang": language}) if found.is_over and context.config.may_embed else None,
        embed_title=ranking,
    )


def path_of_event(event: str, language: str) -> str:
    """Return the path of the link to a challenge."""
    return _path(f"/events/{event}", {"lang": language})


def title_of_event(event: Event, messages: Messages) -> str:
    """Return the name of a challenge with its day."""
    return f"{event_title(event, messages)}, {event_day(event, messages)}"


def event_title(event: Event, messages: Messages) -> str:
    """Return the name of a challenge."""
    return messages(f"ui_event_{event.kind}")


def event_day(event: Event, messages: Messages) -> str:
    """Return the day of a challenge in words."""
    return messages.date(daily.EPOCH + timedelta(days=event.day or 0))


def rank_text(result: Result, messages: Messages) -> str:
    """Return a sentence about a rank, empty without one."""
    return "" if result.rank is None else messages("share_rank", rank=result.rank, count=result.entrants)


def _path(path: str, asked: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(asked)}"
