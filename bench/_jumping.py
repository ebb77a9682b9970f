"""`dicecup` with a system time that jumps: `python -m bench._jumping FILE COMMAND ...`.

The first 8 bytes of `FILE` are a double in native byte order: the seconds that are added to the
system time. To make the time jump, write another value there. Only `time.time` of this process is
changed, because a jump of the machine's time would affect all other programs. Linux's time
namespaces do not change the system time.
"""

import mmap
import struct
import sys
import time
from pathlib import Path

AHEAD = struct.Struct("d")


def write(file: Path, ahead: float) -> None:
    """Let the system time of a process that reads the file be so many seconds ahead."""
    with file.open("r+b" if file.exists() else "wb") as opened:
        opened.write(AHEAD.pack(ahead))


def follow(file: Path) -> None:
    """Replace `time.time` by one that is as far ahead as the file says."""
    real = time.time
    with file.open("rb") as opened:
        ahead = mmap.mmap(opened.fileno(), AHEAD.size, access=mmap.ACCESS_READ)
    time.time = lambda: real() + AHEAD.unpack(ahead)[0]


if __name__ == "__main__":
    follow(Path(sys.argv[1]))
    from dicecup.cli import main

    sys.exit(main(sys.argv[2:]))
