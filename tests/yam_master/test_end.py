"""The end of a game and its winner (docs/rules.md, Yam Master)."""

import random

import pytest
from hypothesis import given, settings

from dicecup.yam_master import Captured, Ending, Outcome, Position, Remove, Side, YamMaster
from tests import strategies
from tests.yam_master.positions import at

FULL_ROUND = "yam-master(end=full_round)"
ROUND_OUT = "yam-master(captured=out,end=full_round)"

# A line of five


@pytest.mark.parametrize(
    "board, square, shown",
    [
        ("1xxxx/5/5/5/5", "a1", "11123"),  # the top row
        ("5/5/5/5/x1xxx", "b5", "22245"),  # the bottom row
        ("x4/x4/x4/x4/5", "a5", "33345"),  # column a
        ("x4/1x3/5/3x1/4x", "c3", "66666"),  # the long diagonals
        ("5/3x1/2x2/1x3/x4", "e1", "45666"),
    ],
)
def test_a_line_of_five_own_tokens_wins_at_once(board: str, square: str, shown: str) -> None:
    over = at(f"{board} x 3:{shown} 8-12 11").play(square)
    assert over.turn is None
    assert over.outcome == Outcome(Ending.LINE, Side.X, over.points)
    assert str(over).split(" ", 1)[1] == "o - 7-12 12"


def test_o_wins_by_a_line_too() -> None:
    over = at("xxx2/1oooo/5/5/5 o 2:22246 9-8 10").play("a2")
    assert over.outcome == Outcome(Ending.LINE, Side.O, (1, 0))
    assert str(over) == "xxx2/ooooo/5/5/5 x - 9-7 11"


def test_the_owner_of_a_line_may_have_fewer_points() -> None:
    over = at("xxxx1/1oooo/5/5/5 o 2:22246 8-8 10").play("a2")
    assert over.points == (2, 0)
    assert over.outcome == Outcome(Ending.LINE, Side.O, (2, 0))


def test_five_tokens_in_a_short_diagonal_and_a_corner_are_no_line() -> None:
    assert at("3x1/2x2/1x3/5/4x x 3:45666 8-12 11").play("a4").outcome is None


def test_opposing_tokens_break_a_line() -> None:
    assert at("1xxxo/5/5/5/5 x 3:11123 9-11 11").play("a1").outcome is None


# Out of tokens

ELEVEN = "xx1xx/x1x1x/oo1oo/1x1x1/xx3"
"""x has one token left. On c5 it makes a run of three, the only points of x; o has no points."""
SWAPPED = "oo1oo/o1o1o/xx1xx/1o1o1/oo3"
"""The board of `ELEVEN` with x and o exchanged."""


def test_the_last_token_ends_the_game_at_once() -> None:
    over = at(f"{ELEVEN} x 3:33334 1-8 31").play("c5")
    assert str(over) == "xx1xx/x1x1x/oo1oo/1x1x1/xxx2 o - 0-8 32"
    assert over.outcome == Outcome(Ending.TOKENS, Side.X, (1, 0))


def test_the_last_token_of_o_ends_it_under_either_option() -> None:
    for game_id in ("yam-master", FULL_ROUND):
        over = at(f"{SWAPPED} o 3:33334 8-1 32", game_id).play("c5")
        assert str(over) == "oo1oo/o1o1o/xx1xx/1o1o1/ooo2 x - 8-0 33"
        assert over.outcome == Outcome(Ending.TOKENS, Side.O, (0, 1))


@pytest.mark.parametrize(
    "row, winner, points",
    [
        ("oo1oo", Side.X, (1, 0)),
        ("ooo1o", None, (1, 1)),
        ("oooo1", Side.O, (1, 2)),  # the last token was x's all the same
    ],
)
def test_more_points_win_and_equal_points_are_a_draw(row: str, winner: Side | None, points: tuple[int, int]) -> None:
    over = at(f"{ELEVEN.replace('oo1oo', row)} x 3:33334 1-{12 - row.count('o')} 31").play("c5")
    assert over.outcome == Outcome(Ending.TOKENS, winner, points)
    assert over.points == points


def test_a_last_token_that_makes_a_line_wins_by_the_line() -> None:
    for game_id in ("yam-master", FULL_ROUND):
        over = at(f"{ELEVEN} x 3!:33334 1-8 31", game_id).play("c1")
        assert over.outcome is not None
        assert (over.outcome.end, over.outcome.winner, over.supplies) == (Ending.LINE, Side.X, (0, 8))


