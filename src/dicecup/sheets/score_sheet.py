"""Sheets of Yamm as values for `paper/score_sheet.typ`: empty ones, and those of a game."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from dicecup import yamm
from dicecup.locale import Messages
from dicecup.record import Record, winners
from dicecup.sheets.endings import ending
from dicecup.sheets.words import day, player_names, printable
from dicecup.yamm import Column, Row, Sheet, SheetSpec
from dicecup.yamm.rows import UPPER
from dicecup.yamm.score import BONUSES, FIRST_THROW_YAMM, MOST_UPPER
from dicecup.yamm.seats import players_of_sheet

Values = dict[str, Any]

HEADS: Final = {"d": "column_down", "u": "column_up", "f": "column_free"}
ORDERS: Final = {"d": "print_down", "u": "print_up", "f": "print_free"}
ROW_WORDS: Final = {
    Row.HIGH: "print_high",
    Row.LOW: "print_low",
    Row.FULL_HOUSE: "print_full_house",
    Row.STRAIGHT: "print_straight",
    Row.YAMM: "print_yamm",
}
COUNTED: Final = ("upper", "sums", "full_house", "straight", "yamm")
"""The rows that the sheet explains by the messages `print_counts_…` and `print_worth_…`."""
STRUCK: Final = "×"
MOST_WITH_RULES: Final = 6
"""The most sheets of a running game whose standings leave room for the explanations of the rows."""


def empty(options: yamm.Options, names: Sequence[str], messages: Messages) -> Values:
    """Return one sheet for each player or pair. Players without a name get a line to write on."""
    spec = yamm.SHEET
    shown = [printable(name) for name in names] + [""] * (options.players - len(names))
    sheets = [
        _sheet(spec.empty, messages, place=place, names=[shown[player] for player in players_of_sheet(options, place)])
        for place in range(options.sheets)
    ]
    return _paper(spec, messages) | {"title": messages("print_empty_title"), "date": "", "rules": True, "sheets": sheets}


def filled(record: Record, position: yamm.Position, chosen: Iterable[int], messages: Messages) -> Values:
    """Return the chosen sheets, with the results that can still move."""
    options, written = position.game.options, position.written
    shown = player_names(record, messages)
    named = [[shown[player] for player in players_of_sheet(options, place)] for place in range(options.sheets)]
    called = [called_on(options, names, place) for place, names in enumerate(named)]
    sides = [" & ".join(names) for names in called]
    won = winners(record)
    paper = _paper(position.game.sheet, messages)
    paper["title"] = messages("print_title", game=messages("game_yamm"), names=", ".join(sides))
    paper["date"] = day(record, messages)
    paper["rules"] = won is None and options.sheets <= MOST_WITH_RULES
    sentences = ending(record, sides, messages)
    paper["standings"] = _standings(called, [sheet.total for sheet in written], won or ()) if options.sheets > 1 else []
    paper["sheets"] = [
        _sheet(written[place], messages, place=place, names=named[place], ending=sentences, over=won is not None)
        | {"won": options.sheets > 1 and place in (won or ())}
        for place in chosen
    ]
    return paper


def called_on(options: yamm.Options, names: Sequence[str], place: int) -> list[str]:
    """Return the names of the players of a sheet, `P1` and so on for those without a name."""
    return [name or f"P{player + 1}" for name, player in zip(names, players_of_sheet(options, place), strict=True)]


def _paper(spec: SheetSpec, messages: Messages) -> Values:
    """Return the values that are printed on every sheet."""
    groups = [(order, len(list(columns))) for order, columns in groupby(column[0] for column in spec.columns)]
    ranges = [
        f"{needed}–{following - 1}" if following - needed > 1 else str(needed)
        for needed, following in zip((n for n, _ in BONUSES), [*(n for n, _ in BONUSES[1:]), MOST_UPPER + 1], strict=True)
    ]
    return {
        "language": messages.language,
        "words": {
            word: messages(f"print_{word}")
            for word in (
                *("name", "date", "row", "subtotal", "subtotal_short", "column_total", "bonus", "bonus_sum", "bonus_points"),
                *("counts", "first_throw", "first_throw_each", "all_columns", "grand_total", "standings", "struck"),
                *("interim", "final"),
            )
        },
        "groups": [{"word": messages(ORDERS[order]), "columns": count, "order": order} for order, count in groups],
        "columns": [messages(HEADS[column[0]], number=column[1:]) for column in spec.columns],
        "rows": [{"row": str(row), "word": messages(ROW_WORDS[row]) if row in ROW_WORDS else ""} for row in spec.rows],
        "uppers": sum(row in UPPER for row in spec.rows),
        "bonuses": [
            [f"0–{BONUSES[0][0] - 1}", "–"],
            *([sums, f"+{bonus}"] for sums, (_, bonus) in zip(ranges, BONUSES, strict=True)),
        ],
        "counted": [[messages(f"print_counts_{what}"), messages(f"print_worth_{what}")] for what in COUNTED],
        "standings": [],
    }


def _sheet(
    sheet: Sheet, messages: Messages, *, place: int, names: Sequence[str], ending: Sequence[str] = (), over: bool | None = None
) -> Values:
    """Return the values of one page. `over`: whether the game is over, `None` for an empty
    sheet."""
    spec = sheet.spec
    known = [sheet.column_total(column) for column in spec.columns]
    count = sheet.first_throw_yamms
    paper: Values = {
        "names": list(names),
        "label": messages("print_sheet", sheet=place + 1),
        "ending": list(ending),
        "state": None if over is None else "final" if over else "interim",
        "won": False,
        "cells": [[points_text(column[top]) for column in sheet.columns] for top in range(len(spec.rows))],
        "subtotals": [_subtotal(sheet, column) for column in spec.columns],
        "totals": ["" if total is None else str(total) for total in known],
    }
    if over is None:
        return paper | {"first_throw_yamms": None, "first_throw_points": "", "all_columns": "", "grand_total": ""}
    bonus = FIRST_THROW_YAMM * count
    return paper | {
        "first_throw_yamms": count,
        "first_throw_points": str(bonus),
        "all_columns": str(sheet.total - bonus),
        "grand_total": str(sheet.total),
    }


def points_text(points: int | None) -> str:
    return "" if points is None else str(points) if points else STRUCK


def _subtotal(sheet: Sheet, column: Column) -> Values | None:
    """Return the sum of rows 1 to 6, its bonus, and both together; `None` before all six are
    written."""
    bonus = sheet.bonus(column)
    if bonus is None:
        return None
    upper = sheet.upper(column)
    return {"sum": str(upper), "bonus": str(bonus), "both": str(upper + bonus)}


def _standings(called: Sequence[list[str]], totals: Sequence[int], won: Iterable[int]) -> list[Values]:
    """Return the standings, the highest total first. Equal totals share a rank."""
    order = sorted(range(len(totals)), key=lambda place: (-totals[place], place))
    return [
        {
            "rank": f"{1 + sum(total > totals[place] for total in totals)}.",
            "names": called[place],
            "total": str(totals[place]),
            "won": place in won,
        }
        for place in order
    ]
