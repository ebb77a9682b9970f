"""The figures that the README quotes: `python -m bench [FIGURE ...]`, all of them without a name.

A figure is a module of this folder that prints what it measures. Each runs in a process of its own,
one after the other, so that no figure warms or slows the next. Several figures share the modules
whose name begins with `_`.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

FIGURES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main(wanted: list[str]) -> int:
    """Run the figures and return the exit code: 0, 1 if a figure failed, 2 for an unknown name."""
    if unknown := set(wanted) - set(FIGURES):
        print(f"no such figure: {', '.join(sorted(unknown))}; there are: {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    print(f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}", flush=True)
    failed = []
    for figure in wanted or FIGURES:
        print(f"\n{figure}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{figure}"], check=False).returncode:
            failed.append(figure)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
