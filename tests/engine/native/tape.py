"""`python -m tests.engine.native.tape FILE`: what kernels that Numba compiles do.

The tape holds some calls of each kernel with each combination of types: its arguments before, and
its arguments and its result after. It also holds the names of the functions of the module to which
the kernels are linked.
"""

import copy
import pickle
import sys
from collections import Counter
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

import numpy as np

from dicecup.arena import warm
from dicecup.core.turn import KeptDice
from dicecup.engine import kernel
from dicecup.engine.native import collect
from dicecup.engine.turn import batch

CALLS = 4
"""Calls of a kernel with the same types that are kept."""


Tape: TypeAlias = "tuple[list[Call], list[str]]"
Call: TypeAlias = tuple[str, tuple[Any, ...], tuple[Any, ...], Any]
"""The kernel with its module, its arguments before and after, and its result."""


def main(to: Path) -> None:
    """Call all kernels as the warm-ups do, and write the tape."""
    calls: list[Call] = []
    seen: Counter[Any] = Counter()
    alone = Lock()
    plain = kernel.RecordedKernel.__call__

    def record(self: kernel.RecordedKernel, *arguments: Any) -> Any:
        kinds = (self.name, tuple(map(kind, arguments)))
        with alone:  # other threads write to the same arrays
            seen[kinds] += 1
            if seen[kinds] > CALLS:
                return plain(self, *arguments)
            before = copy.deepcopy(arguments)
            result = plain(self, *arguments)
            calls.append((self.name, before, copy.deepcopy(arguments), result))
            return result

    kernel.RecordedKernel.__call__ = record  # type: ignore[method-assign]
    draw = np.random.default_rng(1)
    for kept_dice in KeptDice:
        stages = draw.random((5, 252, 21))
        batch.turn_values(stages[:3, :, 0], stages[3:, :, 0], kept_dice=kept_dice)
        batch.expectations_and_keeps(stages, kept_dice=kept_dice)
        batch.expectations(stages.astype(np.float32), kept_dice=kept_dice)
    warm.warm()
    module = collect.linked((library, export.code) for export, library in collect.exports())
    tape: Tape = calls, [function.name for function in module.functions]
    to.write_bytes(pickle.dumps(tape))


def kind(argument: Any) -> Any:
    """Return what distinguishes types of arguments here."""
    return getattr(argument, "dtype", type(argument)), getattr(argument, "ndim", 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
