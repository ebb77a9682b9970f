"""Why a cell of Yamm is a good choice or a bad one, in points."""

from dataclasses import dataclass

from dicecup.analysis.evaluation import to_decide
from dicecup.yamm import Cell, Column, Position, Result, Sheet, Write
from dicecup.yamm.rows import UPPER, VALUES
from dicecup.yamm.score import NextBonus, bonus


@dataclass(frozen=True, slots=True)
class UpperSection:
    """Rows 1 to 6 of a column: their sum `before` and `after`, the highest bonus that could and can still be had, and the next one
    after."""

    column: Column
    before: int
    after: int
    reach_before: int
    reach_after: int
    next: NextBonus | None


@dataclass(frozen=True, slots=True)
class CellReasons:
    """`points` of the cell, 0 where it is struck; `bonus`: the column bonus that it completes; `first_throw_yamm`: 100 or 0; `lost`:
    what stood in the other one of H and T, if both are struck (`strikes_both`). `later`: the points that are still expected
    then; `gives_up`: how many fewer these are than after the best cell, negative where they are more. `upper`: only for rows 1 to 6."""

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
        """What the total gains now."""
        return self.points + self.bonus + self.first_throw_yamm - self.lost

    @property
    def strikes(self) -> bool:
        """Whether the cell is struck."""
        return not self.points


def cell_reasons(position: Position, totals: dict[Cell, float]) -> dict[Cell, CellReasons]:
    """For each cell that may be written now. `totals`: the total that the sheet is expected to end with, cell by cell."""
    later = {cell: totals[cell] - _written(position, cell).total for cell in totals}
    best = max(totals, key=lambda cell: totals[cell])
    return {cell: _reasons(position, cell, later[cell], later[best] - later[cell]) for cell in totals}


def _reasons(position: Position, cell: Cell, later: float, gives_up: float) -> CellReasons:
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
    return UpperSection(
        column,
        before.upper(column),
        after.upper(column),
        _reach(before, column),
        _reach(after, column),
        after.next_bonus(column),
    )


def _reach(sheet: Sheet, column: Column) -> int:
    """The highest bonus that can still be had."""
    rows = zip(sheet.spec.rows, _held(sheet, column), strict=True)
    return bonus(sheet.upper(column) + sum(max(VALUES[row]) for row, points in rows if row in UPPER and points is None))


def _held(sheet: Sheet, column: Column) -> tuple[int | None, ...]:
    return sheet.columns[sheet.spec.columns.index(column)]


def _on_turn(position: Position) -> Sheet:
    assert position.sheet is not None
    return position.sheets[position.sheet]


def _written(position: Position, cell: Cell) -> Sheet:
    """The sheet on turn with the dice written into the cell."""
    turn, shown = to_decide(position)
    return _on_turn(position).with_result(Result(cell, turn.throws, shown))
