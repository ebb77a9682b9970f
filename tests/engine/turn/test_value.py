"""The exact turn: the readable twin and the kernels against every order of five dice."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from operator import floordiv
from typing import Any, Final, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dicecup.core.dice import KEEPS, ROLLS, Dice, Keep, from_faces, keep, roll
from dicecup.core.turn import KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn import batch, value
from dicecup.engine.turn.value import EXACT, TurnValues

Numbers: TypeAlias = NDArray[np.float64]
Solve: TypeAlias = Callable[[Numbers, Numbers | None, KeptDice], TurnValues]
Solver: TypeAlias = tuple[Solve, float]
"""A way to solve a turn, and how exact it is."""

POSITIONS: Final = range(5)
ORDERS: Final = list(product(range(1, 7), repeat=5))
ROLL_OF_ORDER: Final = np.array([ROLLS.index(from_faces(order)) for order in ORDERS]).reshape((6,) * 5)


def subsets(positions: Sequence[int]) -> list[tuple[int, ...]]:
    """Every set of at least one of these positions."""
    return [chosen for count in range(1, len(positions) + 1) for chosen in combinations(positions, count)]


class Ordered:
    """A turn over all 6⁵ orders of five dice, written from RULES without the lattice."""

    def __init__(self, end2: Numbers, end3: Numbers, kept_dice: KeptDice) -> None:
        end2, end3 = end2[ROLL_OF_ORDER], end3[ROLL_OF_ORDER]
        self.second = {thrown: end3.mean(axis=thrown, keepdims=True) for thrown in subsets(POSITIONS)}
        self.first: dict[tuple[int, ...], Numbers] = {}
        for thrown in subsets(POSITIONS):
            again = thrown if kept_dice is KeptDice.LOCKED else POSITIONS
            after_second = end2.copy()
            for thrown_again in subsets(again):
                after_second = np.maximum(after_second, self.second[thrown_again])
            self.first[thrown] = after_second.mean(axis=thrown, keepdims=True)

    def keep_value(self, throws: int, kept: Dice) -> float:
        thrown = tuple(range(kept.count, 5))
        values = (self.first, self.second)[throws - 1][thrown]
        return float(values[tuple(face - 1 for face in kept.faces) + (0,) * len(thrown)])


def ordered_value(end1: Numbers, branches: list[Ordered]) -> float:
    best = end1[ROLL_OF_ORDER]
    for branch in branches:
        for values in branch.first.values():
            best = np.maximum(best, values)
    return float(best.mean())


def by_twin(ends: Numbers, defi: Numbers | None, kept_dice: KeptDice) -> TurnValues:
    return value.turn_values(ends.tolist(), None if defi is None else defi.tolist(), kept_dice=kept_dice)


def by_kernel(ends: Numbers, defi: Numbers | None, kept_dice: KeptDice) -> TurnValues:
    return batch.turn_values(ends, defi, kept_dice=kept_dice)


def by_batch(dtype: type[np.floating[Any]], turns: int) -> Solve:
    """The turn as the last of several in a batch."""

    def solve(ends: Numbers, defi: Numbers | None, kept_dice: KeptDice) -> TurnValues:
        stages = ends if defi is None else np.concatenate((ends, defi))
        many = np.zeros((*stages.shape, turns), dtype)
        many[:, :, -1] = stages
        values, keeps = batch.expectations_and_keeps(many, kept_dice=kept_dice)
        assert values.dtype == keeps.dtype == dtype
        assert (batch.expectations(many, kept_dice=kept_dice) == values).all()
        last = keeps[:, :, -1]
        return TurnValues(values[-1], ends, last[:2], defi, None if defi is None else last[2:])

    return solve


SOLVERS: Final[dict[str, Solver]] = {
    "twin": (by_twin, 1e-12),
    "kernel": (by_kernel, 1e-12),
    "batch of one": (by_batch(np.float64, 1), 1e-12),
    "whole rows": (by_batch(np.float64, 16), 1e-12),
    "rows and a rest": (by_batch(np.float64, 21), 1e-12),
    "single precision": (by_batch(np.float32, 37), 2e-6),
}


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> Solver:
    return SOLVERS[request.param]


@pytest.mark.parametrize("kept_dice", KeptDice)
@pytest.mark.parametrize("with_defi", [False, True])
class TestTurn:
    def values(self, seed: int, *, with_defi: bool) -> tuple[Numbers, Numbers | None]:
        """Ends of all kinds; some of the early ones are not allowed."""
        random = np.random.default_rng(seed)
        ends = random.normal(size=(3, 252))
        defi = random.normal(size=(2, 252)) if with_defi else None
        for early in (ends[:2], *(() if defi is None else (defi[:1],))):
            early[random.random(early.shape) < 0.3] = -np.inf
        return ends, defi

    @pytest.mark.parametrize("seed", range(3))
    def test_equals_every_order_of_dice(self, solver: Solver, kept_dice: KeptDice, with_defi: bool, seed: int) -> None:
        solve, tolerance = solver
        ends, defi = self.values(seed, with_defi=with_defi)
        solved = solve(ends, defi, kept_dice)
        plain = Ordered(ends[1], ends[2], kept_dice)
        branches = [plain]
        for throws in (1, 2):
            for kept in KEEPS[:210]:
                assert solved.keep_value(throws, kept) == pytest.approx(plain.keep_value(throws, kept), abs=tolerance)
        if defi is not None:
            declared = Ordered(defi[0], defi[1], kept_dice)
            branches.append(declared)
            for throws in (1, 2):
                for kept in KEEPS[:210]:
                    expected = declared.keep_value(throws, kept)
                    assert solved.keep_value(throws, kept, declared=True) == pytest.approx(expected, abs=tolerance)
        assert solved.value == pytest.approx(ordered_value(ends[0], branches), abs=tolerance)

    def test_best_choices_have_the_value_of_the_turn(self, solver: Solver, kept_dice: KeptDice, with_defi: bool) -> None:
        """The best choices after every throw yield the value of the turn, also with locked dice."""
        solve, tolerance = solver
        ends, defi = self.values(7, with_defi=with_defi)
        solved = solve(ends, defi, kept_dice)

        kept_values: dict[tuple[Keep, bool], float] = {}
        for shown in ROLLS:
            choice = solved.best(1, shown)
            if choice.keep is None:
                continue
            key = (choice.keep, choice.declare)
            if key not in kept_values:
                locked = choice.keep if kept_dice is KeptDice.LOCKED else keep("-")
                total = 0.0
                for landed, weight in choice.keep.outcomes:
                    best = solved.best(2, landed, locked=locked, declared=choice.declare)
                    total += weight * best.value
                kept_values[key] = total / 6 ** (5 - choice.keep.count)
            assert choice.value == pytest.approx(kept_values[key], abs=10 * tolerance)
        first = sum(shown.weight * solved.best(1, shown).value for shown in ROLLS) / 7776
        assert first == pytest.approx(solved.value, abs=10 * tolerance)

    def test_is_a_fixed_number_when_all_ends_are_equal(self, solver: Solver, kept_dice: KeptDice, with_defi: bool) -> None:
        solve, tolerance = solver
        defi = np.full((2, 252), 3.0) if with_defi else None
        assert solve(np.full((3, 252), 3.0), defi, kept_dice).value == pytest.approx(3.0, rel=tolerance)


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    scale=st.sampled_from([1e-6, 1.0, 1e4]),
    kept_dice=st.sampled_from(KeptDice),
    with_defi=st.booleans(),
)
def test_kernel_and_twin_agree(seed: int, scale: float, kept_dice: KeptDice, with_defi: bool) -> None:
    random = np.random.default_rng(seed)
    ends = random.normal(scale=scale, size=(3, 252))
    defi = random.normal(scale=scale, size=(2, 252)) if with_defi else None
    solved, twin = by_kernel(ends, defi, kept_dice), by_twin(ends, defi, kept_dice)
    assert solved.value == pytest.approx(twin.value, abs=1e-12 * scale)
    np.testing.assert_allclose(np.array(solved.keeps), np.array(twin.keeps), atol=1e-12 * scale)
    if with_defi:
        np.testing.assert_allclose(np.array(solved.defi_keeps), np.array(twin.defi_keeps), atol=1e-12 * scale)


def test_twin_is_exact_with_integers() -> None:
    yam = [EXACT * (max(shown.counts) == 5) for shown in ROLLS]
    solved = value.turn_values((yam, yam, yam), divide=floordiv)
    assert Fraction(solved.value, EXACT) == Fraction(347897, 7558272)
    assert Fraction(solved.keep_value(1, keep("111")), EXACT) == Fraction(11**2, 36**2)


def test_batch_does_not_depend_on_its_neighbours() -> None:
    random = np.random.default_rng(5)
    stages = random.normal(size=(5, 252, 100))
    together = batch.expectations(stages)
    order = random.permutation(100)
    assert (batch.expectations(stages[:, :, order]) == together[order]).all()
    assert (batch.expectations(stages[:, :, 40:59]) == together[40:59]).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("stage", [2, 4])
def test_last_throw_must_be_finite(bad: float, stage: int) -> None:
    stages = np.zeros((5, 252, 20))
    stages[stage, 17, 19] = bad
    for refused in (
        lambda: batch.expectations(stages),
        lambda: batch.turn_values(stages[:3, :, 19], stages[3:, :, 19]),
    ):
        with pytest.raises(EngineError) as error:
            refused()
        assert error.value.code is EngineCode.NOT_FINITE


@pytest.mark.parametrize("stage", [0, 1])
def test_infinite_gain_is_refused(stage: int) -> None:
    ends = np.zeros((3, 252))
    ends[stage, 3] = np.inf
    with pytest.raises(EngineError):
        batch.turn_values(ends)


@pytest.mark.parametrize("shape", [(3, 252), (4, 252, 2), (3, 251, 2)])
def test_wrong_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(EngineError) as error:
        batch.expectations(np.zeros(shape))
    assert error.value.code is EngineCode.NOT_A_SHAPE
    with pytest.raises(EngineError):
        batch.turn_values(np.zeros((2, 252)))
    with pytest.raises(EngineError):
        batch.expectations(np.zeros((3, 252, 2), dtype=np.int64))


def test_choices_are_in_the_pinned_order() -> None:
    ends = np.zeros((3, 252))
    solved = batch.turn_values(ends, np.zeros((2, 252)))
    shown = roll("11122")
    found = [("!" if choice.declare else "") + str(choice.keep) for choice in solved.choices(1, shown)]
    plain = [str(kept) for kept in shown.keeps]
    assert found == ["None", *plain, *("!" + text for text in plain)]
    assert [str(choice.keep) for choice in solved.choices(2, shown, locked=keep("112"))] == ["None", "112", "1112", "1122"]
    assert [choice.keep for choice in solved.choices(3, shown)] == [None]


def test_the_twin_needs_no_numpy() -> None:
    code = "import sys, dicecup.engine.turn; assert not {'numpy', 'numba'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_values_may_lie_apart_in_memory() -> None:
    apart = np.random.default_rng(3).random((5, 252, 2))[:, :, 0]
    solved, copied = (batch.turn_values(ends[:3], ends[3:]) for ends in (apart, apart.copy()))
    assert solved.value == copied.value
    assert np.asarray(solved.keeps).tolist() == np.asarray(copied.keeps).tolist()
