"""The dice of games in kernels."""

from collections import Counter

import numpy as np

from dicecup.core.dice import FIRST_ROLL, KEEPS, keep
from dicecup.engine.yamm.evaluation.dice_kernel import bits_of, throw


def test_a_throw_follows_from_seed_game_turn_and_number_alone() -> None:
    places = [(seed, game, turn, number) for seed in (1, 2) for game in (0, 1, 10**9) for turn in (0, 98) for number in (0, 2)]
    assert len({bits_of(*place) for place in places}) == len(places)
    assert [bits_of(*place) for place in places] == [bits_of(*place) for place in places]


def test_thrown_dice_take_the_first_faces_of_the_throw() -> None:
    kept = keep("336")
    for game in range(50):
        bits = np.uint64(bits_of(1, game, 0, 1))
        fewer, all_five = KEEPS[throw(bits, kept.index, 3)], KEEPS[throw(bits, 0, 0)]
        assert fewer.count == 5
        assert kept in fewer
        others = list(fewer.faces)
        for face in kept.faces:
            others.remove(face)
        assert all(others.count(face) <= all_five.faces.count(face) for face in others)


def test_every_roll_has_its_probability() -> None:
    games = 200_000
    found = Counter(throw(np.uint64(bits_of(3, game, game % 99, 0)), 0, 0) for game in range(games))
    squares = sum(
        (found[at] - games * KEEPS[at].weight / 7776) ** 2 / (games * KEEPS[at].weight / 7776) for at in range(FIRST_ROLL, 462)
    )
    assert 160 < squares < 360  # χ² with 251 degrees of freedom, four standard deviations
