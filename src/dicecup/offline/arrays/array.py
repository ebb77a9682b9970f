"""The arrays, and how they are made of other values."""

import ctypes
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from math import prod
from typing import Any, Self, TypeAlias

from dicecup.offline.arrays.kinds import BOOL, DOUBLE, INT, KINDS, SINGLE, common, dtype, float32, float64, kind_of

Shape: TypeAlias = tuple[int, ...]
Kind: TypeAlias = dtype


class _Memory:
    """A block of memory."""

    __slots__ = ("address", "content")

    def __init__(self, size: int) -> None:
        self.content = bytearray(max(size, 8))
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.content))


class _Address:
    """What NumPy calls `array.ctypes`: the address of the first element."""

    __slots__ = ("data",)

    def __init__(self, data: int) -> None:
        self.data = data


class _Flags:
    """What NumPy calls `array.flags`. Nothing keeps an array from being written, and kernels of a
    page take both kinds alike."""

    __slots__ = ("writeable",)

    def __init__(self) -> None:
        self.writeable = True


def _operator(work: Callable[[Any, Any], Any], kind: dtype | None = None) -> Callable[[Any, Any], Any]:
    """Return an operator of arrays. `kind`: the type of its results where it does not follow."""

    def operate(self: "ndarray", other: Any) -> Any:
        return self.combined(other, work, DOUBLE if work is operator.truediv and self.dtype.kind != "f" else kind)

    return operate


