"""Whole games against the computer through a pipe. Each entry is chosen from the output
before it."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dicecup import record
from tests.terminal.program import PROGRAM, SECONDS, environment, saved


class Piped:
    """The process of the program with its input and output in pipes."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(folder),
        )

    def until_prompt(self) -> str:
        """Return the output up to the next prompt, or to the end."""
        assert self._process.stdout is not None
        shown = b""
        while not shown.endswith((b"> ", b"[n]: ")):
            part = os.read(self._process.stdout.fileno(), 65536)
            if not part:
                break
            shown += part
        return shown.decode()

    def enter(self, entry: str) -> None:
        """Enter a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{entry}\n".encode())
        self._process.stdin.flush()

    def ended(self) -> int:
        """End the input, wait for the process and return its exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait(SECONDS)


def play(folder: Path, arguments: tuple[str, ...], choose: Callable[[str], str]) -> str:
    """Return the output of a game, in which `choose` returns the entry for the output before it."""
    piped = Piped(folder, *arguments)
    printed = ""
    while (shown := piped.until_prompt()).endswith(("> ", "[n]: ")):
        printed += shown
        piped.enter(choose(shown))
    assert piped.ended() == 0, shown
    return printed + shown


def square(shown: str) -> str:
    """Return the first open square. Without one return a keep for another throw, or `pass`."""
    found = re.search(r"Free for a token: ([a-e][1-5])", shown)
    if found:
        return found[1]
    dice = re.search(r"Throw ([123]): ([1-6 ]+)\. Throws left: ([0-2])", shown.rpartition("Turn ")[2])
    assert dice, shown
    faces = dice[2].replace(" ", "")
    most = max(faces, key=faces.count)
    return "pass" if dice[3] == "0" else f"k{most * min(4, faces.count(most))}"


def cell(shown: str) -> str:
    """Return the first open cell of the table, `y` for a question, or an empty text where Enter is
    asked for.
    """
    if "Enter throws" in shown.splitlines()[-1]:
        return ""
    if shown.endswith("[n]: "):
        return "y"
    picture = shown.rpartition("Sheet of")[2].splitlines()
    for line in picture[2:]:
        at = line.rfind("[")
        if at >= 0:
            column = ["d1", "d2", "d3", "u1", "u2", "u3", "f1", "f2", "f3"][
                line[9 : at + 1].count("[") - 1 + _closed_cells_before(line, at)
            ]
            return f"{column}.{line.split(' ')[0]}"
    raise AssertionError(shown)


def _closed_cells_before(line: str, at: int) -> int:
    """Return the number of cells before this place that are not open."""
    return len([text for text in line[9:at].split() if not text.startswith("[")])


def test_a_whole_game_of_yam_master_against_the_computer(tmp_path: Path) -> None:
    printed = play(tmp_path, ("play", "yam-master", "--seat", "Anna", "--seat", "greedy", "--seed", "whole"), square)
    assert re.search(r"\nGame over: .*\n(Winner: (Anna|greedy) \([xo]\)|A draw)\.\nPoints: x \d+, o \d+\.\n\Z", printed)
    (path,) = saved(tmp_path)
    kept = record.load(path)
    assert kept.tags["End"] in ("line", "tokens")
    assert printed.count("\nTurn ") == kept.journal.turns


@pytest.mark.slow
def test_a_whole_game_of_yamm_against_the_computer(tmp_path: Path) -> None:
    printed = play(tmp_path, ("play", "yamm", "--seat", "Anna", "--seat", "random", "--seed", "whole"), cell)
    assert re.search(r"\nGame over: every sheet is full\.\nWinner: (Anna|random)\.\n\w+ \d+, \w+ \d+\n\Z", printed)
    (path,) = saved(tmp_path)
    kept = record.load(path)
    assert (kept.tags["End"], kept.journal.turns) == ("full", 198)


def test_a_whole_sheet_alone(tmp_path: Path) -> None:
    printed = play(tmp_path, ("play", "yamm(players=1)", "--seat", "Anna", "--seed", "alone"), cell)
    assert re.search(r"\nGame over: every sheet is full\.\nWinner: Anna\.\nAnna \d+\n\Z", printed)
    (path,) = saved(tmp_path)
    assert record.load(path).journal.turns == 99
