"""The types of the elements of arrays, under their names in NumPy."""

import ctypes
import operator
import struct
from array import array as machine_array
from collections.abc import Callable, Iterable
from typing import Any, Final, Self


class floating:  # noqa: N801 (NumPy's name)
    """The type of all real numbers, for annotations."""

    def __class_getitem__(cls, _: Any) -> type:
        return cls


class float64(float):  # noqa: N801
    """A number in double precision. Arrays hand out plain `float`."""

    itemsize = 8


class float32(float):  # noqa: N801
    """A number in single precision. Sums and products with others are rounded to it."""

    itemsize = 4

    def __new__(cls, value: Any = 0.0) -> Self:
        return float.__new__(cls, ctypes.c_float(value).value)

    def __neg__(self) -> "float32":
        return float32(-float(self))


def _rounded(work: Callable[[Any, Any], Any], *, swapped: bool) -> Callable[[float32, Any], Any]:
    """Return an operator of `float32`, which rounds the result of another one."""

    def rounded(one: float32, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        own, others = float(one), float(float32(other))
        return float32(work(others, own) if swapped else work(own, others))

    return rounded


for _name, _work in {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv}.items():
    setattr(float32, f"__{_name}__", _rounded(_work, swapped=False))
    setattr(float32, f"__r{_name}__", _rounded(_work, swapped=True))


class bool_:  # noqa: N801
    """A truth value. Arrays hand out plain `bool`."""

    itemsize = 1

    def __new__(cls, value: Any = False) -> bool:  # type: ignore[misc]
        return bool(value)


class _Integer(int):
    """A whole number. Arrays hand out plain `int`."""

    itemsize = 8


class int8(_Integer):  # noqa: N801
    """A whole number of 8 bits."""

    itemsize = 1


class uint8(_Integer):  # noqa: N801
    """A whole number of 8 bits, 0 or more."""

    itemsize = 1


class int16(_Integer):  # noqa: N801
    """A whole number of 16 bits."""

    itemsize = 2


class uint16(_Integer):  # noqa: N801
    """A whole number of 16 bits, 0 or more."""

    itemsize = 2


class int32(_Integer):  # noqa: N801
    """A whole number of 32 bits."""

    itemsize = 4


class uint32(_Integer):  # noqa: N801
    """A whole number of 32 bits, 0 or more."""

    itemsize = 4


class int64(_Integer):  # noqa: N801
    """A whole number of 64 bits."""

    itemsize = 8


class uint64(_Integer):  # noqa: N801
    """A whole number of 64 bits, 0 or more."""

    itemsize = 8


intp = int64


class dtype:  # noqa: N801
    """The type of the elements of an array. There is one object for each."""

    __slots__ = ("code", "hasobject", "itemsize", "kind", "name", "type")
    code: str
    hasobject: bool
    itemsize: int
    kind: str
    name: str
    type: "type[Any]"

    def __new__(cls, asked: Any) -> "dtype":  # noqa: PYI034 (there is one object for each)
        if isinstance(asked, dtype):
            return asked
        try:
            return KINDS[asked]
        except (KeyError, TypeError):
            raise TypeError(f"no type of arrays here: {asked!r}") from None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, type | str) and KINDS.get(other) is self)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"dtype({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def taken(self, values: Iterable[Any]) -> Any:
        """Return values of another type as values of this one, in memory."""
        if self.kind == "b":
            return memoryview(bytes(map(bool, values))).cast("?")
        return machine_array(self.code, values if self.kind == "f" else map(int, values))


KINDS: Final[dict[Any, dtype]] = {}


def _make_types() -> None:
    kinds: dict[type[Any], str] = {bool_: "?", int8: "b", uint8: "B", int16: "h", uint16: "H", int32: "i", uint32: "I"}
    kinds |= {int64: "q", uint64: "Q", float32: "f", float64: "d"}
    for type_, code in kinds.items():
        made = object.__new__(dtype)
        made.type, made.code, made.itemsize, made.hasobject = type_, code, struct.calcsize(code), False
        made.name = type_.__name__.rstrip("_")
        made.kind = "b" if code == "?" else "f" if code in "fd" else "u" if code.isupper() else "i"
        for key in (type_, made.name, f"{'|' if made.itemsize == 1 else '<'}{made.kind}{made.itemsize}"):
            KINDS[key] = made
    KINDS.update({float: KINDS[float64], int: KINDS[int64], bool: KINDS[bool_]})


_make_types()
BOOL, INT, SINGLE, DOUBLE = (KINDS[kind] for kind in (bool_, int64, float32, float64))


def common(one: dtype, other: dtype) -> dtype:
    """Return the type of results of two arrays. Raises `TypeError` for what nobody uses."""
    if one is other:
        return one
    if BOOL in (one, other):
        return other if one is BOOL else one
    if DOUBLE in (one, other) and (one.kind == other.kind or INT in (one, other)):
        return DOUBLE
    if INT in (one, other) and all(
        kind is INT or (kind.kind in "iu" and kind.itemsize < INT.itemsize) for kind in (one, other)
    ):
        return INT
    raise TypeError(f"{one.name} with {other.name}")


def kind_of(value: Any) -> dtype:
    """Return the type of an array of this scalar."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, float32):
        return SINGLE
    if isinstance(value, float):
        return DOUBLE
    raise TypeError(f"no number: {value!r}")
