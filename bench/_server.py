"""`dicecup serve` in a process of its own, for the network figures."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL, SIGTERM


@dataclass
class ServerProcess:
    """A running server: its URL and its process."""

    url: str
    process: subprocess.Popen[str]

    def resident(self) -> int:
        """Return the resident set size of the process in bytes (Linux only)."""
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text("ascii").splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss:"))

    def cpu_seconds(self) -> float:
        """Return the user and system CPU time of the process in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def waited_seconds(self) -> float:
        """Return for how many seconds the main thread was ready to run but waited for a core.

        A high value means that other programs used the machine.
        """
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text("ascii").split()[1]) / 1e9

    def kill(self) -> None:
        """Kill the process with SIGKILL, which stops it as abruptly as a power cut."""
        self.process.send_signal(SIGKILL)
        self.process.wait()


def start(folder: Path, port: str, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a server with its data in `folder` and wait until it listens.

    The server's log is written to `folder/log` and its URL to `folder/url`. Raises `SystemExit`
    with the log if the server ends before it listens.
    """
    program = Path(sys.executable).with_name("dicecup")
    limits = {
        "DICECUP_CONNECTIONS": "100000",
        "DICECUP_CONNECTIONS_PER_ADDRESS": "100000",
        "DICECUP_MESSAGES_PER_ADDRESS": "1000000",
        "DICECUP_REQUESTS_PER_SECOND": "1000000",
        "DICECUP_TABLES_PER_IDENTITY": "1000000",
        "DICECUP_TABLES_PER_DAY": "1000000",
        "DICECUP_IDENTITIES_PER_DAY": "1000000",
        "DICECUP_MEGABYTES_PER_DAY": "1000000",
        "DICECUP_PROCESSES": "1",
    }
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
def served(folder: Path, **environment: str) -> Iterator[ServerProcess]:
    """Run a server on a free port until the end of the block."""
    process = start(folder, "0", environment)
    try:
        yield ServerProcess((folder / "url").read_text("ascii"), process)
    finally:
        if process.poll() is None:
            process.send_signal(SIGTERM)
        process.communicate()
