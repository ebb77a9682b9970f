import os
import signal
import subprocess
import sys
from pathlib import Path

from dicecup.line_protocol.guard import left_groups
from tests.line_protocol.stubs import stub

HOST = """
import os, signal, sys
from dicecup.line_protocol import EngineSpec, Limits
engine = EngineSpec.read(sys.argv[1]).start(Limits(300))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_engines_end_with_a_host_that_is_killed(tmp_path: Path) -> None:
    """The engine ignores the end of its input, and so does its child."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    ended = subprocess.run([sys.executable, "-c", HOST, stub("stays", fifo)], check=False)
    assert ended.returncode == -signal.SIGKILL
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_groups_that_ended_are_left_alone() -> None:
    assert left_groups(["+5\n", "+6\n", "-5\n", "+7\n"]) == {6, 7}
