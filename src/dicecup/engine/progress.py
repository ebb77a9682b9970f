"""What a person sees while something takes long: a bar with the remaining time, and a word when kernels are compiled.

Both are for a terminal; neither holds a sentence. Nothing appears for what is done in a second.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from tqdm import tqdm

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how much is done, and of how much."""
FORMAT: Final = "{percentage:3.0f} % |{bar}| {elapsed}<{remaining}"
DELAY: Final = 1.0
"""Seconds before a bar appears."""


def unwatched(done: int, of: int) -> None:
    """Progress that nobody sees."""


@contextmanager
def bar() -> Iterator[Progress]:
    """A progress bar on standard error, if that is a terminal."""
    with tqdm(bar_format=FORMAT, delay=DELAY, leave=False, file=sys.stderr, disable=None) as shown:

        def tell(done: int, of: int) -> None:
            shown.total = of
            shown.update(done - shown.n)

        yield tell


@contextmanager
def compiling(say: Callable[[], None]) -> Iterator[None]:
    """Calls `say` once if a kernel has to be compiled while this lasts, before that begins: the first use of a machine that was
    not set up with `dicecup.engine.warm`."""
    from numba.core import event

    said: list[bool] = []

    class Listener(event.Listener):  # type: ignore[misc, unused-ignore]
        def on_start(self, event: Any) -> None:  # noqa: ARG002 (Numba calls it)
            if not said:
                said.append(True)
                say()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield
