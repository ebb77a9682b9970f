"""What the exported kernels take and return, as the manifest of a library stores it."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number. `kind`: its type, as `int64`, `float32` or `bool`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array of `ndim` axes. `contiguous`: in the order of C. `written`: the kernel may write."""

    dtype: str
    ndim: int
    contiguous: bool
    written: bool


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple, and the names of its parts if it has any."""

    parts: "tuple[Argument, ...]"
    names: tuple[str, ...] | None


Argument: TypeAlias = Scalar | Array | Tuple


@dataclass(frozen=True, slots=True)
class Export:
    """A kernel for arguments of certain types.

    `name`: module and function. `symbol`: of the C function. `code`: of the function that Numba
    made. `result`: `None`, the type of a scalar, or those of a tuple of scalars.
    """

    name: str
    symbol: str
    code: str
    arguments: tuple[Argument, ...]
    result: tuple[str, ...] | str | None


def leaves(argument: Argument) -> list[Scalar | Array]:
    """Return the scalars and arrays of an argument, those of tuples one after the other."""
    if isinstance(argument, Tuple):
        return [leaf for part in argument.parts for leaf in leaves(part)]
    return [argument]


def array_arguments(at: int | str, leaf: Array) -> list[str]:
    """Return the arguments of Numba's function for an array, as LLVM code.

    The values are `%data{at}`, and for each axis `%items{at}_{axis}` (the product of the lengths so
    far), `%length{at}_{axis}` and `%stride{at}_{axis}`.
    """
    axes = range(leaf.ndim)
    items = f"%items{at}_{leaf.ndim - 1}" if leaf.ndim else "1"
    lengths = [f"i64 %length{at}_{axis}" for axis in axes]
    strides = [f"i64 %stride{at}_{axis}" for axis in axes]
    size = np.dtype(leaf.dtype).itemsize
    return ["ptr null", "ptr null", f"i64 {items}", f"i64 {size}", f"ptr %data{at}", *lengths, *strides]


def to_json(export: Export) -> dict[str, Any]:
    """Return an export as JSON."""
    arguments = [_argument_to_json(argument) for argument in export.arguments]
    result = list(export.result) if isinstance(export.result, tuple) else export.result
    return {"name": export.name, "symbol": export.symbol, "arguments": arguments, "result": result}


def from_json(found: dict[str, Any]) -> Export:
    """Return an export from JSON."""
    result = tuple(found["result"]) if isinstance(found["result"], list) else found["result"]
    return Export(found["name"], found["symbol"], "", tuple(map(_argument_from_json, found["arguments"])), result)


def _argument_to_json(argument: Argument) -> Any:
    match argument:
        case Scalar(kind):
            return kind
        case Array(dtype, ndim, contiguous, written):
            return {"dtype": dtype, "ndim": ndim, "contiguous": contiguous, "written": written}
        case Tuple(parts, names):
            return {"parts": list(map(_argument_to_json, parts)), "names": names}


def _argument_from_json(found: Any) -> Argument:
    if isinstance(found, str):
        return Scalar(found)
    if "dtype" in found:
        return Array(**found)
    return Tuple(tuple(map(_argument_from_json, found["parts"])), found["names"] and tuple(found["names"]))
