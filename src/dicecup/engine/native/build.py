"""The build: from the kernels that a recording process has called to the files in `built`."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from dicecup.engine import kernel
from dicecup.engine.native import LEVELS, collect, link
from dicecup.engine.native.layout import Export, to_json
from dicecup.engine.native.manifest import FOLDER, MANIFEST, SOURCES, WASM, LibraryMissingError, digest, read
from dicecup.engine.native.module import Target, object_file

CACHE: Final = "NUMBA_CACHE_DIR"
CPU_OF_NUMBA: Final = "NUMBA_CPU_NAME"
FEATURES_OF_NUMBA: Final = "NUMBA_CPU_FEATURES"
WASM_TARGET: Final = Target("wasm32-unknown-emscripten", features="+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext")
NOT_IN_WASM: Final = ("training", "bound", "stepping")
"""Packages whose kernels the page does not need."""
_LIST_SOURCES: Final = """
import importlib, pathlib, sys
top = pathlib.Path(sys.argv[1])
for path in sorted(top.glob("engine/**/*_kernel.py")):
    importlib.import_module(".".join(("dicecup", *path.relative_to(top).with_suffix("").parts)))
files = [module.__file__ for name, module in sys.modules.items() if name.startswith("dicecup")]
print(*filter(None, files), sep="\\n")
"""


def is_built() -> bool:
    """Return whether all files of these sources are there that this system can make."""
    try:
        read()
    except LibraryMissingError:
        return False
    if (FOLDER / WASM).is_file():
        return True
    try:
        link.wasm_linker()
    except link.NoLinkerError:
        return True
    return False


def in_recording_processes(module: str, parts: Iterable[str]) -> int:
    """Run a module in processes that record which kernels are called with which types.

    One process for each part of the work, which is its argument, compiles kernels at the same time
    as the others. Then one finds them in the cache and builds; its argument is the `digest` of the
    sources at the beginning. Numba keeps what it compiles in a folder of its own, so that kernels
    that a changed one calls are compiled again. Returns the exit code.
    """
    begun = digest(sources())
    with tempfile.TemporaryDirectory() as cache:
        settings = {kernel.VARIABLE: kernel.RECORD, CPU_OF_NUMBA: _numba_cpu(), FEATURES_OF_NUMBA: ""}
        environment = {CACHE: cache} | dict(os.environ) | settings
        command = [sys.executable, "-m", module]
        compiling = [subprocess.Popen([*command, part], env=environment) for part in parts]  # noqa: S603 (this package)
        failed = [code for process in compiling if (code := process.wait())]
        if failed:
            return failed[0]
        return subprocess.run([*command, begun], env=environment, check=False).returncode  # noqa: S603 (above)


def build(begun: str) -> None:
    """Write the library, the WebAssembly module and the manifest of all kernels called so far.

    `begun`: the `digest` of the sources when the first process began. Raises `RuntimeError` where
    one has changed since then.

    Without a linker for WebAssembly that module is missing. Raises `link.NoLinkerError` where there
    is none for this system.
    """
    found = collect.exports()
    exports = [export for export, _ in found]
    bitcode = collect.linked((library, export.code) for export, library in found).as_bitcode()
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / MANIFEST).unlink(missing_ok=True)
    (FOLDER / WASM).unlink(missing_ok=True)
    libraries = {name: f"kernels-{name}.so" for name in targets()}
    with (
        tempfile.TemporaryDirectory() as temporary,
        ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as processes,
    ):
        wasm = processes.submit(_build_wasm, bitcode, exports, Path(temporary))  # it takes longest
        native = [
            processes.submit(_build_library, bitcode, exports, target, Path(temporary) / name, FOLDER / libraries[name])
            for name, target in reversed(targets().items())
        ]
        for each in native:
            each.result()
        try:
            wasm.result()
        except link.NoLinkerError as error:
            sys.stderr.write(f"no WebAssembly module: {error}\n")
    manifest = _manifest(exports, libraries)
    if manifest["digest"] != begun:
        raise RuntimeError("a source has changed during the build")
    (FOLDER / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def targets() -> dict[str, Target]:
    """Return the libraries of this system and what each is for: one for each level of x86-64, and
    one for any other processor."""
    triple = llvm.get_process_triple()
    if _machine() != "x86-64":
        return {f"{sys.platform}-{_machine()}": Target(triple, "generic")}
    return {f"{sys.platform}-{level}": Target(triple, level) for level in LEVELS}


def sources() -> list[str]:
    """Return the files that kernels consist of, relative to the package: those that are imported
    with them, and those that build and call the library."""
    command = [sys.executable, "-c", _LIST_SOURCES, str(SOURCES)]
    environment = {**os.environ, kernel.VARIABLE: kernel.JIT}
    listed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout  # noqa: S603 (above)
    paths = {Path(line) for line in listed.splitlines()} | {Path(line) for line in Path(__file__).parent.glob("*.*")}
    return sorted(path.relative_to(SOURCES).as_posix() for path in paths)


def in_wasm(name: str) -> bool:
    """Return whether the WebAssembly module has this kernel, given by module and name."""
    return not any(part in NOT_IN_WASM for part in name.split("."))


def say(path: Path) -> None:
    """Print the size of a file that was made."""
    sys.stderr.write(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB\n")


def _build_library(bitcode: bytes, exports: Sequence[Export], target: Target, temporary: Path, to: Path) -> None:
    """Write the library for a target. Raises as `link.shared_library`."""
    temporary.write_bytes(object_file(bitcode, exports, target))
    link.shared_library([temporary], to)
    say(to)


def _build_wasm(bitcode: bytes, exports: Sequence[Export], temporary: Path) -> None:
    """Write the WebAssembly module. Raises `link.NoLinkerError`."""
    link.wasm_linker()
    wanted = [export for export in exports if in_wasm(export.name)]
    path = temporary / "wasm.o"
    path.write_bytes(object_file(bitcode, wanted, WASM_TARGET))
    link.wasm_module([path], [export.symbol for export in wanted], FOLDER / WASM)
    say(FOLDER / WASM)


def _manifest(exports: Sequence[Export], libraries: dict[str, str]) -> dict[str, Any]:
    """Return the manifest."""
    names = sources()
    return {
        "sources": names,
        "digest": digest(names),
        "libraries": libraries,
        "exports": [to_json(export) for export in exports],
    }


def _machine() -> str:
    """Return the name of this processor's family."""
    machine = platform.machine().lower()
    return "x86-64" if machine in ("x86_64", "amd64") else machine


def _numba_cpu() -> str:
    """Return the processor whose vectors Numba optimises for. LLVM splits them for others."""
    return "x86-64-v3" if _machine() == "x86-64" else "generic"
