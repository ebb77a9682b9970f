"""Functions of machine code that the kernels share.

Numba copies what a kernel calls into the code of the kernel, and compiles it there again. Functions
of thousands of instructions are compiled once instead, to a library of their own, and called from
the kernels by their name. The library is kept beside the code of the kernels.
"""

import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

ENGINE: Final = Path(__file__).parent
CACHE: Final = "NUMBA_CACHE_DIR"
"""The variable of the environment that names another folder for the files of Numba."""
SUFFIX: Final = ".nbc"
"""The end of the names of Numba's files, which are removed together."""


class SharedCode:
    """A library of functions. `define` adds them to an LLVM module, and `source` is the file that
    decides what they do."""

    def __init__(self, name: str, define: Callable[[Any], None], source: Path) -> None:
        self.name = name
        self._define = define
        self._source = source
        self._library: Any = None

    @property
    def is_loaded(self) -> bool:
        """Return whether the functions can be called."""
        return self._library is not None

    @property
    def library(self) -> Any:
        """Return the library of Numba, compiled if it is not cached."""
        if self._library is None:
            from numba.core.compiler_lock import global_compiler_lock

            with global_compiler_lock:
                if not self.load():
                    self._compile()
        return self._library

    def load(self) -> bool:
        """Load the library if it is cached, and return whether it is loaded."""
        if self._library is None:
            with suppress(OSError, pickle.UnpicklingError, EOFError):
                self._use(_codegen().unserialize_library(pickle.loads(self._path().read_bytes())))  # noqa: S301 (own file)
        return self._library is not None

    def _compile(self) -> None:
        library = _codegen().create_library(self.name)
        module = library.create_ir_module(self.name)
        self._define(module)
        library.add_ir_module(module)
        # Passes over functions are enough: those over the module take a second and gain no speed.
        library._optimize_final_module = lambda: None  # noqa: SLF001 (Numba has no public name for it)
        library.enable_object_caching()
        library.finalize()
        self._use(library)
        path = self._path()
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                pickle.dump(library.serialize_using_object_code(), file)
            Path(temporary).replace(path)

    def _use(self, library: Any) -> None:
        """Let kernels find the functions."""
        import llvmlite.binding as llvm

        for function in library._get_module_for_linking().functions:  # noqa: SLF001 (Numba has no public name for it)
            if not function.is_declaration:
                llvm.add_symbol(function.name, library.get_pointer_to_function(function.name))
        self._library = library

    def _path(self) -> Path:
        """Return the file of the library for this processor."""
        key = hashlib.sha256(repr((_codegen().magic_tuple(), version("numba"))).encode())
        key.update(self._source.read_bytes())
        return cache_folder() / f"{self.name}-{key.hexdigest()[:16]}{SUFFIX}"


def cache_folder() -> Path:
    """Return the folder for files about compiled code: that of Numba's files, or the user's cache
    folder where those beside the sources cannot be written."""
    if chosen := os.environ.get(CACHE):
        return Path(chosen)
    if os.access(ENGINE, os.W_OK):
        return ENGINE / "__pycache__"
    import platformdirs  # a page has no such package, and no such folder

    return Path(platformdirs.user_cache_dir("dicecup"))


def _codegen() -> Any:
    from numba.core.registry import cpu_target

    return cpu_target.target_context.codegen()
