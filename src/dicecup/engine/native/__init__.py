"""The kernels as a native library and as a WebAssembly module, compiled ahead of time.

`python -m dicecup.arena.native` builds both into `built`, and a wheel holds them. `load` finds the
library for this processor, if it was built from these sources. `kernel` binds kernels to it.

- `manifest`: the files and the sources that they were built from.
- `layout`: what kernels take and return. `collect`, `module`, `link`, `build`: the build.
- `python_calls`: the functions that Python calls. `wasm_calls`: those that the page calls.
- `page_library`: the WebAssembly module at run time, in Python that runs in the page.
- Here: the library at run time. It needs neither Numba nor LLVM.
"""

import ctypes
import platform
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from dicecup.engine.native import manifest, python_calls
from dicecup.engine.native.manifest import LibraryMissingError

__all__ = ["LEVELS", "Library", "LibraryMissingError", "features", "levels", "load"]

METH_FASTCALL: Final = 0x80
LEVELS: Final = {
    "x86-64-v4": frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
    "x86-64-v3": frozenset({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}),
    "x86-64-v2": frozenset({"cx16", "popcnt", "sse4_1", "sse4_2", "ssse3"}),
}
"""The levels of x86-64 processors, the highest first, each with the features that it adds to the
next one, as Linux names them."""


class _Method(ctypes.Structure):
    """`PyMethodDef` of CPython: what a builtin function is made of."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class Library:
    """The kernels of a native library."""

    def __init__(self, path: Path, kernels: Iterable[str]) -> None:
        """Load the library with these kernels, each a module and a name. Raises `OSError`."""
        self.path = path
        self.kernels = frozenset(kernels)
        self._functions = ctypes.CDLL(str(path))
        ctypes.c_void_p.in_dll(self._functions, python_calls.ARRAY_TYPE).value = id(np.ndarray)
        self._methods: list[_Method] = []

    def bind(self, name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls a kernel of the library.

        It calls `otherwise` with arguments for which the library has no code.
        """
        if name not in self.kernels:
            return otherwise
        function = ctypes.cast(getattr(self._functions, python_calls.symbol(name)), ctypes.c_void_p)
        method = _Method(name.rpartition(".")[2].encode(), function, METH_FASTCALL, None)
        self._methods.append(method)  # the builtin function points to it
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.argtypes, make.restype = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p), ctypes.py_object
        made: Callable[..., Any] = make(ctypes.addressof(method), otherwise, None)
        return made


def load(*, required: bool = False) -> Library | None:
    """Return the native library, or `None` if there is none of these sources for this processor.

    Raises `LibraryMissingError` instead if it is required.
    """
    try:
        return _load()
    except LibraryMissingError:
        if required:
            raise
        return None


def _load() -> Library:
    """Return the native library, in the page the WebAssembly module. Raises
    `LibraryMissingError`."""
    if sys.platform == "emscripten":
        from dicecup.engine.native import page_library

        return page_library.load()
    found = manifest.read()
    if not python_calls.are_arrays_known():
        raise LibraryMissingError("NumPy keeps the parts of arrays elsewhere")
    level = next((level for level in levels() if level in found["libraries"]), None)
    if level is None:
        raise LibraryMissingError("the library is for other processors")
    try:
        return Library(manifest.FOLDER / found["libraries"][level], (export["name"] for export in found["exports"]))
    except OSError as error:
        raise LibraryMissingError(str(error)) from error


def levels() -> list[str]:
    """Return the names of libraries that run on this processor and system, the best first."""
    system, machine = sys.platform, platform.machine().lower()
    if machine not in ("x86_64", "amd64"):
        return [f"{system}-{machine}"]
    known = features()
    found: list[str] = []
    for level in reversed(LEVELS):
        if not known >= LEVELS[level]:
            break
        found.insert(0, f"{system}-{level}")
    return found


def features() -> frozenset[str]:
    """Return the features of the processor that Linux names, elsewhere those of the lowest
    level."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return LEVELS["x86-64-v2"]
    return frozenset(next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), ()))
