"""Which kernels Numba has compiled for these sources, and the compilation of the others.

A step calls some kernels, so that Numba compiles them and keeps their code. `dicecup.players.warm`,
`dicecup.analysis.warm` and `dicecup.arena.warm` have the steps. A folder beside Numba's own files
holds an empty file for each step that was taken. The name of the folder is a hash of all that the
code depends on, so that the kernels of other sources do not count.

Numba itself notices a change in the file of a kernel only, and none in the file of a function that
the kernel calls. `kernel` takes care of that; the files of other sources are removed here.
"""

import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from dicecup.engine import kernel, native, shared_code, sources
from dicecup.engine.shared_code import ENGINE

PREFIX: Final = "compiled-"


class Step(NamedTuple):
    """A function of a module that calls some kernels, by name."""

    name: str
    run: Callable[[], object]


Steps = Sequence[Sequence[Step]]
"""Groups of steps, one group after the other. The steps of a group can run side by side."""


def missing(groups: Steps) -> list[list[Step]]:
    """Return the steps that are still to be taken; none with the native library.

    The files that Numba keeps of other sources are removed.
    """
    if not kernel.compiles_just_in_time():
        return []
    _begin(taken := folder())
    left = [[step for step in group if not (taken / step.name).exists()] for group in groups]
    return [group for group in left if group]


def take(step: Step) -> None:
    """Take a step and note it."""
    step.run()
    with suppress(OSError):  # the next process takes the step again, which is short
        (folder() / step.name).touch()


def take_missing(groups: Steps) -> None:
    """Take the steps that are missing, in as many processes as the machine has cores."""
    left = missing(groups)
    if not left:
        return
    with ProcessPoolExecutor(processes(), get_context("spawn")) as executor:
        for group in left:
            list(executor.map(take, group))


def processes() -> int:
    """Return how many processes compile at once. On Windows they could not share their files."""
    return 1 if sys.platform == "win32" else os.cpu_count() or 1


def folder() -> Path:
    """Return the folder with a file for each step that was taken. It may not exist."""
    return shared_code.cache_folder() / f"{PREFIX}{stamp()}"


def stamp() -> str:
    """Return a hash of the sources of kernels and steps, of Python, of Numba and of the
    processor."""
    digest = hashlib.sha256(repr((sys.implementation.cache_tag, platform.machine(), sorted(native.features()))).encode())
    with suppress(PackageNotFoundError):
        digest.update(version("numba").encode())
    digest.update(sources.stamp(_sources(), ENGINE.parent).encode())
    return digest.hexdigest()[:16]


def _sources() -> Iterable[Path]:
    yield from ENGINE.rglob("*.py")
    yield from ENGINE.parent.glob("*/warm.py")


def _begin(taken: Path) -> None:
    """Make the folder. The process that makes it removes the files of other sources."""
    with suppress(OSError):
        taken.parent.mkdir(parents=True, exist_ok=True)
        taken.mkdir()
        for path in ENGINE.rglob("*.nb[ic]"):
            path.unlink(missing_ok=True)
        for path in taken.parent.glob(f"{PREFIX}*"):
            if path != taken:
                shutil.rmtree(path, ignore_errors=True)
