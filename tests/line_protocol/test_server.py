import io

import pytest

from dicecup import games
from dicecup.core.game import Action, Position
from dicecup.line_protocol.lines import LONGEST_LINE
from dicecup.line_protocol.server import Server
from dicecup.players import Player, create
from tests.line_protocol.stubs import Last

START = "5/5/5/5/5 x 1:11235 12-12 1"
WET = games.from_id("yamm").start().roll("11166").play("f1.6").roll("22345").play("d1.1")


def answers(*lines: str, level: str = "greedy") -> list[str]:
    """Return what an engine answers to these lines."""
    said: list[str] = []
    server = Server("Test", lambda seed: create(level, seed), said.append, warm=True)
    server.run(io.BytesIO("".join(f"{line}\n" for line in lines).encode()))
    return said


@pytest.mark.parametrize(
    "line, answer",
    [
        ("tea?", ["info error unknown line: tea?"]),
        ("", []),
        ("position 5/5/5/5/5", ["info error no game"]),
        ("newgame chess", ["info error not-a-game: text=chess"]),
        ("setoption name depth value 3", ["info error unknown option: name depth value 3"]),
        ("setoption seed", ["info error unknown option: seed"]),
        ("go", ["info error unknown line: go", "bestaction none"]),
        ("go time 5 actions --", ["info error no decision", "bestaction none"]),
        ("x" * (3 * LONGEST_LINE), [f"info error a line of more than {LONGEST_LINE} bytes"]),
        ("isready", ["readyok"]),
    ],
)
def test_what_cannot_be_done_is_one_line_and_no_crash(line: str, answer: list[str]) -> None:
    assert answers(line, "isready") == [*answer, "readyok"]


@pytest.mark.parametrize("text", ["foo", "5/5/5/5/5 x 1:11235 12-12 2"])
def test_a_wrong_position_is_forgotten(text: str) -> None:
    found = answers("newgame yam-master", f"position {START}", f"position {text}", "go time 5 actions --")
    assert [line.split(":")[0] for line in found[1:]] == ["info error no decision", "bestaction none"]


@pytest.mark.parametrize("text", ["5/5/5/5/5 x 1:11??? 12-12 1", "5/5/5/5/5 x 0:????? 12-12 1"])
def test_dice_in_the_air_are_no_decision(text: str) -> None:
    assert answers("newgame yam-master", f"position {text}", "go time 5 actions --")[-1] == "bestaction none"


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_a_level_chooses_as_in_the_arena(level: str) -> None:
    expected = create(level, "7").choose(games.position("yam-master", START))
    lines = ("setoption name seed value 7", "newgame yam-master", "isready", f"position {START}", "go time 5 actions --")
    assert answers(*lines, level=level) == ["readyok", f"bestaction {expected}"]


class Corrector:
    """A player that moves every result to f2.FH."""

    def choose(self, position: Position) -> Action:
        raise AssertionError(position)

    def correct(self, position: Position, side: int) -> Action | None:
        turn = side + 1
        return next(action for action in position.corrections if str(action) == f"{turn}. > f2.FH")


@pytest.mark.parametrize(
    "listed, answer", [("none;1. > f2.FH", "1. > f2.FH"), ("none;2. > f2.FH", "2. > f2.FH"), ("none", "none")]
)
def test_a_correction_is_that_of_the_listed_side(listed: str, answer: str) -> None:
    said: list[str] = []
    server = Server("Test", lambda _: Corrector(), said.append)
    for line in ("newgame yamm", f"position {WET}", f"go correct time 5 actions {listed}"):
        assert server.answer(line)
    assert said == [f"bestaction {answer}"]


def test_a_player_without_corrections_makes_none() -> None:
    assert answers("newgame yamm", f"position {WET}", "go correct time 5 actions none;1. > f2.FH") == ["bestaction none"]


def test_the_player_of_a_game_is_new() -> None:
    made: list[str] = []

    def make(seed: str) -> Player:
        made.append(seed)
        return Last()  # type: ignore[return-value]

    server = Server("Test", make, lambda _: None)
    for line in ("setoption name seed value 1", "newgame yamm", "isready", "isready", "newgame yamm", "isready"):
        server.answer(line)
    assert made == ["1", "1"]
