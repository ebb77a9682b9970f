"""`python -m dicecup.arena.native`: compile the kernels ahead of time (`dicecup.engine.native`).

The library holds the kernels that `dicecup.arena.warm` calls from Python, with the types that it
calls them with.
"""

import os
import sys
from collections.abc import Sequence

from dicecup.engine import kernel

ANALYSES = "analyses"
ARENAS = "arenas"


def main(arguments: Sequence[str]) -> int:
    """Build, in processes that record which kernels are called, unless the library of these sources
    is there. Returns the exit code.

    `arguments`: of such a process. `ANALYSES` and `ARENAS` compile a half of the kernels each.
    """
    from dicecup.engine.native import build

    if os.environ.get(kernel.VARIABLE) != kernel.RECORD:
        if build.is_built():
            return 0
        sys.stderr.write("Compiling the kernels ahead of time; this takes two minutes on two cores.\n")
        return build.in_recording_processes(__spec__.name, (ANALYSES, ARENAS))

    from dicecup.analysis import warm as analysis
    from dicecup.arena import warm

    (part,) = arguments
    if part == ANALYSES:
        analysis.warm()
    elif part == ARENAS:
        warm.warm_bounds()
        warm.warm_trainings()
        warm.warm_arenas()
        warm.warm_batches()
    else:
        warm.warm()
        build.build(begun=part)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
