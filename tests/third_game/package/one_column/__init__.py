"""One Column: a game for 1 to 4 players. Each player writes a sheet of one column with eight rows.

A turn has up to three throws. After each throw the player keeps some dice and throws the others, or
writes the dice into an empty row. Rows 1 to 6 score the sum of that face, row A (all) the sum of
all dice, and row S (same) 40 points for five equal dice. Dice that do not fit score 0. The game
ends when every sheet is full, and the highest total wins.

The option `order` is `free` or `down`: a player may write the rows in any order, or from the top to
the bottom.
"""

from one_column.actions import Action, KeepDice, Write
from one_column.game import OneColumn, Outcome, Position
from one_column.options import Options, Order

__all__ = ["Action", "KeepDice", "OneColumn", "Options", "Order", "Outcome", "Position", "Write"]
