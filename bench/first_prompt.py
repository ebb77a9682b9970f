"""The time from `dicecup play` to the first prompt.

The program gets no input, so it prints its first prompt and ends. The measured time until its end
is an upper bound.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

RUNS = 20


def main() -> None:
    program = Path(sys.executable).with_name("dicecup")
    with tempfile.TemporaryDirectory() as home:
        seconds = sorted(_seconds(program, home) for _ in range(RUNS))
    print(
        f"dicecup play: {median(seconds):.3f} s to the first prompt and out again (median of {RUNS}; worst {seconds[-1]:.3f} s)"
    )


def _seconds(program: Path, home: str) -> float:
    begin = perf_counter()
    ended = subprocess.run(
        [program, "play"], stdin=subprocess.DEVNULL, capture_output=True, env={"HOME": home, "LANG": "C.UTF-8"}, check=False
    )
    seconds = perf_counter() - begin
    if not ended.stdout or b"Traceback" in ended.stderr:
        raise SystemExit(ended.stderr.decode() or "no prompt was shown")
    return seconds


if __name__ == "__main__":
    main()
