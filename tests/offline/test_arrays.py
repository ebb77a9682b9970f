"""The arrays of the page do what NumPy does."""

import math
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.offline import arrays

KINDS = ("bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float32", "float64")
WHOLE = st.integers(0, 100)
SHAPES = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)


def same(one: Any, other: Any) -> None:
    """Compare an array of the page, or a number, with that of NumPy."""
    if isinstance(one, arrays.ndarray):
        assert (one.dtype.name, one.shape) == (other.dtype.name, other.shape)
        assert one.tobytes() == other.tobytes()
        assert repr(one.tolist()) == repr(other.tolist())
    else:
        assert float(one) == float(other) or math.isnan(one)


def kind_of(value: Any) -> Any:
    return np.dtype(value).type


@st.composite
def pairs(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS, shapes: st.SearchStrategy[Any] = SHAPES) -> tuple[Any, Any]:
    """Draw the same array twice, perhaps a view with steps: of the page, and of NumPy."""
    kind, shape = draw(st.sampled_from(kinds)), draw(shapes)
    count = math.prod(shape)
    values = draw(st.lists(WHOLE.map(lambda number: number / 8) if "float" in kind else WHOLE, min_size=count, max_size=count))
    one = arrays.array_of(values, arrays.dtype(kind), shape)
    other = np.array(values, kind).reshape(shape)
    same(one, other)
    for _ in range(draw(st.integers(0, 2))):
        index = draw(st.tuples(*(slices(size) for size in one.shape)))
        one, other = one[index], other[index]
        if draw(st.booleans()):
            one, other = one.T, other.T
    return one, other


def slices(size: int) -> st.SearchStrategy[slice]:
    ends = st.none() | st.integers(-size - 1, size + 1)
    return st.builds(slice, ends, ends, st.sampled_from((None, 1, 2, -1, -2)))


@given(pairs())
def test_views_have_the_elements_of_numpy(pair: tuple[Any, Any]) -> None:
    one, other = pair
    same(one, other)
    assert (one.ndim, one.size, one.nbytes, len(one)) == (other.ndim, other.size, other.nbytes, len(other))
    same(one.copy(), other.copy())
    same(one.reshape(-1), other.reshape(-1))
    same(arrays.ascontiguousarray(one), np.ascontiguousarray(other))
    assert one.contiguous == other.flags.c_contiguous
    assert (one.all(), one.any()) == (other.all(), other.any())
    for part, wanted in zip(one, other, strict=True):
        same(part, wanted)
    if one.size:
        assert one.strides == other.strides or any(size == 1 for size in one.shape)
    if one.size and one.ndim == 1:
        assert (one.max(), one.min()) == (other.max(), other.min())


@given(pairs(), st.data())
def test_elements_are_chosen_and_written_as_in_numpy(pair: tuple[Any, Any], data: st.DataObject) -> None:
    one, other = pair
    size = len(one)
    if not one.size:
        return
    at = data.draw(st.integers(-size, size - 1))
    same(one[at], other[at])
    places = data.draw(st.lists(st.integers(-size, size - 1), min_size=1, max_size=5))
    same(one[arrays.array(places)], other[np.array(places)])
    nested = [places, places[::-1]]
    same(one[arrays.array(nested)], other[np.array(nested)])
    chosen = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    same(one[arrays.array(chosen)], other[np.array(chosen)])
    if one.ndim > 1:
        columns = data.draw(st.lists(st.integers(0, one.shape[1] - 1), min_size=len(places), max_size=len(places)))
        same(one[arrays.array(places), arrays.array(columns)], other[np.array(places), np.array(columns)])
        same(one[at, None], other[at, None])
        one[arrays.array(places[:1]), arrays.array(columns[:1])] = 1
        other[np.array(places[:1]), np.array(columns[:1])] = 1
    index = data.draw(slices(size))
    one[index] = 1
    other[index] = 1
    one[at] = one[0].copy() if one.ndim > 1 else one[0]
    other[at] = other[0].copy() if other.ndim > 1 else other[0]
    one[arrays.array(chosen)] = 0
    other[np.array(chosen)] = 0
    same(one, other)


OPERATORS: tuple[Callable[[Any, Any], Any], ...] = (
    operator.add,
    operator.sub,
    operator.mul,
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["int64", "float32", "float64"])
@given(data=st.data())
def test_operators_round_as_those_of_numpy(kind: str, data: st.DataObject) -> None:
    one, other = data.draw(pairs((kind,)))
    number: Any = data.draw(WHOLE if kind == "int64" else WHOLE.map(lambda value: value / 7))
    for work in (*OPERATORS, operator.truediv):
        if work is not operator.truediv or number:
            same(work(one, number), work(other, number))
        if work is not operator.truediv:
            same(work(number, one), work(number, other))
            same(work(one, one.copy()), work(other, other.copy()))
    same(-one, -other)
    same(one.astype("float64") + one, other.astype("float64") + other)
    same(arrays.isfinite(one), np.isfinite(other))
    one += number
    other += number
    same(one, other)


