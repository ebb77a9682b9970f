"""A program that runs beside this process: lines to it and from it, within limits.

No program can make this process wait beyond a deadline or hold more than `MOST_OUTPUT` bytes of
output. A program has a process group of its own, which is killed as a whole. `guard` kills it if
this process is killed.
"""

import os
import select
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from threading import Lock
from time import monotonic
from typing import IO, Final, Self, TypeAlias, cast

from dicecup.line_protocol import guard
from dicecup.line_protocol.errors import LineProtocolCode, LineProtocolError
from dicecup.line_protocol.lines import LONGEST_LINE

Clock: TypeAlias = Callable[[], float]
"""A function that returns seconds and never goes back."""

MOST_OUTPUT: Final = 1_048_576
"""Bytes that a program may write between a request and the end of its answer."""
CHUNK: Final = 65_536
"""Bytes that are read at once."""
NOTES: Final = 4_096
"""Bytes of the standard error that are kept."""
GRACE: Final = 1.0
"""Seconds that a program gets to end after its input was closed."""
LONGEST_POLL: Final = 60.0
"""Seconds of one wait. A wait that ends early is repeated."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The end of a time limit of `seconds`, by a clock."""

    seconds: float
    at: float
    clock: Clock

    @classmethod
    def after(cls, seconds: float, clock: Clock = monotonic) -> Self:
        """Return the deadline of a limit that begins now."""
        return cls(seconds, clock() + seconds, clock)

    @property
    def left(self) -> float:
        """Return the seconds that are left, negative after the deadline."""
        return self.at - self.clock()


