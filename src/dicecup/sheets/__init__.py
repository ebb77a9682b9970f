"""Score sheets, games, tournaments and rules of thumb as printed pages: tagged PDF in A4.

The same game gives the same bytes on every machine.
"""

from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.printing import empty_sheet, of_game, of_text
from dicecup.sheets.puzzles import Puzzle, puzzle_pages
from dicecup.sheets.thumb import thumb_page
from dicecup.sheets.tournament_pages import crosstable_page, pairings_page, standings_page

__all__ = [
    "Puzzle",
    "SheetCode",
    "SheetError",
    "crosstable_page",
    "empty_sheet",
    "of_game",
    "of_text",
    "pairings_page",
    "puzzle_pages",
    "standings_page",
    "thumb_page",
]
