"""The columns of Yamm as sections and sheets, from the rules of `dicecup.yamm`."""

from functools import cache
from typing import Final, TypeAlias

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.sheets.section import Section, section
from dicecup.engine.sheets.sheet import Sheet
from dicecup.yamm.rows import ROWS, UPPER, VALUES, Row
from dicecup.yamm.score import FIRST_THROW_YAMM, bonus
from dicecup.yamm.sheet import Order

State: TypeAlias = tuple[tuple[Row, ...], int, int | None]
"""The open rows from the top, the sum of rows 1 to 6 while it matters, and the result in H or T
while the other is open.
"""

PAIR: Final = (Row.HIGH, Row.LOW)


def sections_of(column: str, rows: tuple[Row, ...] = ROWS) -> tuple[Section, ...]:
    """Return the sections of a column, named like `d1`.

    A free column has several sections, an ordered column is one section.
    """
    order = Order(column[0])
    if order is not Order.FREE:
        return (_section(column, rows, order),)
    parts = (UPPER, PAIR, *((row,) for row in ROWS if row not in (*UPPER, *PAIR)))
    present = [tuple(row for row in part if row in rows) for part in parts]
    return tuple(_section(column, part, order) for part in present if part)


def _section(column: str, rows: tuple[Row, ...], order: Order) -> Section:
    """Return the section of these rows of a column."""

    def open_cells(state: State) -> list[str]:
        names = [f"{column}.{row}" for row in state[0]]
        return names if order is Order.FREE else names[:1] if order is Order.DOWN else names[-1:]

    def write(state: State, cell: str, points: int) -> tuple[State, int]:
        return _write(state, row_of[cell], points)

    row_of = {f"{column}.{row}": row for row in rows}
    values = {cell: VALUES[row] for cell, row in row_of.items()}
    return section((rows, 0, None), values, open_cells, write)


@cache
def _without(rows: tuple[Row, ...], row: Row) -> tuple[tuple[Row, ...], bool]:
    """Return the other rows, and whether `row` was the last of rows 1 to 6."""
    left = tuple(other for other in rows if other is not row)
    return left, row in UPPER and not any(other in UPPER for other in left)


def _write(state: State, row: Row, points: int) -> tuple[State, int]:
    """Write a row (RULES, Yamm).

    The bonus comes with the last of rows 1 to 6. The second of H and T keeps H ≥ T + 1, or both are
    struck.
    """
    rows, upper, waiting = state
    left, complete = _without(rows, row)
    if complete:
        return (left, 0, waiting), points + bonus(upper + points)
    if row in UPPER:
        return (left, upper + points, waiting), points
    if row not in PAIR:
        return (left, upper, waiting), points
    if waiting is None:
        return (left, upper, points), points
    high, low = (points, waiting) if row is Row.HIGH else (waiting, points)
    return (left, upper, None), points if high > low else -waiting


def yamm_sheet(columns: str, rows: tuple[Row, ...] = ROWS) -> Sheet:
    """Return the sheet of Yamm with these columns alone, such as `d1,d2,u1`, and these rows from
    the top.

    Raises `EngineError` (`not-a-column-set`).
    """
    names = sorted(columns.split(","))
    if len(set(names)) != len(names) or not set(names) <= COLUMNS:
        raise EngineError(EngineCode.NOT_A_COLUMN_SET, columns=columns)
    parts = [(name, each) for name in names for each in sections_of(name, rows)]
    kinds = [f"{at}" if Order(name[0]) is Order.FREE else name[0] for at, (name, _) in enumerate(parts)]
    alike = tuple(kinds.index(kind) for kind in kinds)
    return Sheet(f"yamm {','.join(names)}", tuple(part for _, part in parts), alike, FIRST_THROW_YAMM)


COLUMNS: Final = frozenset(f"{order}{number}" for order in Order for number in range(1, 4))
"""The names of the nine columns of Yamm."""
