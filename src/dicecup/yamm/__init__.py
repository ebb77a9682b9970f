"""Yamm: the Swiss score-sheet game with 99 cells. Only rules live here, as values; no dice are drawn.

Around a game: `StartingRoll` (who starts), `dicecup.yamm.seats` (who plays and writes), `Match` (several games).
"""

from dicecup.yamm.actions import Action, Correct, KeepDice, Write
from dicecup.yamm.codes import ActionCode, Fault, OptionCode, PositionCode, TagCode
from dicecup.yamm.game import Yamm
from dicecup.yamm.match import Match, MatchGame
from dicecup.yamm.options import Options
from dicecup.yamm.position import Ending, Outcome, Position
from dicecup.yamm.rows import Row
from dicecup.yamm.sheet import SHEET, Cell, Column, Preview, Result, Sheet, SheetSpec
from dicecup.yamm.start import StartingRoll

__all__ = [
    "SHEET",
    "Action",
    "ActionCode",
    "Cell",
    "Column",
    "Correct",
    "Ending",
    "Fault",
    "KeepDice",
    "Match",
    "MatchGame",
    "OptionCode",
    "Options",
    "Outcome",
    "Position",
    "PositionCode",
    "Preview",
    "Result",
    "Row",
    "Sheet",
    "SheetSpec",
    "StartingRoll",
    "TagCode",
    "Write",
    "Yamm",
]