class ndarray:  # noqa: N801
    """An array, or a view of a part of one.

    `items`: the whole memory. `first`: the place of the first element in it. `steps`: the distance
    of neighbours along each axis, in elements. `described`: what kernels know of the array, once
    one was called with it (`dicecup.engine.native.page_library`).
    """

    __slots__ = ("described", "dtype", "first", "items", "memory", "shape", "steps")

    def __init__(self, memory: _Memory, kind: dtype, shape: Shape, steps: Shape, first: int) -> None:
        self.memory = memory
        content: Any = memoryview(memory.content)[: len(memory.content) // kind.itemsize * kind.itemsize]
        self.items: Any = content.cast(kind.code)
        self.dtype = kind
        self.shape = shape
        self.steps = steps
        self.first = first
        self.described: Any = None

    def __class_getitem__(cls, _: Any) -> type:
        return cls

    # --- Shape ------------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def strides(self) -> Shape:
        """The distance of neighbours along each axis, in bytes."""
        return tuple(step * self.dtype.itemsize for step in self.steps)

    @property
    def ctypes(self) -> _Address:
        return _Address(self.memory.address + self.first * self.dtype.itemsize)

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie in the order of C without gaps."""
        return self.size == 0 or all(
            size == 1 or step == wanted for size, step, wanted in zip(self.shape, self.steps, steps_of(self.shape), strict=True)
        )

    @property
    def T(self) -> "ndarray":  # noqa: N802
        return self.shaped(self.shape[::-1], self.steps[::-1], self.first)

    @property
    def data(self) -> memoryview:
        """The bytes of a contiguous array."""
        if not self.contiguous:
            raise ValueError(self.steps)
        first = self.first * self.itemsize
        return memoryview(self.memory.content)[first : first + self.nbytes]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("no axis")
        return self.shape[0]

    def shaped(self, shape: Shape, steps: Shape, first: int) -> "ndarray":
        return ndarray(self.memory, self.dtype, shape, steps, first)

    def reshape(self, *asked: Any) -> "ndarray":
        """Return the elements in another shape, a view where they lie without gaps."""
        shape = tuple(asked[0]) if len(asked) == 1 and not isinstance(asked[0], int) else asked
        if -1 in shape:
            known = prod(size for size in shape if size != -1)
            shape = tuple(self.size // known if size == -1 else size for size in shape)
        if prod(shape) != self.size:
            raise ValueError(f"{self.shape} as {shape}")
        found = self if self.contiguous else self.copy()
        return found.shaped(shape, steps_of(shape), found.first)

    def ravel(self) -> "ndarray":
        return self.reshape(-1)

    @property
    def flags(self) -> "_Flags":
        return _Flags()

    def view(self, kind: Any = None) -> "ndarray":
        """Return a view of all elements, or the memory of a contiguous array with one axis as
        elements of another type."""
        if kind is None:
            return self.shaped(self.shape, self.steps, self.first)
        made = dtype(kind)
        first, size = self.first * self.itemsize, self.nbytes
        if self.ndim != 1 or not self.contiguous or first % made.itemsize or size % made.itemsize:
            raise ValueError(kind)
        return ndarray(self.memory, made, (size // made.itemsize,), (1,), first // made.itemsize)

    # --- Elements ---------------------------------------------------------------------------------

    def places(self) -> Sequence[int]:
        """Return the places of all elements in memory, in the order of C."""
        if self.contiguous:
            return range(self.first, self.first + self.size)
        places: Sequence[int] = (self.first,)
        for size, step in zip(self.shape, self.steps, strict=True):
            offsets = [step * at for at in range(size)]
            places = [place + offset for place in places for offset in offsets]
        return places

    def plain(self) -> list[Any]:
        """Return all elements as plain numbers, in the order of C."""
        if self.contiguous:
            found: list[Any] = self.items[self.first : self.first + self.size].tolist()
            return found
        items = self.items
        return [items[place] for place in self.places()]

    def write(self, values: Iterable[Any]) -> None:
        """Write all elements, in the order of C."""
        if self.contiguous:
            self.items[self.first : self.first + self.size] = memoryview(self.dtype.taken(values))
            return
        items = self.items
        for place, value in zip(self.places(), self.dtype.taken(values), strict=True):
            items[place] = value

    def _scalar(self, place: int) -> Any:
        value = self.items[place]
        return float.__new__(float32, value) if self.dtype is SINGLE else value

    def tolist(self) -> Any:
        if not self.shape:
            return self.items[self.first]
        return self.plain() if self.ndim == 1 else [part.tolist() for part in self]

    def item(self) -> Any:
        if self.size != 1:
            raise ValueError(self.shape)
        return self.plain()[0]

    def tobytes(self) -> bytes:
        return bytes(memoryview(self.dtype.taken(self.plain())).cast("B"))

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 1:
            found = self.plain()
            return iter(found if self.dtype is not SINGLE else [float.__new__(float32, value) for value in found])
        return (self[at] for at in range(len(self)))

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def __repr__(self) -> str:
        return f"array({self.tolist()}, {self.dtype.name})"

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and len(self.shape) == 1:
            size = self.shape[0]
            if not -size <= index < size:
                raise IndexError(index)
            return self._scalar(self.first + self.steps[0] * (index + size if index < 0 else index))
        part = self._part(index)
        if isinstance(part, ndarray):
            return part if part.shape or _has_slice(index) else self._scalar(part.first)
        shape, places = part
        items = self.items
        return array_of([items[place] for place in places], self.dtype, shape)

    def __setitem__(self, index: Any, value: Any) -> None:
        part = self._part(index)
        if isinstance(part, ndarray):
            part.write(spread(value, part.shape))
            return
        shape, places = part
        items = self.items
        for place, element in zip(places, self.dtype.taken(spread(value, shape)), strict=True):
            items[place] = element

    def _part(self, index: Any) -> "ndarray | tuple[Shape, list[int]]":
        """Return the view of an index, or the shape and the places of a part that is no view."""
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(part, ndarray | list) for part in parts):
            return self._chosen([asarray(part) if isinstance(part, list) else part for part in parts])
        first, shape, steps, axis = self.first, [], [], 0
        for part in parts:
            if part is None:
                shape.append(1)
                steps.append(0)
                continue
            size, step = self.shape[axis], self.steps[axis]
            axis += 1
            if isinstance(part, slice):
                begin, end, stride = part.indices(size)
                first += begin * step
                shape.append(len(range(begin, end, stride)))
                steps.append(step * stride)
            else:
                at = operator.index(part)
                if not -size <= at < size:
                    raise IndexError(index)
                first += step * (at + size if at < 0 else at)
        return self.shaped((*shape, *self.shape[axis:]), (*steps, *self.steps[axis:]), first)

    def _chosen(self, parts: list[Any]) -> tuple[Shape, list[int]]:
        """Return the shape and the places of what arrays of indices, or of truth values, choose."""
        if len(parts) == 1 and parts[0].dtype is BOOL:
            if parts[0].shape != self.shape[:1]:
                raise IndexError(parts[0].shape)
            parts = [array_of([at for at, is_chosen in enumerate(parts[0].plain()) if is_chosen], INT)]
        sizes = {part.shape for part in parts if isinstance(part, ndarray)}
        if len(sizes) != 1 or not all(isinstance(part, int | ndarray) for part in parts):
            raise IndexError(parts)
        shape = sizes.pop()
        places = [self.first] * prod(shape)
        for part, size, step in zip(parts, self.shape, self.steps, strict=False):
            chosen = part.plain() if isinstance(part, ndarray) else [part] * prod(shape)
            if chosen and not -size <= min(chosen) <= max(chosen) < size:
                raise IndexError(parts)
            places = [place + step * (at + size if at < 0 else at) for place, at in zip(places, chosen, strict=True)]
        rest = self.shaped(self.shape[len(parts) :], self.steps[len(parts) :], 0)
        if rest.shape:
            offsets = rest.places()
            places = [place + offset for place in places for offset in offsets]
        return (*shape, *rest.shape), places

    def copy(self) -> "ndarray":
        made = empty(self.shape, self.dtype)
        if self.contiguous:
            made.items[: self.size] = self.items[self.first : self.first + self.size]
        else:
            made.write(self.plain())
        return made

    def astype(self, kind: Any) -> "ndarray":
        made = dtype(kind)
        return self.copy() if made is self.dtype else array_of(self.plain(), made, self.shape)

    # --- Calculation ------------------------------------------------------------------------------

    def sum(self) -> Any:
        if self.dtype.kind == "f":
            raise TypeError("NumPy adds up real numbers in an order of its own")
        return sum(self.plain())

    def max(self) -> Any:
        return max(self)

    def min(self) -> Any:
        return min(self)

    def all(self) -> bool:
        return all(self.plain())

    def any(self) -> bool:
        return any(self.plain())

    def combined(self, other: Any, work: Callable[[Any, Any], Any], kind: dtype | None = None) -> Any:
        """Return the results of an operation on the elements of this array and of another one, or a
        number. `kind`: their type where it does not follow."""
        if isinstance(other, ndarray):
            if other.shape != self.shape:
                raise ValueError(f"{self.shape} with {other.shape}")
            found: Iterable[Any] = map(work, self.plain(), other.plain())
            return array_of(found, kind or common(self.dtype, other.dtype), self.shape)
        if not isinstance(other, int | float):
            return NotImplemented
        if self.dtype is SINGLE:
            other = float(float32(other))
        if kind is None:
            kind = self.dtype
            if self.dtype.kind != "f":
                of_other = kind_of(other)
                kind = of_other if of_other.kind == "f" or kind is BOOL else kind
        return array_of(map(work, self.plain(), repeat(other)), kind, self.shape)

    __add__ = __radd__ = _operator(operator.add)
    __mul__ = __rmul__ = _operator(operator.mul)
    __sub__, __rsub__ = _operator(operator.sub), _operator(lambda one, other: other - one)
    __truediv__ = _operator(operator.truediv)
    __and__, __or__, __rshift__ = _operator(operator.and_), _operator(operator.or_), _operator(operator.rshift)
    __eq__, __ne__ = _operator(operator.eq, BOOL), _operator(operator.ne, BOOL)
    __lt__, __le__ = _operator(operator.lt, BOOL), _operator(operator.le, BOOL)
    __gt__, __ge__ = _operator(operator.gt, BOOL), _operator(operator.ge, BOOL)

    def __neg__(self) -> "ndarray":
        return array_of(map(operator.neg, self.plain()), self.dtype, self.shape)

    def __invert__(self) -> "ndarray":
        work: Callable[[Any], Any] = operator.not_ if self.dtype is BOOL else operator.invert
        return array_of(map(work, self.plain()), self.dtype, self.shape)

    __hash__ = None  # type: ignore[assignment]

    def __iadd__(self, other: Any) -> Self:
        self.write((self + other).plain())
        return self


def steps_of(shape: Shape) -> Shape:
    """Return the steps of an array without gaps."""
    return tuple(accumulate(shape[:0:-1], operator.mul, initial=1))[::-1] if shape else ()


def _has_slice(index: Any) -> bool:
    return any(isinstance(part, slice) or part is None for part in (index if isinstance(index, tuple) else (index,)))


def array_of(values: Iterable[Any], kind: dtype, shape: Shape | None = None) -> ndarray:
    """Return an array of these values; without a shape it has one axis."""
    content = kind.taken(values)
    made = empty((len(content),) if shape is None else shape, kind)
    made.items[: len(content)] = memoryview(content)
    return made


def spread(value: Any, shape: Shape) -> Iterable[Any]:
    """Return what is written to a part of this shape, in the order of C."""
    if isinstance(value, int | float):
        return [value] * prod(shape)
    found = asarray(value)
    if found.shape != shape[len(shape) - found.ndim :]:
        raise ValueError(f"{found.shape} as {shape}")
    values = found.plain()
    return values * (prod(shape) // len(values)) if values else ()


def empty(shape: int | Sequence[int], dtype: Any = float64) -> ndarray:
    """Return an array of zeros."""
    kind = KINDS[dtype] if not isinstance(dtype, Kind) else dtype
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray(_Memory(prod(sizes) * kind.itemsize), kind, sizes, steps_of(sizes), 0)


def array(values: Any, dtype: Any = None) -> ndarray:
    """Return an array of nested sequences."""
    if isinstance(values, ndarray):
        return values.copy() if dtype is None else values.astype(dtype)
    shape, flat, kind = _flattened(values)
    if not flat and dtype is None:
        kind = DOUBLE
    return array_of(flat, kind if dtype is None else Kind(dtype), shape)


def _flattened(values: Any) -> tuple[Shape, list[Any], dtype]:
    """Return the shape, the elements and the type of nested sequences. Raises `ValueError` where
    they are ragged."""
    if isinstance(values, ndarray):
        return values.shape, values.plain(), values.dtype
    if isinstance(values, int | float):
        return (), [values], kind_of(values)
    found = list(values)
    kinds = set(map(type, found))
    if kinds <= {int}:
        return (len(found),), found, INT
    if kinds <= {float}:
        return (len(found),), found, DOUBLE
    parts = [_flattened(part) for part in found]
    if len({shape for shape, _, _ in parts}) != 1:
        raise ValueError("sequences of several lengths")
    kind = parts[0][2]
    for _, _, other in parts:
        kind = common(kind, other)
    return (len(parts), *parts[0][0]), list(chain.from_iterable(flat for _, flat, _ in parts)), kind


def asarray(values: Any, dtype: Any = None) -> ndarray:
    """Return an array of nested sequences; an array of the same type itself."""
    if isinstance(values, ndarray) and (dtype is None or values.dtype is Kind(dtype)):
        return values
    return array(values, dtype)
