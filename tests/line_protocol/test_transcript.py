"""The transcript of docs/engines.md, run from both sides."""

import re
from pathlib import Path

from dicecup import games
from dicecup.line_protocol.outside_engine import Limits, OutsideEngine
from dicecup.line_protocol.program import GRACE, Deadline
from dicecup.line_protocol.server import Server
from dicecup.players import create

DOCS = Path(__file__).parents[2] / "docs" / "engines.md"
THINKING = 0.25
"""Seconds of each decision in the transcript."""


def transcript() -> list[str]:
    found = re.search(r"```transcript\n(.*?)\n```", DOCS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1].splitlines()


def test_an_engine_answers_as_in_the_docs() -> None:
    said: list[str] = []
    server = Server("Dicecup expert", lambda seed: create("expert", seed), lambda line: said.append(f"< {line}"), warm=True)
    for line in transcript():
        if line.startswith("> "):
            said.append(line)
            assert server.answer(line[2:]) == (line != "> quit")
    assert said == transcript()


class Script:
    """The engine of the transcript, and a clock."""

    name = "script"

    def __init__(self) -> None:
        self.left = transcript()
        self.now = 0.0

    def send(self, line: str, deadline: Deadline) -> None:
        assert deadline.left > 0
        assert self.left.pop(0) == f"> {line}"

    def receive(self, deadline: Deadline) -> str:
        assert deadline.left > 0
        said, line = self.left.pop(0).split(" ", 1)
        assert said == "<"
        if line.startswith("bestaction"):
            self.now += THINKING
        return line

    def kill(self) -> None:
        raise AssertionError

    def close(self, grace: float = GRACE) -> None:
        assert grace > 0
        assert self.left == []


def test_a_host_asks_as_in_the_docs() -> None:
    script = Script()
    positions = [line.removeprefix("> position ") for line in transcript() if line.startswith("> position ")]
    answers = [line.removeprefix("< bestaction ") for line in transcript() if line.startswith("< bestaction ")]
    engine = OutsideEngine(script, Limits(turn=10), clock=lambda: script.now)
    assert engine.title == "Dicecup expert"
    engine.new_game("yam-master", "7")
    assert [str(engine.choose(games.position("yam-master", text))) for text in positions] == answers
    assert engine.value is not None
    engine.close()
