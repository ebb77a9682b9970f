"""Score sheets and games as printed pages: tagged PDF in A4.

The same game gives the same bytes on every machine.
"""

from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.printing import empty_sheet, of_game, of_text

__all__ = ["SheetCode", "SheetError", "empty_sheet", "of_game", "of_text"]
