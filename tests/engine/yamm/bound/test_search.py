"""The search for prices: its slopes, its bound, and better prices."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.turn.faces import Faces
from dicecup.engine.yamm.bound.blocks import block
from dicecup.engine.yamm.bound.certificate import Certificate, flat
from dicecup.engine.yamm.bound.search import Slopes, evaluate, moved, scales, tighten
from dicecup.engine.yamm.bound.verify import bound
from tests.sweep import sweep


def begin(columns: dict[str, int], blocks: dict[str, int], kinds: int = 2) -> Certificate:
    return flat(columns, blocks, [0, 11, 11 * sum(columns.values()) - 1], [at % kinds for at in range(FIRST_ROLL)])


@pytest.mark.slow
def test_the_bound_is_that_of_the_verification() -> None:
    for blocks in ({"d": 1, "u": 1}, {"d+u": 1}):
        found = begin({"d": 1, "u": 1}, blocks)
        evaluated = evaluate(found, [block(*each) for each in blocks.items()], Faces(1), 1)
        assert evaluated.bound == pytest.approx(bound(found), abs=2e-3)


@cache
def prices_without_ties() -> tuple[Certificate, Slopes]:
    """Return random prices of two downward columns, and the slopes there on all scales."""
    start = begin({"d": 2}, {"d": 2})
    generator = np.random.default_rng(3)
    names = ("first", "second", "pairs", "by_roll", "by_keep")
    start = replace(
        start, **{name: getattr(start, name) + generator.normal(0.0, 3.0, getattr(start, name).shape) for name in names}
    )
    return start, scales(evaluate(start, [block("d", 2)], Faces(1), 4096).slopes)


@pytest.mark.slow
@sweep("scale", ["roll", "roll second", "keep", "class", "first", "second", "pairs", "by_roll", "by_keep"])
def test_slopes_equal_differences_of_the_bound(scale: str) -> None:
    """Along a direction the bound changes as the slopes say, at prices without ties."""
    start, slopes = prices_without_ties()
    direction = np.random.default_rng(2).random(slopes[scale].shape)
    moves = {name: np.zeros_like(slope) for name, slope in slopes.items()}
    further, back = (bound(moved(start, {**moves, scale: step * direction})) for step in (0.02, -0.02))
    expected = float((slopes[scale] * direction).sum())
    assert (further - back) / 0.04 == pytest.approx(expected, rel=0.05, abs=0.1)


@pytest.mark.slow
def test_a_search_tightens_the_bound_above_the_optimum() -> None:
    start = begin({"d": 2}, {"d": 2}, kinds=1)
    reports: list[tuple[float, float]] = []
    after = tighten(start, 2.0, 1, lambda part, best: reports.append((part, best)))
    assert solver.solve(yamm_sheet("d1,d2")).value < bound(after) < bound(start)
    assert reports[-1][0] == 1.0
    assert reports[-1][1] == pytest.approx(bound(after), abs=2e-3)


def test_a_search_without_time_keeps_the_prices() -> None:
    start = begin({"d": 1}, {"d": 1})
    assert tighten(start, 0.0, 1, lambda _part, _best: None) is start


@pytest.mark.slow
def test_equal_columns_of_a_block_are_solved_once() -> None:
    start = replace(begin({"d": 2}, {"d+d": 1}), blocks={"d+d": 1})
    evaluated = evaluate(start, [block("d+d", 1)], Faces(1), 1)
    assert evaluated.bound == pytest.approx(bound(start), abs=2e-3)
