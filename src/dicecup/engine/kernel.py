"""The decorators of kernels, which decide what runs when Python calls one.

A kernel is a function of a module `NAME_kernel.py`. A call runs the native library
(`dicecup.engine.native`), if there is one of this version of the sources for this processor. Else
Numba compiles the kernel just in time. Callers cannot tell which it is. With the native library
neither Numba nor LLVM is imported, unless Python calls a kernel or a combination of types that the
library does not have.

The variable `DICECUP_KERNELS` of the environment overrides the choice: `jit` ignores the library,
`native` refuses to run without it, and `record` is for the build of the library.
"""

import functools
import importlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self, TypeVar, cast, overload

from dicecup.engine import native
from dicecup.engine.shared_code import SharedCode
from dicecup.engine.sources import engine_stamp

VARIABLE: Final = "DICECUP_KERNELS"
JIT: Final = "jit"
NATIVE: Final = "native"
RECORD: Final = "record"
LOCK: Final = "kernels.lock"
"""The file that the processes lock that add to the caches of a folder."""

INNER: Final = "inner-"
"""How the files begin that hold kernels as other kernels call them."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Later:
    """A module that is imported when an attribute is first asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


ir: Final[Any] = Later("llvmlite.ir")
types: Final[Any] = Later("numba.core.types")
cgutils: Final[Any] = Later("numba.core.cgutils")
arrayobj: Final[Any] = Later("numba.np.arrayobj")


class Kernel:
    """A kernel that is compiled on demand.

    Numba, which calls it from other kernels, sees a dispatcher of its own: `py_func`,
    `targetoptions` and `_numba_type_` are the attributes that it looks for.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(cast(Any, self), function)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.py_func = function
        self.targetoptions = options

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The kernel compiled by Numba."""
        return _njit(self.py_func, self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_


class NativeKernel(Kernel):
    """A kernel that runs in the native library.

    Each has a class of its own, whose `__call__` is the builtin function of the library.
    """

    def __new__(cls, function: Callable[..., Any], *_: Any) -> Self:
        return super().__new__(type(function.__name__, (cls,), {}))

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], library: native.Library) -> None:
        super().__init__(function, options)
        type(self).__call__ = staticmethod(library.bind(self.name, self._compiled))  # type: ignore[method-assign]

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    def _compiled(self, *arguments: Any) -> Any:
        """Call the kernel as Numba compiles it."""
        return self.dispatcher(*arguments)

    __call__: Callable[..., Any]


class RecordedKernel(Kernel):
    """A kernel that remembers the types with which Python called it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.called: set[tuple[Any, ...]] = set()

    def __call__(self, *arguments: Any) -> Any:
        from numba import typeof

        result = self.dispatcher(*arguments)
        self.called.add(tuple(map(typeof, arguments)))
        return result


class Operation:
    """A Numba intrinsic that is made when Numba first compiles a kernel that uses it."""

    def __init__(self, emitter: Callable[..., Any]) -> None:
        functools.update_wrapper(cast(Any, self), emitter)
        self._emitter = emitter

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        made = intrinsic(self._emitter)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(made)


recorded: Final[list[RecordedKernel]] = []
"""All kernels of a process that records."""
_shared: Final[list[SharedCode]] = []
_mode: Final = os.environ.get(VARIABLE, "")
_library: Final = None if _mode in (JIT, RECORD) else native.load(required=_mode == NATIVE)


@overload
def kernel(function: _Function) -> _Function: ...
@overload
def kernel(*, fastmath: bool | set[str] = False, inline: str = "never") -> Callable[[_Function], _Function]: ...
def kernel(function: Any = None, *, fastmath: bool | set[str] = False, inline: str = "never") -> Any:
    """Make a function a kernel. `fastmath` and `inline` as in Numba."""
    if function is None:
        return lambda found: _made(found, fastmath, inline)
    return _made(function, fastmath, inline)


def operation(emitter: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that emits LLVM code an operation for kernels, as `intrinsic` of Numba does.

    The function imports Numba and LLVM in its body.
    """
    return cast(Callable[..., Any], Operation(emitter))


