"""`dicecup serve` in a process of its own, for figures of the network."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL, SIGTERM


@dataclass
class Served:
    """A running server: its URL and its process."""

    url: str
    process: subprocess.Popen[str]

    def resident(self) -> int:
        """Return the resident memory in bytes (Linux)."""
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text("ascii").splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss:"))

    def cpu_seconds(self) -> float:
        """Return the user and system CPU time in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def waited_seconds(self) -> float:
        """Return the seconds that the main thread waited for a core while other programs used
        it."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text("ascii").split()[1]) / 1e9

    def kill(self) -> None:
        """Kill the process, as a power cut does."""
        self.process.send_signal(SIGKILL)
        self.process.wait()


def begin(folder: Path, port: str, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a server with its data in this folder, wait until it listens, and store its URL in the
    folder."""
    program = Path(sys.executable).with_name("dicecup")
    limits = {"DICECUP_REQUESTS_PER_SECOND": "1000000", "DICECUP_TABLES_PER_IDENTITY": "1000000", "DICECUP_PROCESSES": "1"}
    with (folder / "log").open("a", encoding="utf-8") as log:
        process = subprocess.Popen(
            [program, "serve", "--host", "127.0.0.1", "--port", port],
            env=os.environ | limits | {"DICECUP_DATA": str(folder)} | dict(environment),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise SystemExit((folder / "log").read_text("utf-8"))
    (folder / "url").write_text(f"http://127.0.0.1:{line.rpartition(':')[2]}", "ascii")
    return process


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Served]:
    """Yield a server on a free port. It runs until the end of the block."""
    process = begin(folder, "0", environment)
    try:
        yield Served((folder / "url").read_text("ascii"), process)
    finally:
        if process.poll() is None:
            process.send_signal(SIGTERM)
        process.communicate()
