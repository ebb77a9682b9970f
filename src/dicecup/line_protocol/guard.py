"""Kill the engines of a process after its end, however it ended.

`Program` runs this file as a script, with the standard library alone. Standard input holds a line
`+GROUP` for each process group that was started and `-GROUP` for each that has ended. It is closed
when its writer ends or is killed. The groups that are left then get `GRACE` seconds to end.
"""

import os
import signal
import sys
import time
from collections.abc import Collection, Iterable
from contextlib import suppress

GRACE = 1.0
PAUSE = 0.02


def left_groups(lines: Iterable[str]) -> set[int]:
    """Return the groups that were started and have not ended."""
    groups: set[int] = set()
    for line in lines:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    return groups


def end(groups: Collection[int]) -> None:
    """Kill the groups that do not end by themselves."""
    until = time.monotonic() + GRACE
    while any(map(_exists, groups)) and time.monotonic() < until:
        time.sleep(PAUSE)
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    end(left_groups(sys.stdin))
