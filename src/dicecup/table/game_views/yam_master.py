"""The view of Yam Master: the board with its lines and threats, and the effect of each action.

The effect of placing or taking a token has the `points` of the player and of the `opponent`
afterwards, `lines`, the lists of squares of runs that score then and did not before, and whether a
line `wins`. A pass that loses a Défi has `defi_lost`. A keep throws dice and has no other effect.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

from dicecup.table.game_views.interface import View
from dicecup.yam_master import Action, Board, Pass, Place, Position, Remove, Side, Squares


def drawing(position: Position, order: Sequence[int]) -> View:  # noqa: ARG001 the board does not say who is x
    """Return the board."""
    return {"board": board_view(position)}


def drawing_key(position: Position, order: Sequence[int]) -> Hashable:  # noqa: ARG001 the same
    """Return the tokens on the board and the supplies."""
    return position.x, position.o, position.supplies


def has_defi(position: Position) -> bool:
    """Return whether a Défi was declared in the turn."""
    return position.defi


def open_results(position: Position) -> dict[int, Hashable]:  # noqa: ARG001 every action is final
    """Return nothing: a token that was placed stays where it is."""
    return {}


def corrections(turn: int, result: object) -> Sequence[View]:  # noqa: ARG001 there is no open result
    """Return nothing."""
    return ()


def is_begun(position: Position) -> bool:
    """Return whether there is a token on the board."""
    return bool(position.x | position.o)


def overlaps(here: Position, asked: Position) -> bool:
    """Return whether both boards hold the same tokens, of x or of o."""
    return is_begun(here) and {here.x, here.o} == {asked.x, asked.o}


# --- The board ------------------------------------------------------------------------------------


def board_view(position: Position) -> View:
    """Return the board.

    `squares` are in the order a1 b1 … e5, each with its figure and token. For x and o there are
    `supplies`, `points`, the `lines` that score, and as `threats` the squares on which the next
    token scores or wins. `winning` are the lines of five.
    """
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
    """Return the lines of one side that win, each as names of squares."""
    filled = sorted({line for lines in board.wins for line in lines if own & line == line})
    return tuple(tuple(name for place, name in enumerate(board.names) if line >> place & 1) for line in filled)


@lru_cache(maxsize=1024)
def _squares(board: Board, x: Squares, o: Squares) -> list[View]:
    """Return the squares of the board with figures and tokens.

    `x`, `o`: the squares of each side. The list is cached and must not be changed.
    """
    return [
        {
            "square": name,
            "figure": board.figures[place].value,
            "token": "x" if x >> place & 1 else "o" if o >> place & 1 else None,
        }
        for place, name in enumerate(board.names)
    ]


# --- Effects of actions ---------------------------------------------------------------------------


def effects(position: Position) -> Iterator[tuple[Action, View]]:
    """Return every allowed action with its effect."""
    return ((action, _effect(position, action)) for action in position.actions)


def _effect(position: Position, action: Action) -> View:
    if isinstance(action, Place | Remove):
        return _token_effect(position, action)
    return {"defi_lost": True} if isinstance(action, Pass) and position.defi_lost else {}


def _token_effect(position: Position, action: Place | Remove) -> View:
    """Return the effect of placing or removing a token.

    `points` and `opponent` are the points of the two sides afterwards, `lines` the new lines.
    """
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
    """Return the runs that score, each as names of squares."""
    return tuple(tuple(board.names[place] for place in run) for run in board.runs(own))


@lru_cache(maxsize=8192)
def points(board: Board, own: Squares) -> int:
    """Return the points of one side."""
    return board.points(own)


@lru_cache(maxsize=4096)
def threats(board: Board, own: Squares, free: Squares) -> tuple[tuple[str, int, bool], ...]:
    """Return the free squares on which a token of this side would score more or fill a line.

    Each comes with the points gained and whether the token wins.
    """
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
