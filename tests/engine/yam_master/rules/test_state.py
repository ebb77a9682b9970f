"""States and moves agree with the rules."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.engine.errors import EngineError
from dicecup.engine.yam_master.evaluation.model import MOST_SHAPES, Model, shapes_of
from dicecup.engine.yam_master.evaluation.turns_kernel import LINE, TOKENS, advance, points_of, values_by_model
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import MOST_LINES, MOST_SQUARES, action_of, move_of, pack, unpack
from dicecup.engine.yam_master.rules.state_kernel import after_state
from dicecup.yam_master import Board, Ending, KeepDice, Remove, YamMaster, small_board
from dicecup.yam_master.figures import Figure
from tests.strategies import BOARD_3, SMALL_BOARDS, YAM_MASTER
from tests.yam_master.positions import decisions

GAMES = YAM_MASTER + SMALL_BOARDS


@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
def test_after_states_agree_with_the_rules(game: YamMaster, seed: int) -> None:
    rules = rules_of(game)
    for position in decisions(game, seed, 60)[::3]:
        for action in position.actions:
            if isinstance(action, KeepDice):
                continue
            move = move_of(game, action)
            assert action_of(game, move) == action
            following = position.play(action)
            states, results, endings = np.array([pack(position)]), np.zeros(1, np.float32), np.zeros(1, np.int64)
            advance(rules, states, np.array([move]), results, endings)
            assert states[0] == after_state(rules, pack(position), move) == pack(following)
            assert unpack(int(states[0]), game, following.number).to_text().split(" ")[0] == following.to_text().split(" ")[0]
            outcome = following.outcome
            assert bool(endings[0]) == (outcome is not None)
            assert tuple(points_of(rules, states)[0]) == following.points
            if outcome is not None:
                assert endings[0] == {Ending.LINE: LINE, Ending.TOKENS: TOKENS}[outcome.end]
                assert results[0] == (0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1)


@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32))
def test_a_state_is_the_beginning_of_a_turn(game: YamMaster, seed: int) -> None:
    for position in decisions(game, seed, 40):
        begun = unpack(pack(position), game, position.number)
        assert game.position(begun.to_text()) == begun
        assert (begun.x, begun.o, begun.supplies, begun.to_move) == (
            position.x,
            position.o,
            position.supplies,
            position.to_move,
        )


@pytest.mark.slow
def test_moves_have_a_value_where_dice_allow_them(model: Model) -> None:
    """A move is minus infinity exactly where no dice allow it."""
    game = YamMaster()
    for position in decisions(game, 3, 60):
        values = np.empty((1, 51), np.float32)
        values_by_model(rules_of(game), model, np.array([pack(position)]), values)
        free = [place for place in range(25) if position.free >> place & 1]
        opposing = (position.o, position.x)[position.to_move]
        taken = [25 + place for place in range(25) if opposing >> place & 1]
        assert np.flatnonzero(values[0] > -np.inf).tolist() == [*free, *taken, 50]


def test_a_keep_ends_no_turn() -> None:
    game = YamMaster()
    position = game.start().roll("12345")
    with pytest.raises(EngineError):
        move_of(game, next(iter(position.actions)))


def test_too_large_boards_are_refused() -> None:
    row = " ".join(["1"] * 6)
    with pytest.raises(EngineError):
        rules_of(YamMaster(board=small_board("/".join([row] * 6), 3)))
    assert rules_of(YamMaster(board=BOARD_3)).squares == 9


def test_no_board_exceeds_the_arrays_on_the_stack_of_kernels() -> None:
    figures = tuple(Figure)
    for rows, columns in product(range(1, 10), repeat=2):
        if not 2 <= rows * columns <= MOST_SQUARES:
            continue
        squares = [figures[at % len(figures)] for at in range(rows * columns)]
        layout = tuple(tuple(squares[columns * row : columns * (row + 1)]) for row in range(rows))
        board = Board(layout, 3, line=2, scores=((2, 1),))
        assert len(board.lines) == rules_of(YamMaster(board=board)).lines <= MOST_LINES
        assert len(shapes_of(board)) <= MOST_SHAPES


def test_a_removal_is_a_move() -> None:
    assert move_of(YamMaster(), Remove("b1")) == 26
