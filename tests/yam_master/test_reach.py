"""A complete search on a board of 2 × 2 squares: positions that play reaches and positions that
reading accepts.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from dicecup.core.errors import PositionError
from dicecup.core.turn import Turn
from dicecup.yam_master import Captured, End, KeepDice, Options, Position, YamMaster
from dicecup.yam_master.figures import FIGURES
from tests.strategies import BOARD_2

KINDS = {held: shown for shown, held in FIGURES.items()}.values()
"""One roll for each set of figures that dice can hold."""
STATES = [(1, False), (2, False), (2, True)]
LATE = 1001
"""A turn number so high that any number of tokens can have come and gone, because players may pass.
"""


@cache
def reached(game: YamMaster) -> frozenset[str]:
    """Return every position between two turns and every end, late in a game."""
    todo = [replace(game.start(), number=LATE)]
    seen = set(todo)
    while todo:
        found = set(turns_from(todo.pop())) - seen
        todo += found
        seen |= found
    return frozenset(map(str, seen))


def turns_from(begun: Position) -> Iterator[Position]:
    """Yield the positions after every way to play a turn."""
    for (throws, defi), shown in product(STATES, KINDS):
        if begun.turn is None:
            return
        position = replace(begun, turn=Turn(throws, shown), defi=defi)
        for action in position.actions:
            if not isinstance(action, KeepDice):
                after = position.play(action)
                yield replace(after, number=LATE + after.to_move)


def accepted(game: YamMaster) -> Iterator[str]:
    """Yield every text of such positions that reading accepts."""
    for squares, side, turn, x, o in product(product(".xo", repeat=4), "xo", ("0:?????", "-"), range(4), range(4)):
        rows = "/".join("".join(row).replace("..", "2").replace(".", "1") for row in (squares[:2], squares[2:]))
        text = f"{rows} {side} {turn} {x}-{o} {LATE + 'xo'.index(side)}"
        try:
            yield str(game.position(text))
        except PositionError:
            continue


@pytest.mark.parametrize("captured, end", list(product(Captured, End)))
def test_every_reachable_position_is_accepted(captured: Captured, end: End) -> None:
    game = YamMaster(Options(captured=captured, end=end), BOARD_2)
    assert reached(game) <= set(accepted(game))


def test_by_default_only_reachable_positions_are_accepted() -> None:
    game = YamMaster(Options(), BOARD_2)
    assert reached(game) == set(accepted(game))
    assert len(reached(game)) == 78
