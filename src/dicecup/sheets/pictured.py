"""Games and positions as values for `paper/picture.typ`: the card of a link, and the frames of a
replay."""

from collections.abc import Sequence
from typing import Any, Final, cast

from dicecup import record, yam_master, yamm
from dicecup.core.dice import Roll
from dicecup.core.game import Position
from dicecup.core.turn import THROWS
from dicecup.locale import Messages
from dicecup.record import Record, winners
from dicecup.record.journal import split_notes
from dicecup.sheets import duel, score_sheet
from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.endings import ending
from dicecup.sheets.words import player_names
from dicecup.yamm.seats import players_of_sheet

Values = dict[str, Any]

GAMES: Final = ("yam-master", "yamm")
"""The games that have pictures."""
MOST_FRAMES: Final = 120
"""Frames of a replay. In longer games a frame has several turns."""
MOST_SHEETS: Final = 4
"""Sheets of a frame. Games with more show those of the first places."""


def check_pictured(name: str) -> None:
    """Raise `SheetError` (`no-page`) for a game without pictures."""
    if name not in GAMES:
        raise SheetError(SheetCode.NO_PAGE, game=name)


def game_title(name: str, messages: Messages) -> str:
    """Return the name of a game for people. Raises `SheetError` (`no-page`)."""
    check_pictured(name)
    return messages(f"game_{name.replace('-', '_')}")


def title_of(game: Record, messages: Messages) -> str:
    """Return the name of a game and of those who played it. Raises `SheetError` (`no-page`)."""
    names = " – ".join(names_of_sides(game, messages))
    return messages("print_title", game=game_title(game.game.name, messages), names=names)


def card_of_game(game: Record, messages: Messages) -> Values:
    """Return the card of a game: the board, or the sheet of a winner, and the result. Raises
    `SheetError` (`no-page`)."""
    position, won = game.journal.position, winners(game) or ()
    names = names_of_sides(game, messages)
    sentences = ending(game, names, messages)
    heading = sentences[-1] if len(names) > 1 else messages("ui_event_points", count=position.scores[0])
    return {
        "language": messages.language,
        "title": game_title(position.game.name, messages),
        "heading": heading,
        "note": sentences[0] if len(sentences) > 1 else "",
        "dice": [],
        "people": people(position, names, won),
        **drawn(position, messages, [won[0] if won else 0]),
    }


def card_of_position(position: Position, messages: Messages) -> Values:
    """Return the card of a position, which asks what to do. Raises `SheetError` (`no-page`)."""
    turn, side = position.turn, position.game.side_of_player(position.player or 0)
    note = heading = ""
    if turn is not None and not position.waiting:
        heading = messages("ui_learn_train_question")
        said = {"throw": turn.throws, "left": THROWS - turn.throws}
        by = duel.SIDES[side] if position.game.name == "yam-master" else ""
        note = messages("ui_learn_train_throw", **said)
        if by:
            note = messages("ui_learn_train_turn", side=messages(f"ui_board_token_{by}"), **said)
    return {
        "language": messages.language,
        "title": game_title(position.game.name, messages),
        "heading": heading,
        "note": note,
        "dice": dice_of(position),
        "people": [],
        **drawn(position, messages, [side]),
    }


