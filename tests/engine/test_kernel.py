"""Kernels that Numba compiles: for calls from Python, and for calls from other kernels."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from dicecup.engine import kernel, shared_code

pytest.importorskip("numba")

SOURCE: Final = """
from dicecup.engine.kernel import kernel


@kernel
def one_more(number):
    return number + 1


@kernel
def doubled(number):
    return 2 * one_more(number) + one_more(1)


@kernel
def total(number):
    if number == 0:
        return 0
    return number + total(number - 1)


@kernel
def total_and_more(number):
    return one_more(total(number))
"""
PROGRAM: Final = """
from numba.core import event
import some_kernel

with event.install_recorder("numba:compile") as compiled:
    print(some_kernel.doubled(3), some_kernel.one_more(4), some_kernel.one_more(0.5))
    print(some_kernel.total_and_more(3), some_kernel.total(4))
names = [found.data["dispatcher"].py_func.__name__ for _, found in compiled.buffer if found.is_start]
print(*sorted(name for name in names if hasattr(some_kernel, name)))
"""


ALLOCATING: Final = """
import numpy as np

from dicecup.engine.kernel import kernel


@kernel
def ones(into):
    into[0] = np.ones(3)[0]


@kernel
def more(into):
    into[0] = (into + 1)[0]


@kernel
def assigned(into):
    into[:] = into[::-1]
"""
REFUSED: Final = """
from numba.core.errors import NumbaError
import numpy as np
import some_kernel

for kernel in (some_kernel.ones, some_kernel.more, some_kernel.assigned):
    try:
        kernel(np.zeros(1))
    except NumbaError:
        print(kernel.__name__, "is refused")
"""
ON_THE_STACK: Final = """
from math import nan

import numpy as np

from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch

WIDTH = 3


@kernel
def filled(depth, into):
    own, other = scratch((2, WIDTH), np.int16), scratch(WIDTH, into.dtype)
    own[:] = depth
    other[:] = nan
    if depth > 0:
        filled(depth - 1, into)
    copy(into[depth, ::-1], own[1])
    return own.size + len(other)
"""
CALL_IT: Final = """
import numpy as np
import some_kernel

into = np.empty((4, 3))
print(some_kernel.filled(3, into), *into.ravel())
"""


CALLED: Final = """
from dicecup.engine.kernel import kernel


@kernel
def called(number):
    return number + {more}
"""
CALLING: Final = """
from called_kernel import called
from dicecup.engine.kernel import kernel


@kernel
def calling(number):
    return called(number)
"""
IN_AN_ENGINE: Final = """
import os
from pathlib import Path

from dicecup.engine import sources

sources.ENGINE = Path(os.environ["NUMBA_CACHE_DIR"])
from calling_kernel import calling

print(calling(1), sum(calling.stats.cache_hits.values()))
"""


def run(folder: Path, program: str = PROGRAM) -> list[str]:
    """Return the lines that a program prints in a process that compiles just in time."""
    paths = os.pathsep.join([str(folder), *filter(None, sys.path)])
    environment = os.environ | {kernel.VARIABLE: kernel.JIT, shared_code.CACHE: str(folder), "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.slow
def test_kernels_that_others_call_run_from_python_too_and_are_compiled_once(tmp_path: Path) -> None:
    (tmp_path / "some_kernel.py").write_text(SOURCE)
    *results, compiled = run(tmp_path)
    assert results == ["10 5 1.5", "7 10"]
    # for calls of kernels, and for calls from Python with each type
    assert compiled == "doubled one_more one_more one_more total total total_and_more"
    assert run(tmp_path) == [*results, ""]


@pytest.mark.slow
def test_a_change_of_a_kernel_that_is_called_compiles_its_callers_anew(tmp_path: Path) -> None:
    (tmp_path / "calling_kernel.py").write_text(CALLING)
    (tmp_path / "called_kernel.py").write_text(CALLED.format(more=1))
    assert run(tmp_path, IN_AN_ENGINE) == ["2 0"]
    assert run(tmp_path, IN_AN_ENGINE) == ["2 1"]
    (tmp_path / "called_kernel.py").write_text(CALLED.format(more=10))
    assert run(tmp_path, IN_AN_ENGINE) == ["11 0"]


@pytest.mark.slow
def test_a_kernel_that_allocates_is_not_compiled(tmp_path: Path) -> None:
    (tmp_path / "some_kernel.py").write_text(ALLOCATING)
    assert run(tmp_path, REFUSED) == ["ones is refused", "more is refused", "assigned is refused"]


def test_each_call_has_arrays_of_its_own_on_the_stack(tmp_path: Path) -> None:
    (tmp_path / "some_kernel.py").write_text(ON_THE_STACK)
    assert run(tmp_path, CALL_IT) == ["9 " + " ".join(f"{depth:.1f}" for depth in range(4) for _ in range(3))]
