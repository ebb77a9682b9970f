"""`python -m dicecup.line_protocol.agent_process package.module:factory`: an agent as an engine."""

import os
import sys
from collections.abc import Callable
from typing import BinaryIO

from dicecup.line_protocol.agents import agent_factory
from dicecup.line_protocol.errors import LineProtocolError
from dicecup.line_protocol.server import Server


def standard_streams() -> tuple[BinaryIO, Callable[[str], object]]:
    """Return the standard input and a function that writes a line to the standard output.

    From then on the player reads nothing from the standard input, and what it prints goes to the
    standard error.
    """
    lines = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace", newline="\n")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)

    def write(line: str) -> None:
        answers.write(f"{line}\n")
        answers.flush()

    return lines, write


def serve_agent(path: str) -> int:
    """Let an agent answer the lines of the standard input and return the exit code."""
    lines, write = standard_streams()
    try:
        Server(path, agent_factory(path), write).run(lines)
    except LineProtocolError as error:
        write(f"info error {' '.join(str(error.details['why']).split())}")
        return 1
    except BrokenPipeError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(serve_agent(sys.argv[1]))
