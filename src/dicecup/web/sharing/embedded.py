"""Boards and sheets for a frame on another site's page: HTML without scripts and cookies."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, Final, NamedTuple

from dicecup import games
from dicecup.locale import Messages
from dicecup.record import read, winners
from dicecup.sheets import duel, pictured
from dicecup.sheets.endings import ending
from dicecup.sheets.tournament_pages import points_text
from dicecup.tournament.standings import standings
from dicecup.tournament.state import TournamentState
from dicecup.web.service_pages import STATIC

SQUARE: Final = 100
"""The side of a square in the units of the drawing."""


class RankedLine(NamedTuple):
    """A line of the ranking of a challenge. `note`: what is said of the name or of the result."""

    rank: str
    name: str
    note: str
    result: str


def game_page(text: str, language: str, link: str) -> bytes:
    """Return the page of the game of a record's text, which leads to a link. Raises `RecordError`
    and `SheetError` (`no-page`)."""
    game, messages = read(text), Messages(language)
    position, names, won = game.journal.position, pictured.names_of_sides(game, messages), winners(game) or ()
    drawn = pictured.drawn(position, messages, range(game.game.sides))
    said = " ".join(ending(game, names, messages))
    scores = pictured.people(position, names, won)
    return _page(pictured.title_of(game, messages), said, _scores(scores) + _lying(drawn, names), link, messages)


def position_page(game: str, position: str, language: str, link: str) -> bytes:
    """Return the page of a position, which leads to a link. Raises `DicecupError`, also
    `SheetError` (`no-page`)."""
    found, messages = games.from_id(game).position(position), Messages(language)
    card = pictured.card_of_position(found, messages)
    dice = pictured.dice_of(found)
    faces = "".join(f"<b>{face}</b> " for face in dice)
    shown = f'<p class="dice">{faces}</p>' if dice else ""
    return _page(card["title"], card["heading"], shown + _lying(card, [""]), link, messages)


def standings_page(state: TournamentState, language: str, link: str) -> bytes:
    """Return the page with the standings of a tournament, which leads to a link."""
    messages = Messages(language)
    names = {entrant.number: entrant.name for entrant in state.entrants}
    heads = "".join(f"<th scope=col>{escape(messages(f'print_{key}'))}</th>" for key in ("rank", "name", "points", "played"))
    rows = "".join(
        f"<tr><td>{line.rank}.</td><th scope=row><bdi>{escape(names[line.entrant])}</bdi></th>"
        f"<td>{points_text(line.points)}</td><td>{line.played}</td></tr>"
        for line in standings(state)
    )
    table = f"<table class=list><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return _page(state.setup.name, messages("print_standings"), table, link, messages)


def ranking_page(title: str, said: str, listed: Sequence[RankedLine], language: str, link: str) -> bytes:
    """Return the page with the ranking of a challenge, which leads to a link."""
    messages = Messages(language)
    heads = "".join(f"<th scope=col>{escape(messages(f'ui_event_{key}'))}</th>" for key in ("rank", "name", "result"))
    table = f"<table class=list><thead><tr>{heads}</tr></thead><tbody>{''.join(map(_ranked, listed))}</tbody></table>"
    return _page(title, said, table if listed else "", link, messages)


def _ranked(line: RankedLine) -> str:
    rank, name, note, result = map(escape, line)
    named = f"<bdi>{name}</bdi> <small>{note}</small>" if note else f"<bdi>{name}</bdi>"
    return f"<tr><td>{rank}</td><th scope=row>{named}</th><td>{result}</td></tr>"


def _page(title: str, said: str, content: str, link: str, messages: Messages) -> bytes:
    return (
        _template()
        .format(
            language=messages.language,
            title=escape(title),
            said=escape(said),
            content=content,
            link=escape(link),
            opened=escape(messages("share_open")),
        )
        .encode()
    )


@cache
def _template() -> str:
    return (STATIC / "embed.html").read_text("utf-8")


def _scores(people: Sequence[pictured.Values]) -> str:
    """Return the sides with their points as a list."""
    return f"<ul>{''.join(map(_score, people))}</ul>"


def _score(one: pictured.Values) -> str:
    side = f" ({one['side']})" if one["side"] else ""
    opened = "<li class=won>" if one["won"] else "<li>"
    return f"{opened}<bdi>{escape(one['name'])}</bdi>{side}<b>{escape(one['points'])}</b></li>"


def _lying(drawn: pictured.Values, names: Sequence[str]) -> str:
    """Return the board as a drawing with its squares as a text, or the sheets as tables."""
    if drawn["board"] is not None:
        return _board(drawn["board"])
    return "".join(_sheet(sheet, name) for sheet, name in zip(drawn["sheets"], names, strict=False))


def _sheet(sheet: pictured.Values, name: str) -> str:
    caption = f"<caption><bdi>{escape(name)}</bdi></caption>" if name else ""
    heads = "".join(f"<th scope=col>{escape(column)}</th>" for column in sheet["columns"])
    rows = "".join(map(_row, sheet["rows"]))
    return f"<table>{caption}<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(row: pictured.Values) -> str:
    opened = "<tr class=sums>" if row["sums"] else "<tr>"
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in row["cells"])
    return f"{opened}<th scope=row>{escape(row['row'])}</th>{cells}</tr>"


def _board(board: pictured.Values) -> str:
    """Return the board. Its text names what lies on each square, for people who do not see it."""
    side, rows = SQUARE * len(board["columns"]), board["rows"]
    named = "; ".join(
        f"{column}{number} {held['token'] or held['figure']}"
        for number, row in enumerate(rows, 1)
        for column, held in zip(board["columns"], row, strict=True)
    )
    squares = "".join(_square(held, column, row) for row, line in enumerate(rows) for column, held in enumerate(line))
    runs = "".join(_run(run) for run in board["runs"])
    return f'<svg viewBox="0 0 {side} {SQUARE * len(rows)}" role="img" aria-label="{escape(named)}">{squares}{runs}</svg>'


def _square(held: pictured.Values, column: int, row: int) -> str:
    left, top, half = column * SQUARE, row * SQUARE, SQUARE // 2
    wood = f'<rect x="{left + 1}" y="{top + 1}" width="{SQUARE - 2}" height="{SQUARE - 2}"/>'
    x, y = left + half, top + half
    if not held["token"]:
        size = 22 if len(held["figure"]) > 4 else 26 if len(held["figure"]) > 1 else 40
        return f'{wood}<text x="{x}" y="{y + size // 3}" font-size="{size}">{escape(held["figure"])}</text>'
    if held["token"] == duel.SIDES[0]:
        cross = f'<path class="cross" d="M{x - 11} {y - 11}l22 22m0-22l-22 22"/>'
        return f'{wood}<circle class="x" cx="{x}" cy="{y}" r="33"/>{cross}'
    return f'{wood}<circle class="rim" cx="{x}" cy="{y}" r="25"/><circle class="o" cx="{x}" cy="{y}" r="25"/>'


def _run(run: pictured.Values) -> str:
    (from_row, from_column), (to_row, to_column) = run["from"], run["to"]
    ends = [(2 * step + 1) * SQUARE // 2 for step in (from_column, from_row, to_column, to_row)]
    kind = "win" if not run["points"] else f"run-{run['side']}"
    line: Any = 'x1="{}" y1="{}" x2="{}" y2="{}"'.format(*ends)
    return f'<line class="under" {line}/><line class="{kind}" {line}/>'
