"""What `pip install` of the wheel brings: its size, and the cost of a process that thinks.

Printed are the size of the installed packages with the largest of them (goal: at most 250 MB), the
time until `dicecup serve` hands out its first page (goal: at most 3 s), the CPU time of processes
that import Dicecup and calculate odds or one turn, and the memory of a process that has chosen at
all levels of both games and analysed their first decisions (goal: at most 90 MB). `make native` and
`make ui` build what the wheel holds.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from bench._processes import cpu_of_family
from bench.first_minute import Stopwatch, page_of, serving

TOP: Final = Path(__file__).parent.parent
LARGEST: Final = 5
"""Packages that are named."""
TOOLS: Final = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
"""Packages that a new environment has."""
FIRST_ODDS: Final = ("odds", "yamm")
FIRST_TURN: Final = "from dicecup.engine.warm import warm_turn; warm_turn()"
THINK: Final = """
import resource
from dicecup.analysis.warm import warm
warm()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def sizes(site: Path) -> dict[str, int]:
    """Return the bytes of each installed package."""
    entries = [path for path in site.iterdir() if not path.name.startswith(TOOLS)]
    return {path.name: sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file()) for path in entries}


def run(*command: str | Path, environment: dict[str, str]) -> str:
    """Run a program and return what it prints."""
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, str(TOP)]
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = Path(folder).glob("*.whl")
        site = Path(folder) / "installed"
        subprocess.run([sys.executable, "-m", "venv", site], check=True)
        python = site / "bin" / "python"
        subprocess.run([python, "-m", "pip", "--quiet", "install", wheel], check=True, stderr=subprocess.DEVNULL)
        found = sizes(next(site.glob("lib/python*/site-packages")))
        largest = sorted(found, key=found.__getitem__, reverse=True)[:LARGEST]
        named = ", ".join(f"{name} {found[name] / 1e6:.0f}" for name in largest)
        print(f"installed: {sum(found.values()) / 1e6:.1f} MB ({named}; goal: at most 250)", flush=True)

        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8", "DICECUP_DATA": f"{folder}/data"}
        begin = perf_counter()
        with serving(site / "bin" / "dicecup", environment) as (process, url):
            asyncio.run(page_of(url))
            print(
                f"first page: {perf_counter() - begin:.1f} s, {cpu_of_family(process):.1f} CPU s (goal: at most 3 s)",
                flush=True,
            )
        run(site / "bin" / "dicecup", *FIRST_ODDS, environment=environment)  # Python compiles its files once
        watch = Stopwatch()
        run(site / "bin" / "dicecup", *FIRST_ODDS, environment=environment)
        print(f"dicecup {' '.join(FIRST_ODDS)}: {watch}", flush=True)
        watch = Stopwatch()
        run(python, "-c", FIRST_TURN, environment=environment)
        print(f"import and first turn in a kernel: {watch}", flush=True)
        kilobytes = int(run(python, "-c", THINK, environment=environment))
        print(f"a process that has thought at all levels: {kilobytes / 1024:.0f} MB (goal: at most 90)")


if __name__ == "__main__":
    main()
