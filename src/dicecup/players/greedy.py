"""Plays for the most points of this turn, by the exact odds of its dice, and never looks further.

Yamm: the points that a cell gets, the column bonus with the cell that earns it, 100 for a first-throw Yamm, and what is lost
where H and T strike each other. Yam Master: a line of five above all, then points, own less opposing, then any token rather
than none.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeAlias, cast

from dicecup import yam_master, yamm
from dicecup.core.dice import FIRST_ROLL, ROLLS, Roll
from dicecup.core.turn import KeptDice, Turn
from dicecup.engine.turn.value import TurnValues, turn_values
from dicecup.games import Action, Position
from dicecup.yam_master import FIRST_THROW, LATER_THROW, UNDER_DEFI, Squares
from dicecup.yamm import Cell, Sheet, score
from dicecup.yamm.rows import UPPER, VALUES, YAMMS, Row

LINE: Final = 100.0
"""What a line of five counts in Yam Master, in points: more than all runs together."""
TOKEN: Final = 1 / 32
"""What one token more, or one opposing token less, counts there, in points: it decides between turns that promise the same points and
gives none away for itself."""
Gains: TypeAlias = tuple[int, ...]
"""What each of the 252 rolls adds to a total."""


class GreedyPlayer:
    """The same choice in the same position, always."""

    def choose(self, position: Position) -> Action:
        """The best of `position.actions` as far as this turn goes."""
        if isinstance(position, yamm.Position):
            return _choose_yamm(position)
        return _choose_yam_master(position)


def _choose_yamm(position: yamm.Position) -> yamm.Action:
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
    """The turn in which any of these gains can be had; the same for all decisions of a turn."""
    later = [max(column) for column in zip(*gains, strict=True)]
    first = [gain + score.FIRST_THROW_YAMM * (shown in YAMMS) for gain, shown in zip(later, ROLLS, strict=True)]
    return turn_values((first, later, later), kept_dice=kept_dice)


def _gains(sheet: Sheet, cell: Cell) -> Gains:
    """What writing each of the 252 rolls into the cell adds to the total."""
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
    """The same for a row. `upper`: the sum of rows 1 to 6 before the last of them; `partner`: what stands in the other of H and T."""
    values = VALUES[row]
    if upper is not None:
        return tuple(points + score.bonus(upper + points) for points in values)
    if partner is None:
        return values
    above = 1 if row is Row.HIGH else -1
    return tuple(points if above * (points - partner) > 0 else -partner for points in values)


def _choose_yam_master(position: yam_master.Position) -> yam_master.Action:
    turn = cast(Turn, position.turn)
    options = position.game.options
    places = dict(_place_values(position))
    removals = dict(_removal_values(position))
    ends = [_ends(position, places, removals, stage) for stage in (FIRST_THROW, LATER_THROW, UNDER_DEFI)]
    values = turn_values(
        (ends[FIRST_THROW], ends[LATER_THROW], ends[LATER_THROW]),
        (ends[UNDER_DEFI], ends[UNDER_DEFI]),
        kept_dice=options.kept_dice,
    )
    choice = values.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=position.defi)
    if choice.keep is not None:
        return yam_master.KeepDice(choice.keep, choice.declare)
    names = position.game.board.names
    worth: dict[yam_master.Action, float] = {yam_master.Pass(): 0.0}
    worth |= {yam_master.Place(names[place]): value for place, value in places.items() if position.placeable >> place & 1}
    worth |= {yam_master.Remove(names[place]): value for place, value in removals.items() if position.removable >> place & 1}
    return max(worth, key=lambda action: worth[action])


def _ends(position: yam_master.Position, places: dict[int, float], removals: dict[int, float], stage: int) -> list[float]:
    """What ending the turn with each of the 252 rolls is worth at this stage; passing is worth nothing."""
    found: dict[Squares, float] = {}
    ends = []
    for shown, held in zip(ROLLS, position.game.held[stage], strict=True):
        if held not in found:
            found[held] = max((value for place, value in places.items() if held >> place & 1), default=0.0)
        taken = max(removals.values(), default=0.0) if shown in YAMMS else 0.0
        ends.append(max(found[held], taken, 0.0))
    return ends


def _place_values(position: yam_master.Position) -> Iterator[tuple[int, float]]:
    """What a token is worth on each free square."""
    board, own = position.game.board, (position.x, position.o)[position.to_move]
    before = board.points(own)
    for place in range(len(board.names)):
        if position.free >> place & 1:
            after = Squares(own | 1 << place)
            line = any(after & win == win for win in board.wins[place])
            yield place, TOKEN + (LINE if line else board.points(after) - before)


def _removal_values(position: yam_master.Position) -> Iterator[tuple[int, float]]:
    """What taking each opposing token is worth."""
    board, opposing = position.game.board, (position.o, position.x)[position.to_move]
    before = board.points(opposing)
    for place in range(len(board.names)):
        if opposing >> place & 1:
            yield place, TOKEN + before - board.points(Squares(opposing & ~(1 << place)))
