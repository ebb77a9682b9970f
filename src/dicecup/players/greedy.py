"""The level `greedy`: the most expected points of this turn, calculated exactly.

Later turns do not count. In Yamm, points are those of the cell, the column bonus with the cell that
completes it, 100 for a first-throw Yamm, and the loss where H and T strike each other. In Yam
Master a line of five counts more than all points. Then come points, own less opposing, and last one
own token more on the board, or one opposing token less.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from dicecup import yam_master, yamm
from dicecup.core.dice import FIRST_ROLL, ROLLS, Roll
from dicecup.core.game import Action, Position
from dicecup.core.turn import KeptDice, Turn
from dicecup.engine.turn.value import TurnValues, turn_values
from dicecup.yam_master import FIRST_THROW, LATER_THROW, UNDER_DEFI, Squares
from dicecup.yamm import Cell, Sheet, score
from dicecup.yamm.rows import UPPER, VALUES, YAMMS, Row

LINE: Final = 100.0
"""The value of a line of five in Yam Master, in points: more than all runs together."""
TOKEN: Final = 1 / 32
"""The value of a token placed or captured in Yam Master, in points.

It decides between moves of equal points and is too small to outweigh a point.
"""
Gains: TypeAlias = tuple[int, ...]
"""The points that each of the 252 rolls adds to a total."""


class GreedyPlayer:
    """A player of both games that makes the same choice in the same position."""

    def choose(self, position: Position) -> Action:
        """Return the best of `position.actions` for this turn alone."""
        return cast(Action, CHOOSE[position.game.name](position))


def choose_in_yamm(position: yamm.Position) -> yamm.Action:
    """Return the keep or the cell with the most expected points."""
    turn, place = cast(Turn, position.turn), cast(int, position.sheet)
    sheet = position.sheets[place]
    gains = {cell: _gains(sheet, cell) for cell in sheet.open_cells}
    values = _turn_of_gains(tuple(dict.fromkeys(gains.values())), position.game.options.kept_dice)
    choice = values.best(turn.throws, Roll(turn.dice), locked=turn.locked)
    if choice.keep is not None:
        return yamm.KeepDice(choice.keep)
    return yamm.Write(max(gains, key=lambda cell: gains[cell][turn.dice.index - FIRST_ROLL]))


@lru_cache(maxsize=16)
def _turn_of_gains(gains: tuple[Gains, ...], kept_dice: KeptDice) -> TurnValues:
    """Return the solved turn that ends with the best of these gains.

    The cache lets all decisions of a turn share it.
    """
    later = [max(column) for column in zip(*gains, strict=True)]
    first = [gain + score.FIRST_THROW_YAMM * (shown in YAMMS) for gain, shown in zip(later, ROLLS, strict=True)]
    return turn_values((first, later, later), kept_dice=kept_dice)


def _gains(sheet: Sheet, cell: Cell) -> Gains:
    """Return the points that each roll adds to the total when it is written into the cell."""
    left, top = sheet.spec.places[cell]
    column, row = sheet.columns[left], sheet.spec.rows[top]
    partner = sheet.spec.partners[top]
    upper = [points for name, points in zip(sheet.spec.rows, column, strict=True) if name in UPPER]
    completes = row in UPPER and upper.count(None) == 1
    return _row_gains(
        row, sum(points or 0 for points in upper) if completes else None, None if partner is None else column[partner]
    )


@lru_cache(maxsize=1024)
def _row_gains(row: Row, upper: int | None, partner: int | None) -> Gains:
    """Return the points that each roll adds in a row.

    `upper`: the sum of rows 1 to 6 if this is the last of them that is open, otherwise `None`.
    `partner`: the result in the other row of H and T, `None` where it is open.
    """
    values = VALUES[row]
    if upper is not None:
        return tuple(points + score.bonus(upper + points) for points in values)
    if partner is None:
        return values
    above = 1 if row is Row.HIGH else -1
    return tuple(points if above * (points - partner) > 0 else -partner for points in values)


def choose_in_yam_master(position: yam_master.Position) -> yam_master.Action:
    """Return the keep, Défi or move with the highest expected value for the side to move."""
    turn = cast(Turn, position.turn)
    options = position.game.options
    placing = dict(_placing_values(position))
    removing = dict(_removing_values(position))
    stops = [_stop_values(position, placing, removing, stage) for stage in (FIRST_THROW, LATER_THROW, UNDER_DEFI)]
    values = turn_values(
        (stops[FIRST_THROW], stops[LATER_THROW], stops[LATER_THROW]),
        (stops[UNDER_DEFI], stops[UNDER_DEFI]),
        kept_dice=options.kept_dice,
    )
    choice = values.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=position.defi)
    if choice.keep is not None:
        return yam_master.KeepDice(choice.keep, choice.declare)
    names = position.game.board.names
    moves: dict[yam_master.Action, float] = {yam_master.Pass(): 0.0}
    moves |= {yam_master.Place(names[square]): value for square, value in placing.items() if position.placeable >> square & 1}
    moves |= {yam_master.Remove(names[square]): value for square, value in removing.items() if position.removable >> square & 1}
    return max(moves, key=moves.__getitem__)


def _stop_values(
    position: yam_master.Position, placing: dict[int, float], removing: dict[int, float], stage: int
) -> list[float]:
    """Return the value of ending the turn with each of the 252 rolls at this stage.

    Passing has the value 0.
    """
    found: dict[Squares, float] = {}
    values = []
    for shown, held in zip(ROLLS, position.game.held[stage], strict=True):
        if held not in found:
            found[held] = max((value for square, value in placing.items() if held >> square & 1), default=0.0)
        taken = max(removing.values(), default=0.0) if shown in YAMMS else 0.0
        values.append(max(found[held], taken, 0.0))
    return values


def _placing_values(position: yam_master.Position) -> Iterator[tuple[int, float]]:
    """Yield each free square with the value of a token placed there."""
    board, own = position.game.board, (position.x, position.o)[position.to_move]
    before = board.points(own)
    for square in range(len(board.names)):
        if position.free >> square & 1:
            after = Squares(own | 1 << square)
            line = any(after & win == win for win in board.wins[square])
            yield square, TOKEN + (LINE if line else board.points(after) - before)


def _removing_values(position: yam_master.Position) -> Iterator[tuple[int, float]]:
    """Yield the square of each opposing token with the value of capturing it."""
    board, opposing = position.game.board, (position.o, position.x)[position.to_move]
    before = board.points(opposing)
    for square in range(len(board.names)):
        if opposing >> square & 1:
            yield square, TOKEN + before - board.points(Squares(opposing & ~(1 << square)))


CHOOSE: Final[Mapping[str, Callable[[Any], Any]]] = {"yam-master": choose_in_yam_master, "yamm": choose_in_yamm}
"""Name of a game → its greedy choice."""
