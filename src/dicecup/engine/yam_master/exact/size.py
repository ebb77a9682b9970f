"""The number of states, before any state is found or solved."""

from functools import cache
from math import comb

from dicecup.yam_master import Captured, End, YamMaster


def most_states(game: YamMaster, on_board: tuple[int, int], supplies: tuple[int, int], captures: int, enough: int) -> int:
    """Return an upper limit of the positions at the beginning of a turn that are reached with at
    most `captures` captures.

    The start has `on_board` tokens of x and o on the board and `supplies` in the supplies. Counting
    stops above `enough`. Boards with a full line are counted too.
    """
    if game.options.captured is Captured.RETURNED:
        return _row(game, on_board, supplies, captures)
    states = 0
    for row in range(captures + 1):
        states += _row(game, on_board, supplies, row)
        if states > enough:
            break
    return states


def _row(game: YamMaster, on_board: tuple[int, int], supplies: tuple[int, int], captures: int) -> int:
    """Return the number of positions with exactly `captures` captures; where captured tokens
    return, with at most `captures`.

    A board is described by the first tokens that are gone (i of x, j of o), by those of their
    squares that the other side holds now (p and q), and by the new tokens on the other squares (a
    and b).
    """
    x, o = on_board
    free = len(game.board.names) - x - o
    nodes = 0
    for i in range(min(x, captures) + 1):
        for j in range(min(o, captures - i) + 1):
            for p in range(i + 1):
                for q in range(j + 1):
                    gone = comb(x, i) * comb(o, j) * comb(i, p) * comb(j, q)
                    for a in range(free + 1):
                        for b in range(free - a + 1):
                            gained = q + a - i, p + b - j
                            supply = _supplies(game, on_board, supplies, gained, (i, j), captures)
                            nodes += gone * _colourings(free, a, b) * supply
    return 2 * nodes


@cache
def _colourings(free: int, a: int, b: int) -> int:
    """Return the number of ways to put `a` tokens of x and `b` of o on `free` squares."""
    return comb(free, a) * comb(free - a, b)


def _supplies(
    game: YamMaster,
    on_board: tuple[int, int],
    supplies: tuple[int, int],
    gained: tuple[int, int],
    gone: tuple[int, int],
    captures: int,
) -> int:
    """Return the number of pairs of supplies that such a board can have while the game goes on.

    `gained`: the change of the number of tokens on the board.
    """
    least = (0, 1) if game.options.end is End.FULL_ROUND else (1, 1)
    if game.options.captured is Captured.RETURNED:
        return all(game.board.tokens - on_board[side] - gained[side] >= least[side] for side in range(2))
    taken = ((x, captures - x) for x in range(gone[0], captures - gone[1] + 1))
    return sum(all(supplies[side] - gained[side] - lost[side] >= least[side] for side in range(2)) for lost in taken)
