"""What the choice between two cells of Yamm was about, from the reasons for both."""

from typing import Final

from dicecup.analysis.theme import Theme
from dicecup.analysis.yamm.cells import CellReasons, cell_reasons
from dicecup.yamm import Cell, Position
from dicecup.yamm.rows import Row

THEMES: Final[tuple[Theme, ...]] = (
    Theme.FIRST_KEEP,
    Theme.SECOND_KEEP,
    Theme.TWO_PAIRS,
    Theme.COLUMN,
    Theme.ROW,
    Theme.HIGH_LOW,
    Theme.BONUS,
    Theme.STRIKING,
    Theme.CORRECTION,
)


PACE: Final = 3
"""Dice of each face that earn the first bonus of a column."""


def ending_theme(position: Position, played: Cell, best: Cell) -> Theme:
    """Return the theme: striking if one of the cells is struck, then H and T, then a bonus that
    the played cell endangers or the best one earns, then the column or the row."""
    reasons = cell_reasons(position, {played: 0.0, best: 0.0})
    rows = {cell.partition(".")[2] for cell in (played, best)}
    if any(found.strikes or found.lost for found in reasons.values()):
        return Theme.STRIKING
    if rows & {Row.HIGH, Row.LOW}:
        return Theme.HIGH_LOW
    if _missing(played, reasons[played]) > _missing(best, reasons[best]) or reasons[best].bonus > reasons[played].bonus:
        return Theme.BONUS
    return Theme.COLUMN if len(rows) == 1 else Theme.ROW


def _missing(cell: Cell, found: CellReasons) -> int:
    """Return the points that an entry in rows 1 to 6 has less than the first bonus needs on
    average."""
    return 0 if found.upper is None else max(0, PACE * int(cell.partition(".")[2]) - found.points)
