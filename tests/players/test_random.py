"""The random player of Yamm: its keeps, its cells, and the same play in batches."""

from collections import Counter

import pytest

from dicecup.arena.block import Series
from dicecup.arena.games import by_turns, kernel_simulator
from dicecup.core.turn import THROWS
from dicecup.players.random import RandomPlayer
from dicecup.yamm import KeepDice, Write, Yamm

SEEDS = range(3000)


def choices(position_id: str, game: str = "yamm(players=1)") -> Counter[str]:
    position = Yamm.from_id(game).start().roll(position_id)
    found = Counter(str(RandomPlayer(str(seed)).choose(position)) for seed in SEEDS)
    assert all(action in map(str, position.actions) for action in found)
    return found


def test_each_die_is_kept_with_probability_one_half() -> None:
    found = choices("11123")
    share = len(SEEDS) / 32
    assert found["k-"] == pytest.approx(share, abs=5 * share**0.5)
    assert found["k11"] == pytest.approx(3 * share, abs=5 * (3 * share) ** 0.5)
    assert sum(count for action, count in found.items() if not action.startswith("k")) == pytest.approx(
        share, abs=5 * share**0.5
    )


def test_locked_dice_are_kept() -> None:
    position = Yamm.from_id("yamm(players=1,kept_dice=locked)").start().roll("11123").play("k11").roll("11456")
    for seed in range(100):
        action = RandomPlayer(str(seed)).choose(position)
        assert action in position.actions
        assert isinstance(action, Write) or (isinstance(action, KeepDice) and str(action).startswith("k11"))


def test_after_the_third_throw_every_cell_is_equally_likely() -> None:
    position = Yamm.from_id("yamm(players=1)").start().roll("11123").play("k-").roll("11123").play("k-").roll("11123")
    assert position.turn is not None
    assert position.turn.throws == THROWS
    found = Counter(str(RandomPlayer(str(seed)).choose(position)) for seed in SEEDS)
    assert set(found) == {str(action) for action in position.actions}
    share = len(SEEDS) / len(found)
    assert all(abs(count - share) < 5 * share**0.5 for count in found.values())


@pytest.mark.slow
def test_batches_have_the_same_mean_total() -> None:
    setup = Series("yamm(players=1)", ("random",), "1", 99)
    many = kernel_simulator(setup)
    assert many is not None
    one, other = many(0, 4096)["total"], by_turns(setup)(0, 60)["total"]
    sd = (sum((value - 331.9) ** 2 for value in one) / len(one)) ** 0.5
    # FIGURES: random, 331.9 ± 0.9
    assert abs(sum(one) / len(one) - 331.9) < 4 * sd / len(one) ** 0.5 + 0.9
    assert abs(sum(other) / len(other) - 331.9) < 4 * sd / len(other) ** 0.5
