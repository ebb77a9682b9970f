"""What lies on the table, as JSON: the turn with its dice, the board with its lines and threats, the sheets with their sums."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from dicecup import yam_master, yamm
from dicecup.core.game import Position
from dicecup.core.turn import THROWS
from dicecup.table.effects import points, runs, said_of_column, threats, total_of
from dicecup.yam_master import Board, Squares
from dicecup.yamm import Sheet
from dicecup.yamm.seats import last_turn, players_of_sheet

View = dict[str, Any]


def turn_view(position: Position, order: Sequence[int], writing: int | None) -> View | None:
    """The turn that runs, None after the last. `order`: the seats in the order of play. `dice`: as they lie, those that are kept while
    the others are in the air."""
    turn = position.turn
    if turn is None:
        return None
    return {
        "number": position.number,
        "round": (position.number - 1) // len(order) + 1,
        "seat": order[(position.number - 1) % len(order)],
        "writer": writing,
        "throws": turn.throws,
        "throws_left": THROWS - turn.throws,
        "dice": list(turn.dice.faces),
        "waiting": turn.waiting,
        "locked": list(turn.locked.faces),
        "defi": isinstance(position, yam_master.Position) and position.defi,
    }


# --- Yam Master --------------------------------------------------------------------------------------------------------------


def board_view(position: yam_master.Position) -> View:
    """The squares in the order a1 b1 … e5 with their figures and tokens, and for x and o: supplies, points, the runs that
    score, and where the next token would score or win; the lines of five that have won."""
    board = position.game.board
    sides = {"x": position.x, "o": position.o}
    return {
        "squares": _squares(board, position.x, position.o),
        "supplies": dict(zip(sides, position.supplies, strict=True)),
        "points": {side: points(board, own) for side, own in sides.items()},
        "lines": {side: [list(run) for run in runs(board, own)] for side, own in sides.items()},
        "threats": {
            side: [
                {"square": name, "points": gained, "wins": wins} for name, gained, wins in threats(board, own, position.free)
            ]
            for side, own in sides.items()
        },
        "winning": [list(line) for own in sides.values() for line in _winning(board, own)],
    }


@lru_cache(maxsize=1024)
def _winning(board: Board, own: Squares) -> tuple[tuple[str, ...], ...]:
    """The lines of one side that win, each as squares by name."""
    filled = sorted({line for lines in board.wins for line in lines if own & line == line})
    return tuple(tuple(name for place, name in enumerate(board.names) if line >> place & 1) for line in filled)


@lru_cache(maxsize=1024)
def _squares(board: Board, x: Squares, o: Squares) -> list[View]:
    return [
        {
            "square": name,
            "figure": board.figures[place].value,
            "token": "x" if x >> place & 1 else "o" if o >> place & 1 else None,
        }
        for place, name in enumerate(board.names)
    ]


# --- Yamm --------------------------------------------------------------------------------------------------------------------


def sheets_view(position: yamm.Position, order: Sequence[int]) -> list[View]:
    """The sheets in the order of play. `order`: the seats in that order. A wet result counts as written; `wet` says which it is."""
    options = position.game.options
    shown = []
    for place, sheet in enumerate(position.written):
        wet = position.wet[place]
        moving = None
        if wet is not None:
            turn = last_turn(options, place, position.number)
            moving = {"turn": turn, "cell": wet.cell, "dice": list(wet.roll.faces), "throws": wet.throws}
        seats = [order[player] for player in players_of_sheet(options, place)]
        shown.append({"seats": seats, **sheet_view(sheet), "wet": moving})
    return shown


@lru_cache(maxsize=4096)
def sheet_view(sheet: Sheet) -> View:
    """One sheet: `columns` → rows → points or null; of each column the sum of rows 1 to 6, the bonus once it is settled, else
    the next one in reach, and the total once it is full."""
    columns = dict(zip(sheet.spec.columns, sheet.columns, strict=True))
    told = {name: said_of_column(sheet.spec, held) for name, held in columns.items()}
    return {
        "columns": {name: dict(zip(map(str, sheet.spec.rows), held, strict=True)) for name, held in columns.items()},
        "upper": {name: column["upper"] for name, column in told.items()},
        "bonus": {name: column["bonus"] for name, column in told.items()},
        "next_bonus": {name: column["next_bonus"] for name, column in told.items()},
        "column_totals": {name: column["column_total"] for name, column in told.items()},
        "first_throw_yamms": sheet.first_throw_yamms,
        "total": total_of(sheet),
    }
