"""Benchmarks behind the figures of the README: `python -m bench [FIGURE ...]`.

Without an argument all figures are measured. A figure is a module of this package that prints its
measurements when it is run. The figures run one after the other, each in a process of its own, so
that no figure warms up or slows down the next one. Figures share the modules whose names begin
with `_`.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

FIGURES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main(names: list[str]) -> int:
    """Run the named figures, or all of them, and return the exit code.

    The exit code is 0 if all figures succeeded, 1 if a figure failed and 2 for an unknown name.
    """
    if unknown := set(names) - set(FIGURES):
        print(f"unknown figure: {', '.join(sorted(unknown))}; known figures: {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    print(f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}", flush=True)
    failed = []
    for figure in names or FIGURES:
        print(f"\n{figure}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{figure}"], check=False).returncode:
            failed.append(figure)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _processor() -> str:
    """Return the model name of the processor, or its architecture where Linux names no model."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
