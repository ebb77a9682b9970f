"""Score sheets and finished games on paper, as PDF: A4, tagged, and the same bytes for the same game on every machine."""

from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.printing import empty_sheet, of_game, of_text

__all__ = ["SheetCode", "SheetError", "empty_sheet", "of_game", "of_text"]
