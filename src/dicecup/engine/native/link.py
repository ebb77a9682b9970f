"""Linking of object files: to a shared library for this system, and to a WebAssembly module.

A linker comes from the system (`cc`, `clang`; `wasm-ld`, which Debian's package `lld` has) or from
the Python package `ziglang`, which brings both.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

COMPILERS: Final = ("cc", "gcc", "clang")
WASM_LINKER: Final = "wasm-ld"


class NoLinkerError(Exception):
    """There is no program that links for the target."""


def shared_library(objects: Iterable[Path], to: Path) -> None:
    """Link a shared library for this system.

    Raises `NoLinkerError`, and `subprocess.CalledProcessError` where the linker fails.
    """
    command = next(([found] for name in COMPILERS if (found := shutil.which(name))), None)
    if command is None:
        command = [*_zig(), "cc"]
    flags = ["-shared", "-s", "-o", str(to), *map(str, objects)]
    if sys.platform == "darwin":
        flags += ["-undefined", "dynamic_lookup"]  # Python's own functions
    if sys.platform != "win32":
        flags.append("-lm")
    _run([*command, *flags])


def wasm_module(objects: Iterable[Path], exports: Iterable[str], to: Path) -> None:
    """Link a shared library for an interpreter that is WebAssembly itself: it imports memory, stack
    and table of the interpreter. Raises as `shared_library`."""
    flags = ["-shared", "--experimental-pic", "--no-entry", "--strip-all", "--allow-undefined"]
    _run([*wasm_linker(), *flags, *(f"--export={name}" for name in exports), "-o", str(to), *map(str, objects)])


def wasm_linker() -> list[str]:
    """Return the command of a linker for WebAssembly."""
    found = shutil.which(WASM_LINKER)
    if found is None:
        versions = {
            int(match[1]): path
            for folder in ("/usr/bin", "/usr/local/bin")
            for path in Path(folder).glob(f"{WASM_LINKER}-*")
            if (match := re.fullmatch(rf"{WASM_LINKER}-(\d+)", path.name))
        }
        found = str(versions[max(versions)]) if versions else None
    return [found] if found else [*_zig(), WASM_LINKER]


def _zig() -> list[str]:
    """Return the command of the Python package `ziglang`."""
    if importlib.util.find_spec("ziglang") is None:
        raise NoLinkerError("no C compiler, no wasm-ld and no Python package ziglang")
    return [sys.executable, "-m", "ziglang"]


def _run(command: list[str]) -> None:
    """Run a linker; its output goes to standard error."""
    subprocess.run(command, check=True, stdout=sys.stderr)  # noqa: S603 (the build's own command)
