"""What each legal action would do, as JSON: a client needs no rules to say it beforehand.

A keep throws dice and has no other effect. In Yam Master: `points` of whoever moves and of the `opponent` afterwards, the runs
that score then and did not before (`lines`, lists of squares), and whether a line `wins`. In Yamm: the `points` that the cell
gets, the cells that are `struck`, for rows 1 to 6 the column's `upper` sum, its `bonus` once that is settled, else the
`next_bonus` in reach (`needed`, `bonus`, `missing`); the `column_total` once the column is full, the grand `total`, and what a
`first_throw_yamm` adds.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dicecup import yam_master
from dicecup.core.dice import Roll
from dicecup.core.game import Action, Position
from dicecup.yam_master import Board, Remove, Side, Squares
from dicecup.yamm import Correct, Result, Row, Sheet, SheetSpec, Write
from dicecup.yamm.actions import KEEP_ACTIONS
from dicecup.yamm.rows import UPPER, YAMMS
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import Cell, Points, open_in_column

Effect = dict[str, Any]


def effects(position: Position) -> Iterator[tuple[Action, Effect]]:
    """Every action that may be done now with its effect. Parts are shared: to be read only."""
    if isinstance(position, yam_master.Position):
        yield from ((action, _of_yam_master(position, action)) for action in position.actions)
    elif position.turn is not None and position.sheet is not None and not position.waiting:
        yield from ((KEEP_ACTIONS[kept.index], {}) for kept in position.turn.keeps)
        results_now = results(position.sheets[position.sheet], position.turn.throws, Roll(position.turn.dice))
        yield from ((Write(cell), done) for cell, done in results_now)


def effect(position: Position, action: Action) -> Effect:
    """What this action of `position.actions` would do."""
    return next(done for listed, done in effects(position) if listed == action)


# --- Yam Master --------------------------------------------------------------------------------------------------------------


def _of_yam_master(position: yam_master.Position, action: yam_master.Action) -> Effect:
    if isinstance(action, yam_master.Place | Remove):
        return _of_token(position, action)
    return {"defi_lost": True} if isinstance(action, yam_master.Pass) and _defi_is_lost(position) else {}


def _defi_is_lost(position: yam_master.Position) -> bool:
    """Whether a Défi was declared and nothing can be placed or taken."""
    return position.defi and not position.placeable and not position.removable


def _of_token(position: yam_master.Position, action: yam_master.Place | Remove) -> Effect:
    board = position.game.board
    bit = 1 << board.index[action.square]
    own, other = (position.x, position.o) if position.to_move is Side.X else (position.o, position.x)
    if isinstance(action, Remove):
        return {"points": board.points(own), "opponent": points(board, Squares(other & ~bit)), "lines": [], "wins": False}
    after = Squares(own | bit)
    before = runs(board, own)
    lines = [list(run) for run in runs(board, after) if run not in before]
    wins = any(after & line == line for line in board.wins[board.index[action.square]])
    return {"points": points(board, after), "opponent": points(board, other), "lines": lines, "wins": wins}


@lru_cache(maxsize=8192)
def runs(board: Board, own: Squares) -> tuple[tuple[str, ...], ...]:
    """The runs that score, each as squares by name."""
    return tuple(tuple(board.names[place] for place in run) for run in board.runs(own))


@lru_cache(maxsize=8192)
def points(board: Board, own: Squares) -> int:
    """The points of one side."""
    return board.points(own)


@lru_cache(maxsize=4096)
def threats(board: Board, own: Squares, free: Squares) -> tuple[tuple[str, int, bool], ...]:
    """The free squares on which a token of this side would score more or fill a line: square, points gained, whether it
    wins."""
    now = points(board, own)
    found = []
    for place, name in enumerate(board.names):
        if free >> place & 1:
            after = Squares(own | 1 << place)
            wins = any(after & line == line for line in board.wins[place])
            gained = points(board, after) - now
            if wins or gained > 0:
                found.append((name, gained, wins))
    return tuple(found)


# --- Yamm --------------------------------------------------------------------------------------------------------------------


def results(sheet: Sheet, throws: int, roll: Roll) -> Iterator[tuple[Cell, Effect]]:
    """Every open cell, in the pinned order, with what writing these dice there would do."""
    spec = sheet.spec
    yamm_points = FIRST_THROW_YAMM if throws == 1 and roll in YAMMS else 0
    total = total_of(sheet) + yamm_points
    for left, held in enumerate(sheet.columns):
        for cell, gained, told in _in_column(spec, left, held, roll):
            yield cell, {**told, "total": total + gained, "first_throw_yamm": yamm_points}


@lru_cache(maxsize=2048)
def _in_column(spec: SheetSpec, left: int, held: tuple[Points, ...], roll: Roll) -> tuple[tuple[Cell, int, Effect], ...]:
    """Of each open cell of the column at this place, which holds this: points that the grand total gains, and what there is to say about
    the column. To be read only."""
    sheet = Sheet(spec, (held,))  # whichever it is: all columns count alike
    last = held.count(None) == 1
    found = []
    for cell in open_in_column(spec, left, held):
        top = spec.places[cell][1]
        row = spec.rows[top]
        points, strikes_both = sheet.preview(spec.cells[top], roll)
        struck: tuple[Row, ...] = (Row.HIGH, Row.LOW) if strikes_both else () if points else (row,)
        gained = points - sum(held[spec.rows.index(other)] or 0 for other in struck)
        told: Effect = {
            "points": points,
            "struck": [f"{cell.partition('.')[0]}.{other}" for other in struck],
            "upper": None,
            "bonus": None,
            "next_bonus": None,
            "column_total": None,
        }
        if last or row in UPPER:  # nothing else changes what is said of the column
            after = said_of_column(spec, sheet.write(spec.cells[top], roll).columns[0])
            told |= after if row in UPPER else {"column_total": after["column_total"]}
            gained += told["bonus"] or 0
        found.append((cell, gained, told))
    return tuple(found)


@lru_cache(maxsize=8192)
def said_of_column(spec: SheetSpec, held: tuple[Points, ...]) -> Effect:
    """Of a column that holds this, whichever it is: the sum of rows 1 to 6, the bonus once it is settled, else the next one in reach, and
    the total once it is full. To be read only."""
    sheet, name = Sheet(spec, (held,)), spec.columns[0]
    bonus = sheet.bonus(name)
    reach = sheet.next_bonus(name) if bonus is None else None
    return {
        "upper": sheet.upper(name),
        "bonus": bonus,
        "next_bonus": reach and reach._asdict(),
        "column_total": sheet.column_total(name),
    }


@lru_cache(maxsize=4096)
def total_of(sheet: Sheet) -> int:
    """All points known so far."""
    return sheet.total


@lru_cache(maxsize=512)
def corrections(sheet: Sheet, wet: Result, turn: int) -> tuple[dict[str, Any], ...]:
    """The actions that move the wet result of this turn on its sheet, each with its effect: it is valued on the sheet as it was before it
    was written. To be read only."""
    written = results(sheet, wet.throws, wet.roll)
    return tuple({"action": str(Correct(turn, cell)), "effect": done} for cell, done in written if cell != wet.cell)