def share(codes: Iterable[SharedCode]) -> None:
    """Add libraries of functions that kernels call."""
    _shared.extend(codes)


def shared() -> list[Any]:
    """Return the libraries of Numba that kernels of this process have called so far."""
    return [code.library for code in _shared if code.is_loaded]


def compiles_just_in_time() -> bool:
    """Return whether kernels are compiled by Numba, because there is no native library."""
    return _library is None


def _made(function: Callable[..., Any], fastmath: bool | set[str], inline: str) -> Any:
    """Return the kernel of a function.

    Without Numba's runtime (`_nrt`) nothing counts references to arrays, and a kernel that
    allocates is not compiled: Numba raises `NumbaError`.
    """
    own = {"_nrt": False, "cache": inline == "never", "no_cfunc_wrapper": True}
    options = {"nogil": True, "fastmath": fastmath, "inline": inline, **own}
    if _library is not None:
        return NativeKernel(function, options, _library)
    if _mode == RECORD:
        recorded.append(RecordedKernel(function, options))
        return recorded[-1]
    return _njit(function, options)


def _njit(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return the dispatcher of Numba. Raises `LibraryMissingError` where Numba is not installed."""
    try:
        from numba import njit
    except ModuleNotFoundError as error:
        raise native.LibraryMissingError("this kernel needs Numba: pip install 'dicecup[train]'") from error

    made = njit(**options)(function)

    @functools.cache
    def inner() -> Any:
        """The kernel as other kernels call it, in files of its own."""
        found = njit(**{**options, "no_cpython_wrapper": True})(function)
        found._compiling_counter = made._compiling_counter  # noqa: SLF001 (so that Numba notices a kernel that calls itself)
        if options["cache"]:
            file = found._cache._cache_file  # noqa: SLF001 (Numba has no public name for it)
            file.__init__(file._cache_path, f"{INNER}{file._index_name.removesuffix('.nbi')}", file._source_stamp)  # noqa: SLF001
            _adapt(file)
        return found

    _separate(made, inner)
    if options["cache"]:
        _adapt(made._cache._cache_file)  # noqa: SLF001 (as above)
    return made


def _separate(made: Any, inner: Callable[[], Any]) -> None:
    """Let other kernels call `inner`, unless the kernel is already compiled for Python.

    Unpacking the arguments of a call from Python is long code, which other kernels do not need. A
    kernel that others call with constants is compiled once, not again for each constant.
    """
    template, get_overload = made.get_call_template, made.get_overload

    def of_types(arguments: Any, named: Any) -> Any:
        general = tuple(map(types.unliteral, arguments))
        found = template if named or general in made.overloads else inner().get_call_template
        return found(general, {name: types.unliteral(kind) for name, kind in named.items()})

    def entry_point(signature: Any) -> Any:
        return (get_overload if tuple(signature) in made.overloads else inner().get_overload)(signature)

    made.get_call_template, made.get_overload = of_types, entry_point


def _adapt(cache: Any) -> None:
    """Let one process at a time add to the cache of a kernel, load shared code before it, and take
    nothing from it that was compiled from other sources of the engine.

    Numba compares the file of the kernel alone, and a kernel contains those that it calls. Code
    from before a change of shared code would even end the process, because it names functions that
    nobody has compiled since.

    Numba reads the index, chooses a name for the code of a new combination of types, and writes the
    index. Two processes at once would give the same name to different code.
    """
    cache._source_stamp = (cache._source_stamp, engine_stamp())  # noqa: SLF001 (Numba has no public name for it)
    save, load = cache.save, cache.load

    def after_shared(key: Any) -> Any:
        """Load the code that the kernels share before a kernel that may call it."""
        for code in _shared:
            code.load()
        return load(key)

    def locked(key: Any, data: Any) -> None:
        try:
            import fcntl
        except ModuleNotFoundError:  # on Windows one process compiles
            save(key, data)
            return
        with (Path(cache._cache_path) / LOCK).open("w") as lock:  # noqa: SLF001 (as above)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(lock, fcntl.LOCK_EX)
            save(key, data)

    cache.save, cache.load = locked, after_shared
