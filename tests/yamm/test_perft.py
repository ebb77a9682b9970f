"""The number of turns, counted through positions with distinct rolls and every keep."""

from collections import Counter

import pytest

from dicecup.yamm import KeepDice, Position, Yamm


def throws(count: Counter[Position]) -> Counter[Position]:
    """Return the positions after every roll, with the number of ways to reach them."""
    after: Counter[Position] = Counter()
    for position, paths in count.items():
        for roll, _ in position.chances:
            after[position.roll(roll)] += paths
    return after


def keeps(count: Counter[Position]) -> Counter[Position]:
    """Return the positions after every keep, with the number of ways to reach them."""
    after: Counter[Position] = Counter()
    for position, paths in count.items():
        for action in position.actions:
            if isinstance(action, KeepDice):
                after[position.play(action)] += paths
    return after


def test_a_turn_has_its_counted_paths() -> None:
    first = throws(Counter([Yamm().start()]))
    kept = keeps(first)
    second = throws(kept)
    third = sum(paths * len(position.chances) for position, paths in keeps(second).items())
    assert (first.total(), kept.total(), second.total(), third) == (252, 4116, 253_848, 271_704_300)


@pytest.mark.parametrize("players", [1, 3])
def test_the_first_turn_has_39_open_cells(players: int) -> None:
    start = Yamm.from_id(f"yamm(players={players})").start()
    assert (len(start.actions), len(start.chances)) == (0, 252)
    assert len(start.roll("11346").actions) == 23 + 39