class Program:
    """A running program.

    `name` is the text under which errors name the program. Raises `LineProtocolError`
    (`engine-missing`, `engine-not-executable`, `engine-unsupported`).
    """

    def __init__(self, command: Sequence[str], name: str, environment: Mapping[str, str] | None = None) -> None:
        if sys.platform == "win32":
            raise LineProtocolError(LineProtocolCode.UNSUPPORTED, engine=name)
        self.name = name
        try:
            self._process = Popen(  # noqa: S603 the person who starts the match names the program
                command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, start_new_session=True, env=environment
            )
        except FileNotFoundError as error:
            raise LineProtocolError(LineProtocolCode.MISSING, engine=name, why=error.strerror) from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise LineProtocolError(LineProtocolCode.NOT_EXECUTABLE, engine=name, why=why) from None
        GUARD.add(self._process.pid)
        self._buffer = bytearray()
        self._allowed = MOST_OUTPUT
        self._notes = b""
        self._is_open = True
        self._input, self._output, self._errors = (
            cast(IO[bytes], stream).fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream, False)
        self._poll = select.poll()
        for stream in (self._output, self._errors):
            self._poll.register(stream, select.POLLIN)

    def send(self, line: str, deadline: Deadline) -> None:
        """Write a line. From here on the program may write `MOST_OUTPUT` bytes again.

        A program that no longer reads is noticed by `receive`. Raises `LineProtocolError`.
        """
        self._allowed = MOST_OUTPUT
        left = memoryview(f"{line}\n".encode())
        while left:
            try:
                left = left[os.write(self._input, left) :]
            except BlockingIOError:
                self._poll.register(self._input, select.POLLOUT)
                try:
                    self._wait(deadline)
                finally:
                    self._poll.unregister(self._input)
            except BrokenPipeError:
                return

    def receive(self, deadline: Deadline) -> str:
        """Return the next line of the program's output.

        Raises `LineProtocolError` (`engine-slow`, `engine-died`, `engine-closed`,
        `engine-flooded`).
        """
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > LONGEST_LINE:
                raise self._flooded(LONGEST_LINE)
            self._wait(deadline)
        line = self._buffer[:end].decode("utf-8", "replace")
        del self._buffer[: end + 1]
        return line.rstrip("\r")

    def kill(self) -> None:
        """Kill the program's group. Another thread may be waiting for an answer; it gets an
        error."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self, grace: float = GRACE) -> None:
        """Close the input of the program, wait `grace` seconds for its end, and kill its group."""
        if not self._is_open:
            return
        self._is_open = False
        os.set_blocking(self._input, True)
        cast(IO[bytes], self._process.stdin).close()
        if grace > 0:
            with suppress(TimeoutExpired):
                self._process.wait(grace)
        self.kill()
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            cast(IO[bytes], stream).close()
        GUARD.remove(self._process.pid)

    def _wait(self, deadline: Deadline) -> None:
        """Wait until the program writes, reads or ends, and take what it wrote."""
        left = deadline.left
        if left <= 0:
            raise self._late(deadline)
        for stream, _ in self._poll.poll(ceil(1000 * min(left, LONGEST_POLL))):
            if stream == self._output:
                self._take(os.read(stream, CHUNK))
            elif stream == self._errors:
                self._note(os.read(stream, CHUNK))

    def _take(self, chunk: bytes) -> None:
        if not chunk:
            raise self._ended()
        self._buffer += chunk
        self._allowed -= len(chunk)
        if self._allowed < 0:
            raise self._flooded(MOST_OUTPUT)

    def _note(self, chunk: bytes) -> None:
        """Keep the end of the standard error."""
        if chunk:
            self._notes = (self._notes + chunk)[-NOTES:]
        else:
            self._poll.unregister(self._errors)

    # --- Errors -----------------------------------------------------------------------------------

    def _late(self, deadline: Deadline) -> LineProtocolError:
        """Return the error of a program that did not answer. A child may hold the output of a
        program that has ended."""
        if self._process.poll() is not None:
            return self._died()
        return LineProtocolError(LineProtocolCode.SLOW, engine=self.name, seconds=f"{deadline.seconds:g}")

    def _ended(self) -> LineProtocolError:
        """Return the error of a program whose output has ended."""
        try:
            self._process.wait(GRACE)
        except TimeoutExpired:
            return LineProtocolError(LineProtocolCode.CLOSED, engine=self.name)
        return self._died()

    def _died(self) -> LineProtocolError:
        """Return the error of a program that has ended, with its status and its last words."""
        with suppress(BlockingIOError, ValueError):
            for _ in range(NOTES):
                if not (chunk := os.read(self._errors, CHUNK)):
                    break
                self._notes = (self._notes + chunk)[-NOTES:]
        code = self._process.returncode
        status = f"status {code}" if code >= 0 else f"signal {-code}"
        written = self._notes.decode("utf-8", "replace").strip().splitlines()
        return LineProtocolError(
            LineProtocolCode.DIED, engine=self.name, why=": ".join([status, *(line.strip() for line in written[-1:])])
        )

    def _flooded(self, limit: int) -> LineProtocolError:
        return LineProtocolError(LineProtocolCode.FLOODED, engine=self.name, bytes=limit)


class _Guard:
    """The process that kills the programs of this process after its end.

    It runs while there are programs.
    """

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._process: Popen[bytes] | None = None
        self._lock = Lock()

    def add(self, group: int) -> None:
        """Guard a process group."""
        with self._lock:
            self._groups.add(group)
            if self._process is None:
                script = Path(guard.__file__)
                self._process = Popen(  # noqa: S603 a script of this package
                    [sys.executable, "-I", "-S", script], stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
                )
            self._write(f"+{group}\n")

    def remove(self, group: int) -> None:
        """Forget a process group that has ended. Without any group the guard ends."""
        with self._lock:
            self._groups.discard(group)
            self._write(f"-{group}\n")
            if not self._groups and self._process is not None:
                with suppress(BrokenPipeError):
                    cast(IO[bytes], self._process.stdin).close()
                self._process.wait()
                self._process = None

    def _write(self, line: str) -> None:
        if self._process is not None:
            stream = cast(IO[bytes], self._process.stdin)
            with suppress(BrokenPipeError):
                stream.write(line.encode())
                stream.flush()


GUARD: Final = _Guard()
