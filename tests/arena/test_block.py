import pickle
from array import array

import pytest

from dicecup.arena.block import GameBlock, Series, columns_of, merged

TWO = Series("yam-master", ("greedy", "random"), "s", 100, exchanged=True)
THREE = Series("yamm(players=3)", ("a", "b", "c"), "s", 100, exchanged=True)
ALONE = Series("yamm(players=1)", ("greedy",), "s", 99)


def test_seats_are_exchanged_on_equal_dice() -> None:
    assert [TWO.seated(number) for number in range(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [TWO.dice_seed(number) for number in range(4)] == ["s 0", "s 0", "s 1", "s 1"]


def test_each_player_has_each_seat_once() -> None:
    seated = [THREE.seated(number) for number in range(3)]
    assert all({game[seat] for game in seated} == {0, 1, 2} for seat in range(3))
    assert all(sorted(game) == [0, 1, 2] for game in seated)
    assert len({THREE.dice_seed(number) for number in range(3)}) == 1


def test_games_without_exchange_have_their_own_dice() -> None:
    assert len({ALONE.dice_seed(number) for number in range(50)}) == 50
    assert ALONE.seated(7) == (0,)


def test_seeds_of_players_differ_from_those_of_dice() -> None:
    """They belong to the player, not to the seat, and differ from each other."""
    seeds = [TWO.player_seed(number, player) for number in range(4) for player in range(2)]
    assert len(set(seeds)) == 4
    assert seeds[:2] == seeds[2:4]
    assert not set(seeds) & {TWO.dice_seed(number) for number in range(4)}


def test_a_series_and_a_block_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(TWO)) == TWO  # noqa: S301
    block = GameBlock(3, 1, {"total": array("q", [5])}, 0.1)
    assert pickle.loads(pickle.dumps(block)) == block  # noqa: S301


def test_columns_keep_whole_numbers_whole() -> None:
    columns = columns_of([{"turns": 1, "score": 0.5}, {"turns": 2, "score": 1.0}])
    assert columns == {"turns": array("q", [1, 2]), "score": array("d", [0.5, 1.0])}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_blocks_are_merged_by_number(order: tuple[int, ...]) -> None:
    blocks = [GameBlock(first, 2, {"number": array("q", [first, first + 1])}, 1.0) for first in (0, 2, 4)]
    assert merged(blocks[at] for at in order) == {"number": array("q", range(6))}
    assert blocks[0].columns["number"] == array("q", [0, 1])