def test_passing_does_not_end_the_game() -> None:
    assert at(f"{ELEVEN} x 3:33334 1-8 31").play("--").outcome is None


def test_removing_does_not_end_the_game() -> None:
    for game_id, supplies in (("yam-master", (1, 9)), ("yam-master(captured=out)", (1, 8))):
        after = at(f"{ELEVEN} x 1:66666 1-8 31", game_id).play("-a3")
        assert (after.outcome, after.supplies) == (None, supplies)


# The full round


def last_turn(shown: str, game_id: str = FULL_ROUND) -> Position:
    """Return the position after the throw of o that follows the last token of x."""
    begun = at(f"{ELEVEN} x 3:33334 1-8 31", game_id).play("c5")
    assert str(begun) == "xx1xx/x1x1x/oo1oo/1x1x1/xxx2 o 0:????? 0-8 32"
    assert begun.outcome is None
    return begun.roll(shown)


def test_after_the_last_token_of_x_o_has_one_more_turn() -> None:
    over = last_turn("13466").play("--")
    assert str(over) == "xx1xx/x1x1x/oo1oo/1x1x1/xxx2 x - 0-8 33"
    assert over.outcome == Outcome(Ending.TOKENS, Side.X, (1, 0))


def test_o_may_place_in_the_last_turn() -> None:
    over = last_turn("55566").play("d5")
    assert str(over) == "xx1xx/x1x1x/oo1oo/1x1x1/xxxo1 x - 0-7 33"
    assert over.outcome == Outcome(Ending.TOKENS, Side.X, (1, 0))


def test_o_may_complete_a_line_in_the_last_turn() -> None:
    over = last_turn("66666").play("c3")
    assert over.outcome == Outcome(Ending.LINE, Side.O, (1, 0))


def test_the_last_turn_is_last_even_if_x_gets_a_token_back() -> None:
    over = last_turn("66666").play("-b5")
    assert str(over) == "xx1xx/x1x1x/oo1oo/1x1x1/x1x2 x - 1-8 33"
    assert over.outcome == Outcome(Ending.TOKENS, None, (0, 0))
    assert at(str(over), FULL_ROUND) == over


def test_a_token_captured_in_the_last_turn_can_leave_the_game() -> None:
    over = last_turn("66666", ROUND_OUT).play("-b5")
    assert str(over) == "xx1xx/x1x1x/oo1oo/1x1x1/x1x2 x - 0-8 33"
    assert over.outcome == Outcome(Ending.TOKENS, None, (0, 0))


def test_the_last_turn_has_three_throws_and_a_defi() -> None:
    assert "!k66" in last_turn("13466").actions
    assert (
        str(last_turn("13466").play("!k66").roll("66666").play("k-").roll("12345").play("c4")).split(" ", 1)[1] == "x - 0-7 33"
    )


# Without the rules


@pytest.mark.parametrize("player", [0, 1])
def test_the_other_side_wins_when_a_player_gives_up(player: int) -> None:
    ahead = at("xxx2/5/5/5/5 o 0:????? 9-12 6")
    assert ahead.points == (1, 0)
    assert ahead.game.winners_without(ahead, player) == (1 - player,)


def test_no_action_can_be_corrected() -> None:
    placed = at("5/5/5/5/5 x 3:11146 12-12 1").play("a1")
    assert not placed.corrections
    assert placed.finalized_turn is None


# Tokens


@pytest.mark.parametrize(
    "game", strategies.YAM_MASTER + strategies.SMALL_BOARDS, ids=lambda game: f"{game.id}-{len(game.board.names)}"
)
@settings(max_examples=10)
@given(seed=strategies.seeds)
def test_no_game_has_more_tokens_than_the_board(game: YamMaster, seed: int) -> None:
    captured = [0, 0]
    for step, position in strategies.steps(game, random.Random(seed)):
        assert isinstance(position, Position)
        if isinstance(step, Remove):
            captured[position.to_move] += 1
        out = captured if game.options.captured is Captured.OUT else (0, 0)
        on_board = position.x.bit_count(), position.o.bit_count()
        assert not position.x & position.o
        for side in Side:
            assert min(on_board[side], position.supplies[side]) >= 0
            assert on_board[side] + position.supplies[side] + out[side] == game.board.tokens
