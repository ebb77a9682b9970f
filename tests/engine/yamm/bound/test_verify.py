"""The bound: never below a known optimum, equal to a slow twin, no altered certificate accepted."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.dice import FIRST_ROLL, KEEPS, NO_DICE, ROLLS
from dicecup.engine import tables_file
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.yamm.bound import certificate as certificates
from dicecup.engine.yamm.bound.certificate import PAIR_KEEP, PAIR_ROLL, BoundCode, BoundError, Certificate, flat, load, save
from dicecup.engine.yamm.bound.parts import part, space
from dicecup.engine.yamm.bound.verify import bound, proved_by, verify
from dicecup.yamm.rows import ROWS, UPPER, VALUES, Row
from dicecup.yamm.score import bonus

PRICES = ("first", "second", "pairs", "by_roll", "by_keep")
SMALL: Mapping[str, tuple[dict[str, int], dict[str, int]]] = {
    "d1": ({"d": 1}, {"d": 1}),
    "u1": ({"u": 1}, {"u": 1}),
    "d1,d2": ({"d": 2}, {"d": 2}),
    "d1,u1": ({"d": 1, "u": 1}, {"d": 1, "u": 1}),
    "d1,d2 ": ({"d": 2}, {"d+d": 1}),
}
"""Sheets with a known optimum, and their blocks."""


@cache
def optimum(columns: str) -> float:
    return solver.solve(yamm_sheet(columns.strip())).value


def certificate(
    columns: dict[str, int], blocks: dict[str, int], seed: int, spread: float = 10.0, kinds: int = 3
) -> Certificate:
    """Return random prices around plausible ones."""
    generator = np.random.default_rng(seed)
    last = 11 * sum(columns.values()) - 1
    found = flat(columns, blocks, [0, 4, last], generator.integers(0, kinds, FIRST_ROLL).tolist())
    return replace(
        found, **{name: getattr(found, name) + generator.normal(0.0, spread, getattr(found, name).shape) for name in PRICES}
    )


@pytest.mark.slow
@settings(max_examples=10)
@given(st.sampled_from(sorted(SMALL)[:4]), st.integers(0, 2**32), st.sampled_from([0.0, 1.0, 10.0, 300.0]))
def test_no_prices_prove_less_than_the_optimum(name: str, seed: int, spread: float) -> None:
    assert bound(certificate(*SMALL[name], seed, spread)) >= optimum(name)


def test_one_block_that_is_paid_to_write_has_the_optimum() -> None:
    """Only first-throw Yamms are relaxed here, so a bound that is too low would show."""
    columns, blocks = SMALL["d1,d2 "]
    paid = flat(columns, blocks, [0, 21], [0] * FIRST_ROLL)
    paid = replace(paid, **{name: np.full_like(getattr(paid, name), -500.0 * (name in PRICES[:3])) for name in PRICES})
    assert optimum("d1,d2") <= bound(paid) <= optimum("d1,d2") + 22 * 100 * 6 / 7776


# --- A twin ---


def slow_bound(one: Certificate) -> float:
    """Return the bound of one downward column from the formula, for every state and every throw."""
    ways = {
        kept: [(rolled.index - FIRST_ROLL, weight / 6 ** (5 - kept.count)) for rolled, weight in kept.outcomes]
        for kept in KEEPS[:FIRST_ROLL]
    }
    yamm = np.array([100.0 * (max(rolled.counts) == 5) for rolled in ROLLS])

    def turn(at: int, gains: np.ndarray[Any, Any] | None) -> float:
        prices = one.at(at)
        sign, floor, gain = (1.0, -np.inf, np.zeros(252)) if gains is None else (-1.0, 0.0, gains)
        before_last = np.maximum(gain[PAIR_ROLL] + sign * prices.third, floor)
        keeps = np.empty(FIRST_ROLL)
        for kind in range(len(prices.third)):
            last = {}
            for kept, following in ways.items():
                chances = np.array([chance for _, chance in following])
                last[kept] = float(chances @ before_last[kind, np.equal(PAIR_KEEP, kept.index)])
            second = [
                max(gain[at] + sign * prices.second[kind, at], floor, *(last[kept] for kept in rolled.keeps))
                for at, rolled in enumerate(ROLLS)
            ]
            for kept, following in ways.items():
                if one.classes[kept.index] == kind:
                    keeps[kept.index] = sum(chance * second[roll] for roll, chance in following)
        ended = gain + sign * prices.first + (yamm if gains is None else 0.0)
        first = [max(ended[at], floor, *(keeps[kept.index] for kept in rolled.keeps)) for at, rolled in enumerate(ROLLS)]
        return float(sum(chance * first[roll] for roll, chance in ways[NO_DICE]))

    @cache
    def value(at: int, written: int, upper: int, high: int) -> float:
        if at == one.turns or written == len(ROWS):
            return 0.0
        passed = value(at + 1, written, upper, high)
        gains = np.array([_gain(at, written, upper, high, roll) for roll in range(252)]) - passed
        return passed + turn(at, gains)

    def _gain(at: int, written: int, upper: int, high: int, roll: int) -> float:
        row = ROWS[written]
        points = VALUES[row][roll]
        if row in UPPER:
            total = upper + points
            last = row is UPPER[-1]
            return points + bonus(total) * last + value(at + 1, written + 1, 0 if last else total, high)
        if row is Row.HIGH:
            return points + value(at + 1, written + 1, upper, points)
        if row is Row.LOW and points >= high:
            points = -high
        return points + value(at + 1, written + 1, upper, 0)

    return sum(turn(at, None) for at in range(one.turns)) + value(0, 0, 0, 0)


@pytest.mark.slow
def test_the_bound_equals_a_slow_twin() -> None:
    one = certificate({"d": 1}, {"d": 1}, seed=7, kinds=2)
    assert bound(one) == pytest.approx(slow_bound(one), abs=1e-6)
    assert bound(one) >= slow_bound(one)


def test_the_states_are_those_of_the_solver() -> None:
    for kind, nodes in {"d": 143, "u": 190, "upper": 1989, "lower": 432, "pair": 54, "rest": 8}.items():
        assert len(part(kind).nodes) == nodes
    assert sum(len(group.states) for group in space(["d", "u"]).groups) == 143 * 190 - 1
    with pytest.raises(EngineError) as refused:
        space(["upper", "upper", "upper"])
    assert refused.value.code is EngineCode.TOO_MANY_STATES


# --- Certificates ---


@pytest.fixture
def small() -> Certificate:
    return proved_by(certificate({"d": 1}, {"d": 1}, seed=1))


def test_a_certificate_is_read_as_it_was_written(small: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "a.bound"
    save(path, small)
    found = load(path, {"d": 1})
    assert verify(found) == small.claimed
    with pytest.raises(BoundError) as refused:
        load(path)
    assert refused.value.code is BoundCode.NOT_THE_BLOCKS


def test_a_changed_byte_is_noticed(small: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "a.bound"
    save(path, small)
    content = bytearray(path.read_bytes())
    for at in range(100, len(content), len(content) // 50):
        changed = bytearray(content)
        changed[at] ^= 1
        path.write_bytes(changed)
        with pytest.raises(TablesError) as refused:
            load(path, {"d": 1})
        assert refused.value.code is TablesCode.TABLES_DAMAGED


def test_a_claim_that_is_not_proved_is_refused(small: Certificate) -> None:
    assert verify(replace(small, claimed=small.claimed + 1.0)) == small.claimed
    for claimed in (float(np.nextafter(small.claimed, 0.0)), 123.6, float("-inf"), float("nan")):
        with pytest.raises(BoundError) as refused:
            verify(replace(small, claimed=claimed))
        assert refused.value.code is BoundCode.NOT_PROVED


@pytest.mark.parametrize("name", PRICES)
def test_changed_prices_do_not_prove_the_claim(small: Certificate, name: str) -> None:
    """The file has a correct hash, but a price that matters was changed."""
    dearer = getattr(small, name).copy()
    dearer[0] += 50.0
    with pytest.raises(BoundError) as refused:
        verify(replace(small, **{name: dearer}))
    assert refused.value.code is BoundCode.NOT_PROVED


@pytest.mark.parametrize(
    "blocks", [{}, {"d": 2}, {"d": 0}, {"u": 1}, {"d+d": 1}, {"d": 1, "rest": 1}, {"x": 1}, {"": 1}, {"d": -1}, {"d+": 1}]
)
def test_blocks_that_are_not_the_sheet_are_refused(small: Certificate, blocks: dict[str, int]) -> None:
    with pytest.raises(BoundError) as refused:
        verify(replace(small, blocks=blocks))
    assert refused.value.code is BoundCode.NOT_THE_BLOCKS


@pytest.mark.parametrize("name", certificates.ARRAYS)
def test_malformed_prices_are_refused(small: Certificate, name: str) -> None:
    array = getattr(small, name)
    wrong = (
        [array[:-1], array[None], np.full_like(array, -1)]
        if array.dtype.kind == "i"
        else [array[:-1], np.full_like(array, np.nan)]
    )
    for found in [*wrong, array + 0.5 if array.dtype.kind == "i" else array[None]]:
        with pytest.raises(BoundError) as refused:
            verify(replace(small, **{name: found}))
        assert refused.value.code is BoundCode.NOT_PRICES


def test_a_file_with_other_things_in_it_is_refused(small: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "a.bound"
    header = {"columns": {"d": 1}, "blocks": {"d": 1}, "claimed": 200.0}
    arrays = {name: getattr(small, name) for name in certificates.ARRAYS}
    for missing in header:
        tables_file.save(path, certificates.KIND, arrays, {name: value for name, value in header.items() if name != missing})
        with pytest.raises(TablesError) as refused:
            load(path, {"d": 1})
        assert refused.value.code is TablesCode.TABLES_FOREIGN
    for name, value in {"columns": [1], "blocks": {"d": "x"}, "claimed": None}.items():
        tables_file.save(path, certificates.KIND, arrays, {**header, name: value})
        with pytest.raises(TablesError) as refused:
            load(path, {"d": 1})
        assert refused.value.code is TablesCode.TABLES_FOREIGN


def test_the_shipped_certificate_has_the_documented_claim() -> None:
    shipped = load(certificates.SHIPPED)
    assert 2779.0 < shipped.claimed <= 3124.5
