"""Engines as they are named on the command line: `engine:COMMAND` and `package.module:factory`."""

import os
import shlex
import sys
from dataclasses import dataclass
from typing import Final, Self

from dicecup.line_protocol.errors import LineProtocolCode, LineProtocolError
from dicecup.line_protocol.outside_engine import Limits, OutsideEngine
from dicecup.line_protocol.program import Program

PREFIX: Final = "engine:"
AGENT_PROCESS: Final = "dicecup.line_protocol.agent_process"


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine that can be started: the `text` that names it, its `command`, and whether it is a
    Python agent, which runs in a process of its own."""

    text: str
    command: tuple[str, ...]
    is_agent: bool = False

    @classmethod
    def read(cls, text: str) -> "EngineSpec | None":
        """Return the engine of a text, `None` for a text without a colon, which names a level.

        Raises `LineProtocolError` (`engine-command`).
        """
        if text.startswith(PREFIX):
            return cls.of_command(text.removeprefix(PREFIX), text)
        if ":" not in text:
            return None
        return cls(text, (sys.executable, "-m", AGENT_PROCESS, text), is_agent=True)

    @classmethod
    def of_command(cls, command: str, text: str = "") -> Self:
        """Return the engine of a command with its arguments, quoted as in a shell.

        Raises `LineProtocolError` (`engine-command`).
        """
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise LineProtocolError(LineProtocolCode.COMMAND, text=command, why=error) from None
        if not words:
            raise LineProtocolError(LineProtocolCode.COMMAND, text=command, why="-")
        return cls(text or command, words)

    def start(self, limits: Limits) -> OutsideEngine:
        """Start the engine and shake hands. Raises `LineProtocolError`."""
        environment = None
        if self.is_agent:  # it finds the modules that this process finds
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}  # noqa: PTH109
        try:
            return OutsideEngine(Program(self.command, self.text, environment), limits)
        except LineProtocolError as error:
            raise self._refusal(error) from None

    def check(self, game_id: str, limits: Limits) -> None:
        """Start the engine, let it prepare a game, and end it. Raises `LineProtocolError`."""
        engine = self.start(limits)
        try:
            engine.new_game(game_id, "check")
        except LineProtocolError as error:
            engine.close(grace=0)
            raise self._refusal(error) from None
        engine.close()

    def _refusal(self, error: LineProtocolError) -> LineProtocolError:
        """Return the error of an engine that does not begin. An agent that ends is no agent."""
        if self.is_agent and error.code is LineProtocolCode.DIED:
            return LineProtocolError(LineProtocolCode.NOT_AN_AGENT, text=self.text, why=error.details["why"])
        return error
