"""The real program, driven as a person drives it: through a pipe, or through a pseudo-terminal."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pexpect

PROGRAM = (sys.executable, "-c", "import sys; from dicecup.cli import main; sys.exit(main())")
PROMPT = re.compile(r"[^\n>]*> ?\Z")
SECONDS = 60
"""How long the slowest machine may take for one answer; no test waits for it."""


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Nothing of the person who runs the tests; games are saved under `folder`."""
    kept = {
        name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "HOME", "COVERAGE_PROCESS_START")
    }
    home = {"XDG_DATA_HOME": str(folder), "LANG": "en_GB.UTF-8", "PYTHONUTF8": "1", "TERM": "xterm"}
    if "PYTHONPATH" in kept:
        kept["PYTHONPATH"] = os.path.abspath(kept["PYTHONPATH"])  # noqa: PTH100 a path, or several
    return {**kept, **home, **more}


def dicecup(
    folder: Path, *arguments: str, typed: str = "", environ: Mapping[str, str] | None = None, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    """Runs a command with this standard input to its end."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        check=False,
        encoding=encoding,
        env=environment(folder, **(environ or {})),
        timeout=SECONDS,
    )


def lines(*entries: str) -> str:
    """Entries as they are typed."""
    return "".join(f"{entry}\n" for entry in entries)


def saved(folder: Path) -> list[Path]:
    """The records under `folder`, the oldest first."""
    return sorted(folder.glob("dicecup/games/*.dicecup"))


@contextmanager
def terminal(folder: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Iterator["pexpect.spawn[str]"]:
    """The program in a pseudo-terminal of 24 lines and 80 columns, without echo."""
    child = pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], *arguments],
        env=environment(folder, **(environ or {})),
        encoding="utf-8",
        dimensions=(24, 80),
        echo=False,
        timeout=SECONDS,
    )
    try:
        yield child
    finally:
        child.close(force=True)


def ended(child: "pexpect.spawn[str]") -> int:
    """Waits for the end of the program; its exit code."""
    child.expect(pexpect.EOF)
    child.wait()  # the terminal is closed a moment before the process has ended
    assert child.exitstatus is not None
    return int(child.exitstatus)


def enter(child: "pexpect.spawn[str]", entries: Sequence[str], prompt: str) -> list[str]:
    """Types entries one by one, each at a prompt; what was shown before each of them and at the end."""
    shown = []
    for entry in entries:
        child.expect(prompt)
        shown.append(str(child.before))
        child.sendline(entry)
    child.expect(prompt)
    return [*shown, str(child.before)]
