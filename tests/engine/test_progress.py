"""Progress bars, and the message before kernels are compiled."""

import io
import sys
from typing import Any

import pytest
from numba import njit

from dicecup.engine.progress import bar, compiling


def add_one(number: int) -> int:
    return number + 1


def test_compiling_is_reported_once_if_a_kernel_is_compiled() -> None:
    said: list[str] = []
    one: Any = njit(add_one)
    other: Any = njit(lambda number: one(number) + 1)

    with compiling(lambda: said.append("compiling")):
        assert other(1) == 3
    assert said == ["compiling"]
    with compiling(lambda: said.append("again")):
        assert other(2) == 4
    assert said == ["compiling"]
    other(1.5)  # compiled for another type, after the listener was removed
    assert said == ["compiling"]


def test_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    with bar() as progress:
        for done in range(0, 101, 10):
            progress(done, 100)
    assert shown.getvalue() == ""
