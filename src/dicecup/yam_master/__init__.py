"""The rules of Yam Master, the game for two players on a board of 5 × 5 figures (docs/rules.md, Yam
Master).
"""

from dicecup.yam_master.actions import Action, KeepDice, Pass, Place, Remove, action_from_text
from dicecup.yam_master.board import BOARD, Board, Side, Squares, small_board
from dicecup.yam_master.codes import ActionCode, Fault
from dicecup.yam_master.figures import Figure, figures
from dicecup.yam_master.game import Ending, Outcome, Position, YamMaster
from dicecup.yam_master.held import FIRST_THROW, LATER_THROW, UNDER_DEFI
from dicecup.yam_master.options import Captured, End, FailedDefi, Options
from dicecup.yam_master.text import board_rows

__all__ = [
    "BOARD",
    "FIRST_THROW",
    "LATER_THROW",
    "UNDER_DEFI",
    "Action",
    "ActionCode",
    "Board",
    "Captured",
    "End",
    "Ending",
    "FailedDefi",
    "Fault",
    "Figure",
    "KeepDice",
    "Options",
    "Outcome",
    "Pass",
    "Place",
    "Position",
    "Remove",
    "Side",
    "Squares",
    "YamMaster",
    "action_from_text",
    "board_rows",
    "figures",
    "small_board",
]
