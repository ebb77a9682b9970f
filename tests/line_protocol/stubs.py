"""Commands of stub engines, and agents by import path."""

import shlex
import sys
from pathlib import Path

from dicecup.core.game import Action, Position
from dicecup.line_protocol import EngineSpec, Limits, OutsideEngine
from dicecup.players import Player, create

STUB = Path(__file__).with_name("stub_engine.py")
PATIENT = Limits(start=300, ready=300, turn=300)
"""Limits that no engine of these tests reaches on a busy machine."""
HASTY = Limits(start=300, ready=300, turn=0.05)
"""Limits for engines that never answer a `go`."""
HERE = "tests.line_protocol.stubs"


def stub(kind: str, *arguments: object) -> str:
    """Return the text that names a stub engine."""
    return f"engine:{shlex.join([sys.executable, '-I', '-S', str(STUB), kind, *map(str, arguments)])}"


def started(kind: str, limits: Limits = PATIENT, *arguments: object) -> OutsideEngine:
    """Return a running stub engine."""
    spec = EngineSpec.read(stub(kind, *arguments))
    assert spec is not None
    return spec.start(limits)


def greedy(seed: str) -> Player:
    """Return the level `greedy`."""
    return create("greedy", seed)


def random(seed: str) -> Player:
    """Return the level `random`."""
    return create("random", seed)


class Last:
    """A player that returns texts, and prints."""

    def choose(self, position: Position) -> str:
        print("bestaction z9")  # noqa: T201 what an agent prints is no answer
        return str(position.actions[-1])


class Raises:
    """A player with an error."""

    def choose(self, position: Position) -> Action:
        raise ZeroDivisionError(position)


def last(_: str) -> Last:
    return Last()


def raises(_: str) -> Raises:
    return Raises()


def broken(seed: str) -> Player:
    """Raise an error of Python."""
    raise ValueError(f"no model for {seed}")


def nothing(_: str) -> None:
    """Return no player."""


NUMBER = 7