@given(pairs(("int64",)), st.integers(0, 9))
def test_bits_of_whole_numbers(pair: tuple[Any, Any], by: int) -> None:
    one, other = pair
    for work in (operator.and_, operator.or_, operator.rshift):
        same(work(one, by), work(other, by))
    same(~one, ~other)
    same(~(one > by), ~(other > by))
    same((one > by) & (one > 1), (other > by) & (other > 1))
    assert one.sum() == other.sum()


@given(st.floats(width=32, allow_nan=False), st.floats(width=32, allow_nan=False), st.integers(-9, 9))
def test_numbers_in_single_precision(one: float, other: float, whole: int) -> None:
    for work in (operator.add, operator.sub, operator.mul):
        with np.errstate(all="ignore"):
            same(work(arrays.float32(one), arrays.float32(other)), work(np.float32(one), np.float32(other)))
            same(work(arrays.float32(one), whole), work(np.float32(one), whole))
            same(work(whole, arrays.float32(one)), work(whole, np.float32(one)))
    same(-arrays.float32(one), -np.float32(one))


@given(pairs(("int64", "int16"), st.tuples(st.integers(1, 12))))
def test_functions_of_whole_numbers(pair: tuple[Any, Any]) -> None:
    one, other = pair
    same(arrays.cumsum(one, dtype=arrays.int64), np.cumsum(other, dtype=np.int64))
    same(arrays.bincount(one, minlength=3), np.bincount(other, minlength=3))
    same(arrays.repeat(arrays.arange(len(one)), one), np.repeat(np.arange(len(other)), other))
    same(arrays.argsort(one > 5, kind="stable"), np.argsort(other > 5, kind="stable"))
    same(arrays.unique(one), np.unique(other))
    for mine, wanted in zip(arrays.unique(one, return_inverse=True), np.unique(other, return_inverse=True), strict=True):
        same(mine, wanted)
    same(arrays.concatenate([one, one]), np.concatenate([other, other]))


@given(pairs(("int64",), st.tuples(st.integers(1, 5), st.integers(1, 3))))
def test_different_rows(pair: tuple[Any, Any]) -> None:
    same(arrays.unique(pair[0], axis=0), np.unique(pair[1], axis=0))


@pytest.mark.parametrize(
    "values",
    [[], [1, 2], [1.5, 2], [True, False], [[1, 2], [3, 4]], [[0.5], [1]], (range(3), range(3)), 3, [[True], [False]]],
)
def test_nested_sequences(values: Any) -> None:
    same(arrays.array(values), np.array(values))
    same(arrays.array(values, arrays.float32), np.array(values, np.float32))
    same(arrays.array([arrays.array(values)]), np.array([np.array(values)]))


def test_made_arrays() -> None:
    for shape in (0, 3, (2, 3)):
        same(arrays.zeros(shape, arrays.int16), np.zeros(shape, np.int16))
        same(arrays.ones(shape, arrays.bool_), np.ones(shape, np.bool_))
        same(arrays.full(shape, -1, arrays.int32), np.full(shape, -1, np.int32))
        same(arrays.full(shape, 7), np.full(shape, 7))
    same(arrays.arange(5), np.arange(5))
    assert arrays.empty(3, arrays.float32).ctypes.data % arrays.float32.itemsize == 0
    assert arrays.empty(3).dtype == arrays.float64
    assert arrays.empty(3).dtype != arrays.float32
    assert arrays.isfinite(1.0)
    assert not arrays.isfinite(arrays.inf)


def test_the_bytes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(np.arange(6, dtype=np.float32).tobytes())
    one, other = arrays.memmap(path, arrays.uint8, "r"), np.memmap(path, np.uint8, "r")
    same(one[8:].view("<f4").reshape((2, 2)), other[8:].view("<f4").reshape((2, 2)))
    same(one[8:].view(), other[8:].view())
    assert bytes(one[3:].data) == bytes(other[3:].data)


def test_what_is_not_here_is_refused() -> None:
    one = arrays.zeros((2, 3))
    for refused in (
        one.sum,
        lambda: one + arrays.zeros(3),
        lambda: one["a"],
        lambda: one[2],
        lambda: one[0, 3],
        lambda: one[arrays.array([2])],
        lambda: one.reshape(4),
        lambda: one + arrays.zeros((2, 3), arrays.int8),
        lambda: arrays.array([[1], [2, 3]]),
        lambda: arrays.dtype("complex128"),
    ):
        with pytest.raises((TypeError, ValueError, IndexError)):
            refused()
