"""The rules of Yamm, the Swiss score-sheet game with 99 cells (docs/rules.md, Yamm).

`Yamm` is the game with its options. `dicecup.yamm.seats` computes players, sheets and writers from
turn numbers.
"""

from dicecup.yamm.actions import Action, Correct, KeepDice, Write
from dicecup.yamm.codes import ActionCode, Fault, OptionCode, PositionCode, TagCode
from dicecup.yamm.game import Ending, Outcome, Position, Yamm
from dicecup.yamm.options import Options
from dicecup.yamm.rows import Row
from dicecup.yamm.sheet import SHEET, Cell, Column, Preview, Result, Sheet, SheetSpec

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
    "TagCode",
    "Write",
    "Yamm",
]
