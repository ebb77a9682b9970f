"""Progress bars on a terminal, and a message when kernels have to be compiled.

This module holds no sentence. Nothing is shown for work that takes less than a second.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from dicecup.engine.kernel import compiles_just_in_time

Progress: TypeAlias = Callable[[int, int], None]
"""A function that receives the amount of work done and the total amount."""
FORMAT: Final = "{percentage:3.0f} % |{bar}| {elapsed}<{remaining}"
DELAY: Final = 1.0
"""Seconds before a bar appears."""


def unwatched(done: int, of: int) -> None:
    """Ignore the progress."""


@contextmanager
def bar() -> Iterator[Progress]:
    """Show a progress bar on standard error if that is a terminal. The context value is the
    function that moves the bar.
    """
    from tqdm import tqdm

    with tqdm(bar_format=FORMAT, delay=DELAY, leave=False, file=sys.stderr, disable=None) as shown:

        def move(done: int, of: int) -> None:
            """Move the bar to `done` of `of` steps."""
            shown.total = of
            shown.update(done - shown.n)

        yield move


@contextmanager
def compiling(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` before the first kernel that is compiled inside the `with` block.

    Kernels are compiled at their first use on a machine on which `dicecup.engine.warm` was not run.
    """
    if not compiles_just_in_time() and "numba" not in sys.modules:
        yield
        return

    from numba.core import event

    said: list[bool] = []

    class Listener(event.Listener):  # type: ignore[misc, unused-ignore]
        """Listener to the start of the first compilation."""

        def on_start(self, event: Any) -> None:  # noqa: ARG002 (Numba calls it)
            """Call `say` once."""
            if not said:
                said.append(True)
                say()

        def on_end(self, event: Any) -> None:
            """Ignore the end of a compilation."""

    with event.install_listener("numba:compile", Listener()):
        yield
