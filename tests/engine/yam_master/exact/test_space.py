"""The positions that the solver of Yam Master goes through, and their number."""

from itertools import product

import pytest

from dicecup.core.dice import ROLLS
from dicecup.core.turn import Turn
from dicecup.engine.yam_master.exact.nodes import Nodes
from dicecup.engine.yam_master.exact.nodes_kernel import node_of
from dicecup.engine.yam_master.exact.size import most_states
from dicecup.engine.yam_master.exact.space import Space
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import (
    Action,
    Captured,
    End,
    Options,
    Place,
    Position,
    Remove,
    Side,
    YamMaster,
    small_board,
)
from tests.engine.yam_master.exact.solved_boards import LAYOUT, OPTIONS, board, ends, late, reached
from tests.sweep import sweep


@sweep("captured", Captured)
@sweep("end", End)
def test_kernels_find_the_positions_that_follow(captured: Captured, end: End) -> None:
    """The nodes after placing and after removing are exactly those of the rules."""
    options = Options(captured=captured, end=end)
    for position in [*reached(YamMaster(options), 12), *reached(YamMaster(options, small_board(LAYOUT, 3)), 24)]:
        if position.turn is None:
            continue
        source, rules = Nodes(), rules_of(position.game)
        source.add(node_of(pack(position)))
        for kind in Place, Remove:
            found = Nodes()
            (found.add_placed if kind is Place else found.add_removed)(rules, source, slice(0, 1))
            assert set(found.keys[: len(found)].tolist()) == played_nodes(position, kind)


def played_nodes(position: Position, kind: type[Place | Remove]) -> set[int]:
    """Return the nodes that follow from the beginning of this turn by an action of a kind.

    Either side may be to move, with any dice.
    """
    found, tried = set[int](), set[tuple[Side, Action]]()
    for side in Side if position.supplies[0] else (Side.O,):
        for throws, shown in product((1, 2), ROLLS):
            here = Position(
                position.game,
                position.x,
                position.o,
                side,
                Turn(throws, shown),
                throws == 2,
                position.supplies,
                position.number,
            )
            for action in (action for action in ends(here) if isinstance(action, kind) and (side, action) not in tried):
                tried.add((side, action))
                after = here.play(action)
                found |= {node_of(pack(after))} if after.turn is not None else set()
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: YamMaster(options).id)
def test_the_size_is_known_before_anything_is_solved(options: Options) -> None:
    """Without lines every counted board is reached, unless a last turn precedes it."""
    game = YamMaster(options, small_board(LAYOUT, 2))
    solution = board(LAYOUT, 2, options)
    counted = most_states(game, (0, 0), (2, 2), 3, 10**6)
    assert counted >= 2 * solution.space.nodes >= solution.states
    if options.end is End.AT_ONCE:
        assert counted == solution.states
    bigger = board(LAYOUT, 3, options).space
    assert 2 * bigger.nodes <= most_states(bigger.game, (0, 0), (3, 3), 5, 10**6)
    assert most_states(bigger.game, (0, 0), (3, 3), 5, 10) > 10


@pytest.mark.parametrize("captured", Captured)
def test_the_size_of_a_closure_is_known_too(captured: Captured) -> None:
    position = late(Options(captured=captured), 22, seed=3)
    space = Space(position.game, node_of(pack(position)))
    on_board = position.x.bit_count(), position.o.bit_count()
    for captures in range(4):
        assert space.add_row()
        most = most_states(position.game, on_board, position.supplies, captures, 10**9)
        assert most / 2 <= 2 * space.nodes <= most
