"""Time from the start of `dicecup play` to its first prompt.

The program's input is empty: it shows its first prompt, reads the end of its input and exits. The
measured time includes the exit and is an upper bound, and the text of the prompt does not matter.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

RUNS = 20


def main() -> None:
    """Print the median and the longest time."""
    program = Path(sys.executable).with_name("dicecup")
    with tempfile.TemporaryDirectory() as home:
        seconds = sorted(_seconds(program, home) for _ in range(RUNS))
    print(f"dicecup play: {median(seconds):.3f} s to the first prompt and exit (median of {RUNS}; worst {seconds[-1]:.3f} s)")


def _seconds(program: Path, home: str) -> float:
    """Run the program once and return the seconds that it took.

    Raises `SystemExit` if the program printed nothing or a traceback.
    """
    begin = perf_counter()
    process = subprocess.run(
        [program, "play"], stdin=subprocess.DEVNULL, capture_output=True, env={"HOME": home, "LANG": "C.UTF-8"}, check=False
    )
    seconds = perf_counter() - begin
    if not process.stdout or b"Traceback" in process.stderr:
        raise SystemExit(process.stderr.decode() or "no prompt was shown")
    return seconds


if __name__ == "__main__":
    main()
