"""The WebAssembly module of the kernels in the page, where Python itself is WebAssembly.

The module is a shared library of the interpreter, with the same memory. Arrays are those of
`dicecup.offline.arrays`, so nothing is copied. `wasm_calls` says how a kernel is called.
"""

import ctypes
import json
from array import array as machine_array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from dicecup.engine.native.layout import Array, Export, Scalar, from_json, leaves
from dicecup.engine.native.manifest import FOLDER, MANIFEST, WASM, LibraryMissingError

SLOTS: Final = 256
"""The most arguments of a kernel, those in tuples counted each."""
RESULTS: Final = 8
"""The most results of a kernel."""
SIZES: Final = {"bool": 1, "int32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8}
CODES: Final = {"bool": "?", "int32": "i", "float32": "f", "int64": "q", "uint64": "Q", "float64": "d"}


class ForeignArgumentsError(TypeError):
    """The module has no code for these arguments."""


class PageLibrary:
    """The kernels of the module."""

    def __init__(self, path: Path, exports: list[Export]) -> None:
        """Load the module with these kernels. Raises `OSError`."""
        self._library = ctypes.CDLL(str(path))
        self._exports: dict[str, list[Export]] = {}
        for export in exports:
            self._exports.setdefault(export.name, []).append(export)
        content, results = bytearray(8 * SLOTS), bytearray(8 * RESULTS)
        self._slots, self._out = _address(content), _address(results)
        self._integers, self._reals, self._singles = (_cast(content, code) for code in "qdf")
        self._results = {kind: _cast(results, code) for kind, code in CODES.items()}

    def bind(self, name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls a kernel of the module; `otherwise` where it has none.

        The function raises `ForeignArgumentsError`.
        """
        if name not in self._exports:
            return otherwise
        codes = [self._code(export) for export in self._exports[name]]

        def call(*arguments: Any) -> Any:
            found = list(_leaves(arguments))
            for fill, run, result in codes:
                if fill(found):
                    if run(self._slots, self._out):
                        raise ArithmeticError(name)
                    return result()
            raise ForeignArgumentsError(f"{name} {found}")

        return call

    def _code(self, export: Export) -> tuple[Callable[[list[Any]], bool], Any, Callable[[], Any]]:
        """Return the parts of a call: a function that writes the arguments, the kernel, and a
        function that reads the result."""
        kinds = [leaf for argument in export.arguments for leaf in leaves(argument)]
        wanted = [(kind.dtype, kind.ndim, kind.contiguous) if isinstance(kind, Array) else None for kind in kinds]
        places = {"float64": self._reals, "float32": self._singles}
        written = [places.get(kind.kind, self._integers) if isinstance(kind, Scalar) else None for kind in kinds]
        steps = [2 if kind == Scalar("float32") else 1 for kind in kinds]
        integers = self._integers

        def fill(found: list[Any]) -> bool:
            if len(found) != len(kinds):
                return False
            for at, value in enumerate(found):
                kind = wanted[at]
                if kind is None:
                    if not isinstance(value, int | float):
                        return False
                    written[at][steps[at] * at] = value  # type: ignore[index]
                    continue
                described = getattr(value, "described", None) or _describe(value)
                if described is None or described[0] not in (kind, (*kind[:2], True)):
                    return False
                integers[at] = described[1]
            return True

        run = getattr(self._library, export.symbol)
        run.argtypes, run.restype = (ctypes.c_uint32, ctypes.c_uint32), ctypes.c_int32
        return fill, run, self._result(export.result)

    def _result(self, result: tuple[str, ...] | str | None) -> Callable[[], Any]:
        """Return a function that reads a result."""
        if result is None:
            return lambda: None
        parts, place = [], 0
        for kind in (result,) if isinstance(result, str) else result:
            size = SIZES[kind]
            place = -(-place // size)  # in elements of this kind
            parts.append((self._results[kind], place))
            place = (place + 1) * size
        if isinstance(result, str):
            return lambda: parts[0][0][0]
        return lambda: tuple(content[at] for content, at in parts)


def load() -> PageLibrary:
    """Return the module in the folder of the library. Raises `LibraryMissingError`."""
    try:
        exports = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))["exports"]
        return PageLibrary(FOLDER / WASM, list(map(from_json, exports)))
    except OSError as error:
        raise LibraryMissingError(str(error)) from error


def _leaves(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the arrays and numbers of arguments, those of tuples one after the other."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from _leaves(argument)
        else:
            yield argument


def _describe(array: Any) -> Any:
    """Return what kernels know of an array: its kind, and the address of its address, its lengths
    and its strides. `None` for what is no array."""
    if not hasattr(array, "described"):
        return None
    content = bytearray(8 * (1 + 2 * array.ndim))
    memoryview(content).cast("q")[:] = memoryview(machine_array("q", (array.ctypes.data, *array.shape, *array.strides)))
    array.described = ((array.dtype.name, array.ndim, array.contiguous), _address(content), content)
    return array.described


def _cast(content: bytearray, code: Any) -> "memoryview[Any]":
    """Return a block of memory as numbers of one kind."""
    return memoryview(content).cast(code)


def _address(content: bytearray) -> int:
    """Return the address of a block of memory."""
    return ctypes.addressof(ctypes.c_char.from_buffer(content))
