"""CPU time of programs and of the machine, from /proc (Linux only)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TICKS: Final = os.sysconf("SC_CLK_TCK")


def cpu_of(process: int) -> float:
    """Return the CPU seconds of a process without its children, 0 if it has ended."""
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
        return sum(int(thread.joinpath("schedstat").read_text("ascii").split()[0]) for thread in threads) / 1e9
    except OSError:
        return 0.0


def cpu_of_family(process: int) -> float:
    """Return the CPU seconds of a process and of all its children, also of those that ended."""
    fields = _fields(process)
    ended = (int(fields[13]) + int(fields[14])) / TICKS if fields else 0.0
    return cpu_of(process) + ended + sum(cpu_of_family(child) for child in _children(process))


def busy_seconds() -> float:
    """Return the CPU seconds that all programs of the machine have used on all cores."""
    user, nice, system, _, _, interrupts, soft, *_ = map(int, Path("/proc/stat").read_text("ascii").split("\n")[0].split()[1:])
    return (user + nice + system + interrupts + soft) / TICKS


def _children(process: int) -> Iterator[int]:
    try:
        found = [task.joinpath("children").read_text("ascii").split() for task in Path(f"/proc/{process}/task").iterdir()]
    except OSError:
        return
    for children in found:
        yield from map(int, children)


def _fields(process: int) -> list[str]:
    """Return the fields of /proc/PROCESS/stat after the name."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return []
