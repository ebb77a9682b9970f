"""The view of Yamm: the sheets with their sums, and the effect of each action.

The effect of writing a result has the `points` that the cell gets and the cells that are `struck`.
For rows 1 to 6 it has the column's `upper` sum and its `bonus` once that is settled, else the
`next_bonus` in reach (`needed`, `bonus`, `missing`). Then come the `column_total` once the column
is full, the grand `total`, and what a `first_throw_yamm` adds. A keep throws dice and has no other
effect.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

from dicecup.core.dice import Roll
from dicecup.table.game_views.interface import View
from dicecup.yamm import Action, Correct, Position, Result, Row, Sheet, SheetSpec, Write
from dicecup.yamm.actions import KEEP_ACTIONS
from dicecup.yamm.rows import UPPER, YAMMS
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.seats import last_turn, players_of_sheet, sheet_of_turn
from dicecup.yamm.sheet import Cell, Order, Points, open_in_column

OpenResult = tuple[Sheet, Result]
"""A result that can still be corrected, and its sheet as it was before the result was written."""


def drawing(position: Position, order: Sequence[int]) -> View:
    """Return the sheets."""
    return {"sheets": sheets_view(position, order)}


def drawing_key(position: Position, order: Sequence[int]) -> Hashable:
    """Return the sheets with their open results, the turn and the order of play."""
    return position.sheets, position.wet, position.number, tuple(order)


def has_defi(position: Position) -> bool:  # noqa: ARG001 Yamm has no Défi
    """Return `False`."""
    return False


def is_begun(position: Position) -> bool:
    """Return whether anything is written on a sheet."""
    return bool(_written_sheets(position))


def overlaps(here: Position, asked: Position) -> bool:
    """Return whether one written sheet is the same in both. A sheet can be analysed alone."""
    return not _written_sheets(here).isdisjoint(_written_sheets(asked))


def _written_sheets(position: Position) -> set[Sheet]:
    """Return the sheets on which anything is written, each with its open result and without it."""
    return {sheet for sheet in (*position.sheets, *position.written) if sheet.written}


# --- Sheets ---------------------------------------------------------------------------------------


def sheets_view(position: Position, order: Sequence[int]) -> list[View]:
    """Return the sheets in the order of play. `order`: the seats in that order.

    An open result counts as written. `wet` names it.
    """
    options = position.game.options
    shown = []
    for place, sheet in enumerate(position.written):
        wet = position.wet[place]
        moving = None
        if wet is not None:
            turn = last_turn(options, place, position.number)
            moving = {"turn": turn, "cell": wet.cell, "dice": list(wet.roll.faces), "throws": wet.throws}
        seats = [order[player] for player in players_of_sheet(options, place)]
        shown.append({"seats": seats, **sheet_view(sheet), "wet": moving})
    return shown


@lru_cache(maxsize=4096)
def sheet_view(sheet: Sheet) -> View:
    """Return a sheet: `columns` → rows → points or null, the `column_sums` of each column, and the
    `next_row` of each.

    `next_row` is the only open row of a column that is written in order, and the reason why its
    other empty cells are closed. It is `None` for free columns and for full ones.
    """
    columns = dict(zip(sheet.spec.columns, sheet.columns, strict=True))
    sums = {name: column_sums(sheet.spec, held) for name, held in columns.items()}
    return {
        "columns": {name: dict(zip(map(str, sheet.spec.rows), held, strict=True)) for name, held in columns.items()},
        "upper": {name: column["upper"] for name, column in sums.items()},
        "bonus": {name: column["bonus"] for name, column in sums.items()},
        "next_bonus": {name: column["next_bonus"] for name, column in sums.items()},
        "column_totals": {name: column["column_total"] for name, column in sums.items()},
        "next_row": {name: _next_row(sheet.spec, left, columns[name]) for left, name in enumerate(sheet.spec.columns)},
        "first_throw_yamms": sheet.first_throw_yamms,
        "total": total_of(sheet),
    }


def _next_row(spec: SheetSpec, left: int, held: tuple[Points, ...]) -> str | None:
    """Return the row of a column that must be written next, if its order leaves no choice."""
    cells = () if spec.orders[left] is Order.FREE else open_in_column(spec, left, held)
    return str(spec.rows[spec.places[cells[0]][1]]) if cells else None


# --- Effects of actions ---------------------------------------------------------------------------


def effects(position: Position) -> Iterator[tuple[Action, View]]:
    """Return every allowed action with its effect."""
    if position.turn is None or position.sheet is None or position.waiting:
        return
    yield from ((KEEP_ACTIONS[kept.index], {}) for kept in position.turn.keeps)
    for cell, effect in results(position.sheets[position.sheet], position.turn.throws, Roll(position.turn.dice)):
        yield Write(cell), effect


def open_results(position: Position) -> dict[int, Hashable]:
    """Return by turn each result that can still be corrected, as an `OpenResult`.

    All are results of the last round.
    """
    found: dict[int, Hashable] = {}
    for turn in range(max(1, position.number - len(position.sheets)), position.number):
        place = sheet_of_turn(position.game.options, turn)
        wet = position.wet[place]
        if wet is not None:
            found[turn] = position.sheets[place], wet
    return found


@lru_cache(maxsize=512)
def corrections(turn: int, result: OpenResult) -> tuple[View, ...]:
    """Return the corrections of an open result, valued on the sheet without the result."""
    sheet, wet = result
    written = results(sheet, wet.throws, wet.roll)
    return tuple({"action": str(Correct(turn, cell)), "effect": effect} for cell, effect in written if cell != wet.cell)


def results(sheet: Sheet, throws: int, roll: Roll) -> Iterator[tuple[Cell, View]]:
    """Return every open cell, in the pinned order, with the effect of writing these dice there."""
    spec = sheet.spec
    yamm_points = FIRST_THROW_YAMM if throws == 1 and roll in YAMMS else 0
    total = total_of(sheet) + yamm_points
    for left, held in enumerate(sheet.columns):
        for cell, gained, effect in _in_column(spec, left, held, roll):
            yield cell, {**effect, "total": total + gained, "first_throw_yamm": yamm_points}


@lru_cache(maxsize=2048)
def _in_column(spec: SheetSpec, left: int, held: tuple[Points, ...], roll: Roll) -> tuple[tuple[Cell, int, View], ...]:
    """Return each open cell of a column with the gain of the grand total and the effect.

    `left`: the place of the column on the sheet. `held`: what the column holds.
    """
    sheet = Sheet(spec, (held,))  # all columns count alike
    last = held.count(None) == 1
    found = []
    for cell in open_in_column(spec, left, held):
        top = spec.places[cell][1]
        row = spec.rows[top]
        points, strikes_both = sheet.preview(spec.cells[top], roll)
        struck: tuple[Row, ...] = (Row.HIGH, Row.LOW) if strikes_both else () if points else (row,)
        gained = points - sum(held[spec.rows.index(other)] or 0 for other in struck)
        effect: View = {
            "points": points,
            "struck": [f"{cell.partition('.')[0]}.{other}" for other in struck],
            "upper": None,
            "bonus": None,
            "next_bonus": None,
            "column_total": None,
        }
        if last or row in UPPER:  # other rows of an unfinished column change no sum
            after = column_sums(spec, sheet.write(spec.cells[top], roll).columns[0])
            effect |= after if row in UPPER else {"column_total": after["column_total"]}
            gained += effect["bonus"] or 0
        found.append((cell, gained, effect))
    return tuple(found)


@lru_cache(maxsize=8192)
def column_sums(spec: SheetSpec, held: tuple[Points, ...]) -> View:
    """Return the sums of a column that holds these points.

    `upper` is the sum of rows 1 to 6. `bonus` is `None` until it is settled; until then
    `next_bonus` is the next one in reach. `column_total` is `None` until the column is full.
    """
    sheet, name = Sheet(spec, (held,)), spec.columns[0]
    bonus = sheet.bonus(name)
    reach = sheet.next_bonus(name) if bonus is None else None
    return {
        "upper": sheet.upper(name),
        "bonus": bonus,
        "next_bonus": reach and reach._asdict(),
        "column_total": sheet.column_total(name),
    }


@lru_cache(maxsize=4096)
def total_of(sheet: Sheet) -> int:
    """Return the grand total so far."""
    return sheet.total
