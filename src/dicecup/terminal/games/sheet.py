"""A sheet of Yamm as a table of nine columns and in sentences, with the points that each open cell
would score.

In the table `[12]` is an open cell and what it would score, `[x]` one that would be struck, `[xx]`
one that would strike H and T of its column; `x` is struck, `.` empty and not open; `(60)` the next
bonus, under it the points that are missing.
"""

from collections.abc import Iterable
from typing import Final

from dicecup.locale import Messages
from dicecup.terminal.console import TIE, Cell, Console, Style
from dicecup.yamm import Cell as CellName
from dicecup.yamm import Column, Correct, Position, Row, Sheet, Write
from dicecup.yamm.rows import ROWS, UPPER

_LABEL: Final = 9
_HEADS: Final = {"d": "column_down", "u": "column_up", "f": "column_free"}


def column_name(column: str, messages: Messages) -> str:
    """Return the name of a column for people: ↓1, ↑1, Free 1."""
    return messages(_HEADS[column[0]], number=column[1:])


def cell_name(cell: str, messages: Messages) -> str:
    """Return the name of a cell for people: ↓1, row FH."""
    column, _, row = cell.partition(".")
    return messages("cell", column=column_name(column, messages), row=row)


def previews(position: Position, place: int) -> dict[str, str]:
    """Return the points that each open cell of a sheet would score, as the table shows them.

    They are those of the dice on the table or, between two turns of the sheet, of its last result,
    which can be moved.
    """
    shown = {}
    for action in (*position.actions, *position.corrections):
        if isinstance(action, Write):
            fits = place == position.sheet
        else:
            fits = isinstance(action, Correct) and (place != position.sheet or position.waiting)
            fits = fits and (action.turn - 1) % len(position.sheets) == place
        if fits:
            points, strikes_both = position.preview(action)
            shown[str(action.cell)] = "xx" if strikes_both else str(points) if points else "x"
    return shown


def show_sheet(console: Console, position: Position, place: int) -> None:
    """Print a sheet as a table."""
    sheet, scores = position.written[place], previews(position, place)
    columns, messages = sheet.spec.columns, console.messages
    widths = [8 if column.startswith("f") else 7 for column in columns]

    def line(label: str, texts: Iterable[str], style: Style | None = None) -> None:
        cells = (
            Cell(text, width, Style.OPEN if text.startswith("[") else style, ">")
            for text, width in zip(texts, widths, strict=True)
        )
        console.row([Cell(label, _LABEL, style, "<"), *cells])

    line("", (column_name(column, messages) for column in columns), Style.HEAD)
    for row in sheet.spec.rows:
        line(row_label(row, messages), (_cell_text(sheet, CellName(f"{column}.{row}"), scores) for column in columns))
        if row is UPPER[-1]:
            line(messages("sheet_sum"), (str(sheet.upper(column)) for column in columns), Style.DIM)
            line(messages("sheet_bonus"), (_bonus_text(sheet, column) for column in columns), Style.DIM)
            line(messages("sheet_missing"), (_missing_text(sheet, column) for column in columns), Style.DIM)
            line(messages("sheet_subtotal"), (_subtotal_text(sheet, column) for column in columns), Style.HEAD)
    totals = (sheet.column_total(column) for column in columns)
    line(messages("sheet_total"), ("-" if total is None else str(total) for total in totals), Style.HEAD)


def row_label(row: Row, messages: Messages) -> str:
    """The row's name on the sheet; H and T with their word."""
    return messages("sheet_high") if row is Row.HIGH else messages("sheet_low") if row is Row.LOW else str(row)


def _cell_text(sheet: Sheet, cell: CellName, scores: dict[str, str]) -> str:
    points = sheet[cell]
    if points is not None:
        return str(points) if points else "x"
    return f"[{scores[cell]}]" if cell in scores else "."


def _bonus_text(sheet: Sheet, column: Column) -> str:
    bonus, following = sheet.bonus(column), sheet.next_bonus(column)
    if bonus is not None:
        return f"+{bonus}"
    return "-" if following is None else f"({following.bonus})"


def _missing_text(sheet: Sheet, column: Column) -> str:
    following = sheet.next_bonus(column)
    return "-" if following is None else str(following.missing)


def _subtotal_text(sheet: Sheet, column: Column) -> str:
    bonus = sheet.bonus(column)
    return "-" if bonus is None else str(sheet.upper(column) + bonus)


def read_sheet(console: Console, position: Position, place: int) -> None:
    """Print a sheet in sentences, column by column."""
    for column in position.written[place].spec.columns:
        read_column(console, position, place, column)


def read_column(console: Console, position: Position, place: int, column: Column) -> None:
    """Print the cells of one column with its subtotal and total."""
    sheet, scores, messages = position.written[place], previews(position, place), console.messages
    facts = []
    for row in ROWS:
        cell = CellName(f"{column}.{row}")
        points = sheet[cell]
        if points is not None:
            facts.append(f"{row} {points}" if points else messages("read_struck", row=row))
        elif cell in scores:
            facts.append(f"{row} {_score_words(scores[cell], messages)}")
        else:
            facts.append(messages("read_empty", row=row))
    summary = column_summary(sheet, column, messages)
    console.tell("read_column", column=column_name(column, messages), cells="; ".join(facts), summary=summary)


def _score_words(score: str, messages: Messages) -> str:
    if score == "xx":
        return messages("read_would_strike_both")
    return messages("read_would_strike") if score == "x" else messages("read_would_score", points=score)


def column_summary(sheet: Sheet, column: Column, messages: Messages) -> str:
    """Return the sum of rows 1 to 6, its bonus or the points missing to the next one, and the total
    of the column."""
    upper, bonus, following = sheet.upper(column), sheet.bonus(column), sheet.next_bonus(column)
    total = sheet.column_total(column)
    if bonus is not None:
        sentence = messages("read_subtotal", sum=upper, bonus=bonus, subtotal=upper + bonus)
    elif following is not None:
        sentence = messages("read_missing", sum=upper, missing=following.missing, bonus=following.bonus)
    else:
        sentence = messages("read_no_bonus", sum=upper)
    return sentence if total is None else f"{sentence} {messages('read_total', total=total)}"


def read_choices(console: Console, position: Position) -> None:
    """Print every open cell with the points that it would score, one line for each column."""
    assert position.sheet is not None
    scores, messages = previews(position, position.sheet), console.messages
    sheet = position.written[position.sheet]
    for column in sheet.spec.columns:
        facts = [f"{cell.partition('.')[2]}{TIE}={TIE}{score}" for cell, score in scores.items() if cell.startswith(column)]
        if facts:
            summary = column_summary(sheet, column, messages)
            console.tell("read_column", column=column_name(column, messages), cells=", ".join(facts), summary=summary)