def frames_of(game: Record, messages: Messages) -> list[Values]:
    """Return the frames of a replay: the beginning, the end of each turn with its dice, and the
    result. Raises `SheetError` (`no-page`)."""
    names, sheets = names_of_sides(game, messages), list(range(min(game.game.sides, MOST_SHEETS)))
    before = drawn(game.beginning, messages, sheets)
    frames = [before | {"heading": game_title(game.game.name, messages), "dice": [], "note": _standing(game.beginning, names)}]
    steps = list(record.positions(game))
    stride = -(-len(steps) // MOST_FRAMES)
    for line, position in (step for at, step in enumerate(steps, 1) if at % stride == 0 or at == len(steps)):
        now = drawn(position, messages, sheets)
        number = int(line.partition(".")[0])
        name = names[game.game.side_of_player(game.game.player_of_turn(number))]
        frames.append(
            _with_marks(before, now)
            | {"heading": f"{number}. {name}", "dice": _last_throw(line), "note": _standing(position, names)}
        )
        before = now
    last = before | {"heading": ending(game, names, messages)[-1], "dice": [], "note": frames[-1]["note"]}
    return [*frames, last]


def names_of_sides(game: Record, messages: Messages) -> list[str]:
    """Return the names of the sides of a game as texts of one line, with a usual name where a tag
    is missing. Computers are called by their level."""
    check_pictured(game.game.name)
    shown = player_names(game, messages)
    if game.game.name == "yamm":
        options = cast(yamm.Position, game.journal.position).game.options
        named = ([shown[player] for player in players_of_sheet(options, place)] for place in range(options.sheets))
        return [" & ".join(score_sheet.called_on(options, names, place)) for place, names in enumerate(named)]
    return [name or side for name, side in zip(shown, duel.SIDES, strict=True)]


def people(position: Position, names: Sequence[str], won: Sequence[int]) -> list[Values]:
    """Return the sides with their points, the winners first in games of more than two sides."""
    order = range(len(names)) if len(names) < 3 else sorted(range(len(names)), key=lambda side: -position.scores[side])
    marks = duel.SIDES if position.game.name == "yam-master" else [""] * len(names)
    return [
        {"side": marks[side], "name": names[side], "points": str(position.scores[side]), "won": side in won and len(names) > 1}
        for side in order
    ]


def drawn(position: Position, messages: Messages, sheets: Sequence[int]) -> Values:
    """Return the board, or these sheets of a position, without marks. Raises `SheetError`
    (`no-page`)."""
    check_pictured(position.game.name)
    if position.game.name == "yam-master":
        return {"board": duel.board(cast(yam_master.Position, position), messages), "sheets": [], "marked": []}
    written = cast(yamm.Position, position).written
    return {"board": None, "sheets": [_sheet(written[place], messages) for place in sheets], "marked": []}


def dice_of(position: Position) -> list[int]:
    """Return the dice that lie there, none before the first throw."""
    return [] if position.turn is None or position.waiting else list(Roll(position.turn.dice).faces)


def _sheet(sheet: yamm.Sheet, messages: Messages) -> Values:
    spec = sheet.spec
    rows: list[Values] = [
        {"row": str(row), "sums": False, "cells": [score_sheet.points_text(column[top]) for column in sheet.columns]}
        for top, row in enumerate(spec.rows)
    ]
    rows.insert(
        spec.uppers,
        {
            "row": messages("print_subtotal_short"),
            "sums": True,
            "cells": [_sum(sheet.bonus(column), sheet.upper(column)) for column in spec.columns],
        },
    )
    rows.append({"row": "Σ", "sums": True, "cells": [_sum(sheet.column_total(column)) for column in spec.columns]})
    heads = [messages(score_sheet.HEADS[column[0]], number=column[1:]) for column in spec.columns]
    return {"columns": heads, "rows": rows, "marked": [], "total": str(sheet.total)}


def _sum(known: int | None, more: int = 0) -> str:
    return "" if known is None else str(known + more)


def _standing(position: Position, names: Sequence[str]) -> str:
    """Return the points of all sides on a line."""
    return " · ".join(f"{name} {points}" for name, points in zip(names, position.scores, strict=True))


def _last_throw(line: str) -> list[int]:
    """Return the dice at the end of a turn. A correction throws none."""
    _, _, rest = split_notes(line)[0].partition(". ")
    thrown = [throw["dice"] for throw in duel.throws_of(rest.split(" ")[:-1]) if throw["kind"] == "dice"]
    return [] if rest.startswith("> ") or not thrown else sorted(int(face) for face, _ in thrown[-1])


def _with_marks(before: Values, now: Values) -> Values:
    """Return what is drawn, with the squares or cells that differ from what was drawn before."""
    if now["board"] is not None:
        old, new = ([[held["token"] for held in row] for row in one["board"]["rows"]] for one in (before, now))
        return now | {"marked": _changed(old, new)}
    sheets = []
    for earlier, sheet in zip(before["sheets"], now["sheets"], strict=True):
        old, new = ([row["cells"] if not row["sums"] else [] for row in each["rows"]] for each in (earlier, sheet))
        sheets.append(sheet | {"marked": _changed(old, new)})
    return now | {"sheets": sheets}


def _changed(old: Sequence[Sequence[str]], new: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return the row and the column of each text that differs."""
    return [
        (row, column)
        for row, (one, other) in enumerate(zip(old, new, strict=True))
        for column, (before, after) in enumerate(zip(one, other, strict=True))
        if before != after
    ]
