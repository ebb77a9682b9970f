"""The reasons for the value of a cell of Yamm, in points."""

from dataclasses import dataclass
from typing import Any

from dicecup.analysis.evaluation import turn_to_decide
from dicecup.yamm import Cell, Column, Position, Result, Sheet, Write
from dicecup.yamm.rows import UPPER, VALUES
from dicecup.yamm.score import NextBonus, bonus


@dataclass(frozen=True, slots=True)
class UpperSection:
    """The upper section of a column, rows 1 to 6, before and after an entry.

    `before`, `after`: the sum of the rows. `reach_before`, `reach_after`: the highest bonus that is
    possible. `next`: the next bonus after the entry, and the points that are missing for it.
    """

    column: Column
    before: int
    after: int
    reach_before: int
    reach_after: int
    next: NextBonus | None


@dataclass(frozen=True, slots=True)
class CellReasons:
    """The reasons for the value of a cell.

    `points`: the points of the cell, 0 where it is struck. `bonus`: the column bonus that the entry
    completes. `first_throw_yamm`: 100 or 0. `lost`: the points that are struck from the other one
    of H and T; `strikes_both` says whether both are struck. `later`: the points expected of later
    turns. `gives_up`: `later` after the best cell less `later` here. `upper`: only for rows 1 to 6.
    """

    points: int
    bonus: int
    first_throw_yamm: int
    lost: int
    strikes_both: bool
    later: float
    gives_up: float
    upper: UpperSection | None

    @property
    def gain(self) -> int:
        """Return the points that the total gains now."""
        return self.points + self.bonus + self.first_throw_yamm - self.lost

    @property
    def strikes(self) -> bool:
        """Return whether the cell is struck."""
        return not self.points

    def to_json(self) -> dict[str, Any]:
        """Return the reasons as plain values (docs/analysis.md)."""
        upper = self.upper
        return {
            "points": self.points,
            "bonus": self.bonus,
            "first_throw_yamm": self.first_throw_yamm,
            "lost": self.lost,
            "gain": self.gain,
            "strikes": self.strikes,
            "strikes_both": self.strikes_both,
            "later": self.later,
            "gives_up": self.gives_up,
            "upper": upper
            and {
                "column": upper.column,
                "before": upper.before,
                "after": upper.after,
                "reach_before": upper.reach_before,
                "reach_after": upper.reach_after,
                "next": upper.next and upper.next._asdict(),
            },
        }


def cell_reasons(position: Position, totals: dict[Cell, float]) -> dict[Cell, CellReasons]:
    """Return the reasons for each of these cells.

    `totals`: cell → the expected total of the sheet after the entry."""
    later = {cell: totals[cell] - _written(position, cell).total for cell in totals}
    best = max(totals, key=lambda cell: totals[cell])
    return {cell: _reasons(position, cell, later[cell], later[best] - later[cell]) for cell in totals}


def _reasons(position: Position, cell: Cell, later: float, gives_up: float) -> CellReasons:
    """Return the reasons for one cell. `later`, `gives_up`: as in `CellReasons`, in points."""
    before, after = _on_turn(position), _written(position, cell)
    shown = position.preview(Write(cell))
    column = Column(cell.partition(".")[0])
    lost = (
        sum(points or 0 for points in _held(before, column))
        + shown.points
        - sum(points or 0 for points in _held(after, column))
    )
    completes = after.bonus(column) or 0 if before.bonus(column) is None else 0
    return CellReasons(
        points=shown.points,
        bonus=completes,
        first_throw_yamm=after.total - before.total - shown.points - completes + lost,
        lost=lost,
        strikes_both=shown.strikes_both,
        later=later,
        gives_up=gives_up,
        upper=_upper(before, after, column) if cell.partition(".")[2] in UPPER else None,
    )


def _upper(before: Sheet, after: Sheet, column: Column) -> UpperSection:
    """Return the upper section of a column in the sheets before and after an entry."""
    return UpperSection(
        column,
        before.upper(column),
        after.upper(column),
        _reach(before, column),
        _reach(after, column),
        after.next_bonus(column),
    )


def _reach(sheet: Sheet, column: Column) -> int:
    """Return the highest bonus that is still possible in a column."""
    rows = zip(sheet.spec.rows, _held(sheet, column), strict=True)
    return bonus(sheet.upper(column) + sum(max(VALUES[row]) for row, points in rows if row in UPPER and points is None))


def _held(sheet: Sheet, column: Column) -> tuple[int | None, ...]:
    return sheet.columns[sheet.spec.columns.index(column)]


def _on_turn(position: Position) -> Sheet:
    """Return the sheet that the running turn is written on."""
    assert position.sheet is not None
    return position.sheets[position.sheet]


def _written(position: Position, cell: Cell) -> Sheet:
    """Return the sheet on turn with the dice written into a cell."""
    turn, shown = turn_to_decide(position)
    return _on_turn(position).with_result(Result(cell, turn.throws, shown))
