"""The faults of a position that was read from a text.

The results on a sheet depend on each other only through the pair H and T. A draft without a fault
can therefore be reached.
"""

from dicecup.core.dice import NO_DICE
from dicecup.core.turn import KeptDice
from dicecup.yamm.codes import Fault
from dicecup.yamm.options import Options
from dicecup.yamm.rows import POSSIBLE, YAMM_VALUES, Row
from dicecup.yamm.seats import sheet_of_turn, turns_of_sheet
from dicecup.yamm.sheet import Order, Points, Result, Sheet, SheetSpec
from dicecup.yamm.text import Draft

_STRIKE_EACH_OTHER = (Row.HIGH, Row.LOW)


def faults_of(draft: Draft, options: Options, spec: SheetSpec) -> Fault:
    """Return every fault of a draft in a game with these options and sheets; `Fault(0)` if there is
    none.
    """
    found = Fault(0)
    for sheet, wet in zip(draft.sheets, draft.wet, strict=True):
        found |= _sheet_faults(sheet)
        if wet is not None and sheet.refusal(wet.cell) is not None:
            found |= Fault.INK_CELL
    if draft.mark:
        found |= Fault.DEFI_MARK
    if draft.turn is not None and draft.turn.locked is not NO_DICE and options.kept_dice is KeptDice.FREE:
        found |= Fault.LOCKED_BAR
    return found | _turn_faults(draft, options, options.sheets * len(spec.cells))


def _sheet_faults(sheet: Sheet) -> Fault:
    """Return the faults of the cells of one sheet."""
    found = Fault(0)
    may_be_yamms = 0
    for order, column in zip(sheet.spec.orders, sheet.columns, strict=True):
        if not _in_order(order, column):
            found |= Fault.OUT_OF_ORDER
        for row, points in zip(sheet.spec.rows, column, strict=True):
            if points is None:
                continue
            struck = points == 0 and row in _STRIKE_EACH_OTHER
            may_be_yamms += struck or points in YAMM_VALUES[row]
            if not struck and points not in POSSIBLE[row]:
                found |= Fault.IMPOSSIBLE_VALUE
        found |= _high_and_low_faults(dict(zip(sheet.spec.rows, column, strict=True)))
    if sheet.first_throw_yamms > may_be_yamms:
        found |= Fault.TOO_MANY_YAMMS
    return found


def _in_order(order: Order, column: tuple[Points, ...]) -> bool:
    """Return whether the written cells of a column come before the empty ones, in the order of
    writing.
    """
    if order is Order.FREE:
        return True
    empty = [points is None for points in column]
    return empty == sorted(empty, reverse=order is Order.UP)


def _high_and_low_faults(column: dict[Row, Points]) -> Fault:
    """Return the faults of H and T. The first of the two to be written always holds, so only both
    can be struck.
    """
    high, low = column.get(Row.HIGH), column.get(Row.LOW)
    if (high == 0) != (low == 0):
        return Fault.HALF_STRUCK
    return Fault.HIGH_NOT_ABOVE_LOW if high and low and high <= low else Fault(0)


def _turn_faults(draft: Draft, options: Options, turns: int) -> Fault:
    """Return the faults between the sheets, the turn state and the turn number."""
    found = Fault(0)
    if len(draft.sheets) != options.sheets:
        found |= Fault.SHEETS
    if draft.number > turns + 1:
        found |= Fault.TURN_NUMBER
    if found:
        return found
    if draft.turn is None and draft.number <= turns:
        found |= Fault.NOT_OVER
    if draft.turn is not None and draft.number > turns:
        found |= Fault.OVER
    begun = sheet_of_turn(options, draft.number) if draft.turn is not None and draft.turn.throws else None
    for place, (sheet, wet) in enumerate(zip(draft.sheets, draft.wet, strict=True)):
        had = turns_of_sheet(options, place, draft.number)
        may_be_wet = had > 0 and draft.turn is not None and place != begun
        found |= _ink_faults(wet, may_be_wet)
        if sheet.written + (wet is not None) != had:
            found |= Fault.CELLS_AND_NUMBER
    return found


def _ink_faults(wet: Result | None, may_be_wet: bool) -> Fault:
    """Return the faults of the result of a sheet that may still move. `may_be_wet`: whether there
    must be such a result.
    """
    if wet is None:
        return Fault.INK_MISSING if may_be_wet else Fault(0)
    return Fault(0) if may_be_wet else Fault.INK_DRY
