"""What each legal action would do, as JSON: a client needs no rules to say it beforehand.

A keep throws dice and has no other effect. In Yam Master: `points` of whoever moves and of the `opponent` afterwards, the runs
that score then and did not before (`lines`, lists of squares), and whether a line `wins`. In Yamm: the `points` that the cell
gets, the cells that are `struck`, for rows 1 to 6 the column's `upper` sum, its `bonus` once that is settled, else the
`next_bonus` in reach (`needed`, `bonus`, `missing`); the `column_total` once the column is full, the grand `total`, and what a
`first_throw_yamm` adds.
"""

from functools import lru_cache
from typing import Any

from dicecup import yam_master, yamm
from dicecup.core.dice import Roll
from dicecup.games import Action, Position
from dicecup.yam_master import Board, Remove, Side, Squares
from dicecup.yamm import Correct, Result, Row, Sheet, SheetSpec, Write
from dicecup.yamm.rows import UPPER
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import Points

Effect = dict[str, Any]


@lru_cache(maxsize=512)
def effects(position: Position) -> tuple[tuple[Action, Effect], ...]:
    """Every action that may be done now with its effect. Shared between views: to be read only."""
    return tuple((action, effect(position, action)) for action in position.actions)


def effect(position: Position, action: Action) -> Effect:
    """What this action of `position.actions` would do."""
    if isinstance(position, yamm.Position):
        return _of_result(position, action) if isinstance(action, Write) else {}
    if isinstance(action, yam_master.Place | Remove):
        return _of_token(position, action)
    return {"defi_lost": True} if isinstance(action, yam_master.Pass) and _defi_is_lost(position) else {}


# --- Yam Master --------------------------------------------------------------------------------------------------------------


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


def _of_result(position: yamm.Position, action: Write) -> Effect:
    assert position.turn is not None
    assert position.sheet is not None
    return result_effect(position.sheets[position.sheet], Result(action.cell, position.turn.throws, Roll(position.turn.dice)))


def result_effect(sheet: Sheet, result: Result) -> Effect:
    """What writing this result on this sheet would do. Unchecked."""
    left, top = sheet.spec.places[result.cell]
    gained, struck, told = _in_column(sheet.spec, sheet.columns[left], top, result.roll)
    yamm_points = FIRST_THROW_YAMM if result.first_throw_yamm else 0
    return told | {
        "struck": [f"{sheet.spec.columns[left]}.{row}" for row in struck],
        "total": total_of(sheet) + gained + yamm_points,
        "first_throw_yamm": yamm_points,
    }


@lru_cache(maxsize=16_384)
def _in_column(spec: SheetSpec, held: tuple[Points, ...], top: int, roll: Roll) -> tuple[int, tuple[Row, ...], Effect]:
    """What writing this roll does in a column that holds this, whichever it is: points that the grand total gains, the rows that are
    struck, and what there is to say about the column. To be read only."""
    sheet = Sheet(spec, (held,))
    cell, column = spec.cells[top], spec.columns[0]
    points, strikes_both = sheet.preview(cell, roll)
    after = sheet.write(cell, roll)
    gained = points
    struck: tuple[Row, ...] = () if points else (spec.rows[top],)
    if strikes_both:
        struck = (Row.HIGH, Row.LOW)
        gained -= sum(held[spec.rows.index(row)] or 0 for row in struck)
    told: Effect = {
        "points": points,
        "upper": None,
        "bonus": None,
        "next_bonus": None,
        "column_total": after.column_total(column),
    }
    if spec.rows[top] in UPPER:
        bonus = after.bonus(column)
        following = after.next_bonus(column) if bonus is None else None
        gained += bonus or 0
        told |= {"upper": after.upper(column), "bonus": bonus, "next_bonus": following and following._asdict()}
    return gained, struck, told


@lru_cache(maxsize=4096)
def total_of(sheet: Sheet) -> int:
    """All points known so far."""
    return sheet.total


@lru_cache(maxsize=1024)
def correction_effects(sheet: Sheet, wet: Result, turn: int) -> tuple[tuple[Correct, Effect], ...]:
    """Where the wet result of this turn may be moved on its sheet, and what that would do: it is valued on the sheet as it was
    before it was written. To be read only."""
    cells = (cell for cell in sheet.open_cells if cell != wet.cell)
    return tuple((Correct(turn, cell), result_effect(sheet, wet._replace(cell=cell))) for cell in cells)
