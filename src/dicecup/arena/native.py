"""`python -m dicecup.arena.native`: compile the kernels ahead of time (`dicecup.engine.native`).

The library holds the kernels that `dicecup.arena.warm` calls from Python, with the types that it
calls them with.
"""

import os
import sys

from dicecup.engine import kernel


def main() -> int:
    """Build, in a process of its own that records which kernels are called. Returns its exit
    code."""
    from dicecup.engine.native import build

    if os.environ.get(kernel.VARIABLE) != kernel.RECORD:
        return build.in_recording_process(__spec__.name)

    from dicecup.arena import warm
    from dicecup.engine.native.manifest import digest

    begun = digest(build.sources())
    warm.warm()
    build.build(begun)
    return 0


if __name__ == "__main__":
    sys.exit(main())
