"""The program `dicecup`: in the process of the test, through a pipe, or in a pseudo-terminal."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pexpect
import pytest

from dicecup.cli import main

PROGRAM = (sys.executable, "-c", "import sys; from dicecup.cli import main; sys.exit(main())")
PROMPT = re.compile(r"[^\n>]*> ?\Z")
SECONDS = 280
"""The longest time for one answer on a slow machine. No test waits for it to pass."""


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment without the settings of the user who runs the tests. Games are saved
    under `folder`.
    """
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
    """Run a command to its end in the process of the test, with `typed` as standard input.

    The standard streams have this encoding and are no terminals.
    """
    inputs, outputs, errors = (TextIOWrapper(BytesIO(text), encoding) for text in (typed.encode(encoding), b"", b""))
    with pytest.MonkeyPatch.context() as patched:
        for name in set(os.environ) - set(given := environment(folder, **(environ or {}))):
            patched.delenv(name)
        for name, value in given.items():
            patched.setenv(name, value)
        for name, stream in (("stdin", inputs), ("stdout", outputs), ("stderr", errors)):
            patched.setattr(sys, name, stream)
        code = main(arguments)
    shown = []
    for stream in (outputs, errors):
        stream.flush()
        shown.append(stream.buffer.getvalue().decode(encoding))
    return subprocess.CompletedProcess(arguments, code, *shown)


def start_program(
    folder: Path, *arguments: str, typed: str = "", environ: Mapping[str, str] | None = None, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in a process of its own, with `typed` as standard input."""
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
    """Return entries as lines of standard input."""
    return "".join(f"{entry}\n" for entry in entries)


def saved(folder: Path) -> list[Path]:
    """Return the records under `folder`, the oldest first."""
    return sorted(folder.glob("dicecup/games/*.dicecup"))


@contextmanager
def terminal(folder: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Iterator["pexpect.spawn[str]"]:
    """Run the program in a pseudo-terminal of 24 lines and 80 columns, without echo."""
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
    """Wait for the end of the program and return its exit code."""
    child.expect(pexpect.EOF)
    child.wait()  # the terminal closes before the process ends
    assert child.exitstatus is not None
    return int(child.exitstatus)


def enter(child: "pexpect.spawn[str]", entries: Sequence[str], prompt: str) -> list[str]:
    """Enter each entry at a prompt. Return the output before each of them and after the last."""
    shown = []
    for entry in entries:
        child.expect(prompt)
        shown.append(str(child.before))
        child.sendline(entry)
    child.expect(prompt)
    return [*shown, str(child.before)]
