"""The functions of NumPy on arrays of the page, under their names."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from itertools import repeat as repeated
from math import isfinite as is_finite
from pathlib import Path
from typing import Any

from dicecup.offline.arrays.array import Kind, array_of, asarray, empty, ndarray
from dicecup.offline.arrays.kinds import BOOL, INT, common, dtype, float64, kind_of

zeros = empty


def full(shape: int | Sequence[int], value: Any, dtype: Any = None) -> ndarray:
    """Return an array of equal numbers."""
    made = empty(shape, kind_of(value) if dtype is None else dtype)
    made.write([value] * made.size)
    return made


def ones(shape: int | Sequence[int], dtype: Any = float64) -> ndarray:
    """Return an array of ones."""
    return full(shape, 1, dtype)


def arange(*asked: int) -> ndarray:
    """Return whole numbers, as `range` does."""
    return array_of(range(*asked), INT)


def ascontiguousarray(values: Any, dtype: Any = None) -> ndarray:
    """Return an array whose elements lie in the order of C without gaps."""
    found = asarray(values, dtype)
    return found if found.contiguous else found.copy()


def concatenate(parts: Iterable[Any]) -> ndarray:
    """Return arrays one after the other along their first axis."""
    found = [asarray(part) for part in parts]
    kind = found[0].dtype
    for part in found:
        kind = common(kind, part.dtype)
    if len({part.shape[1:] for part in found}) != 1:
        raise ValueError([part.shape for part in found])
    shape = (sum(map(len, found)), *found[0].shape[1:])
    return array_of(chain.from_iterable(part.plain() for part in found), kind, shape)


def cumsum(values: Any, dtype: Any = None) -> ndarray:
    """Return the sums of all first numbers of whole numbers."""
    found = asarray(values)
    if found.dtype.kind == "f":
        raise TypeError(found.dtype)
    return array_of(accumulate(found.plain()), INT if dtype is None else Kind(dtype))


def repeat(values: Any, counts: Any) -> ndarray:
    """Return each number as often as its count says."""
    found = asarray(values)
    times = [counts] * len(found) if isinstance(counts, int) else asarray(counts).plain()
    pairs = zip(found.plain(), times, strict=True)
    return array_of(chain.from_iterable(repeated(value, count) for value, count in pairs), found.dtype)


def unique(values: ndarray, return_inverse: bool = False, axis: int | None = None) -> Any:
    """Return the different numbers, or with `axis=0` the different rows, in ascending order.

    With `return_inverse` also the place of each number among them."""
    if axis is not None:
        rows = sorted(set(map(tuple, values.tolist())))
        return array_of(chain.from_iterable(rows), values.dtype, (len(rows), *values.shape[1:]))
    content = values.plain()
    found = sorted(set(content))
    made = array_of(found, values.dtype)
    if not return_inverse:
        return made
    places = {value: at for at, value in enumerate(found)}
    return made, array_of([places[value] for value in content], INT, values.shape)


def bincount(values: ndarray, minlength: int = 0) -> ndarray:
    """Return how often each whole number from 0 occurs."""
    counts = [0] * max(minlength, 1 + max(values.plain(), default=-1))
    for value in values.plain():
        counts[value] += 1
    return array_of(counts, INT)


def argsort(values: ndarray, *, kind: str) -> ndarray:  # noqa: ARG001 (sorting is always stable)
    """Return the places of the numbers in ascending order; of equal ones the first first."""
    content = values.plain()
    return array_of(sorted(range(len(content)), key=content.__getitem__), INT)


def isfinite(values: Any) -> Any:
    """Return which numbers are neither infinite nor missing."""
    if isinstance(values, ndarray):
        return array_of(map(is_finite, values.plain()), BOOL, values.shape)
    return is_finite(values)


def memmap(path: Path, kind: Any, _: str) -> ndarray:
    """Return the content of a file."""
    content = Path(path).read_bytes()
    return _of_bytes(content, dtype(kind))


def _of_bytes(content: bytes, kind: dtype) -> ndarray:
    made = empty(len(content) // kind.itemsize, kind)
    made.memory.content[: len(content)] = content
    return made
