"""`dicecup solve`: output for programs, output for people, and interruption."""

import json
import signal
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pexpect
import pytest

from dicecup.cli import solve
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.locale import LANGUAGES, Messages
from tests.terminal.program import PROGRAM, SECONDS


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def run(*words: str, language: str = "en") -> int:
    parser = ArgumentParser()
    solve.add_arguments(parser, Messages(language))
    return solve.run(parser.parse_args(words), Messages(language))


def test_json_has_value_states_and_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert run("yamm", "--columns", "d1", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert list(found) == ["value", "states", "seconds"]
        assert found["value"] == pytest.approx(123.540138538, abs=5e-10)
        assert found["states"] == 143
        assert found["seconds"] > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_solution_and_its_games_are_printed_as_a_table(capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert run("yatzy-forced-order", "--play", "300", "--seed", "5", language=language) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("122.558527396424")
    assert len(lines) == 6
    assert len({len(line) for line in lines}) == 1


def test_clear_cache_removes_the_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    run("yamm", "--columns", "d1", "--json")
    capsys.readouterr()
    for count in (1, 0):
        assert run("--clear-cache", "--json") == 0
        assert json.loads(capsys.readouterr().out) == {"removed": count}


@pytest.mark.parametrize(
    "words, code",
    [
        ((), EngineCode.NOT_SOLVABLE),
        (("nosuch",), EngineCode.NOT_SOLVABLE),
        (("yamm",), EngineCode.NOT_SOLVABLE),
        (("yahtzee", "--columns", "d1"), EngineCode.NOT_SOLVABLE),
        (("yamm", "--columns", "d1,x1"), EngineCode.NOT_A_COLUMN_SET),
        (("yamm", "--columns", "f1,f2"), EngineCode.TOO_MANY_STATES),
    ],
)
def test_refusals_have_a_sentence(words: tuple[str, ...], code: EngineCode) -> None:
    with pytest.raises(EngineError) as error:
        run(*words)
    assert error.value.code is code
    for language in LANGUAGES:
        assert Messages(language)(f"error_{code.replace('-', '_')}", **error.value.details)


@pytest.mark.parametrize("words", [("yahtzee", "--play", "-1"), ("yahtzee", "--play", "٣"), ("yahtzee", "--seed", "x")])
def test_numbers_are_digits(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        run(*words)


CALCULATION = """
import sys
from contextlib import contextmanager
from dicecup.cli import main
from dicecup.engine import progress

@contextmanager
def announced():
    yield lambda done, of: print("calculating", flush=True)

progress.bar = announced
sys.exit(main())
"""
"""The program, which prints a line at every step of a calculation."""


def interrupted(*words: str) -> tuple[int, str]:
    """Run a command and interrupt it at the first step. Return the exit code and the errors.

    An interrupt is lost where it comes while Numba looks up the types of arguments, so it is sent
    again if the calculation goes on: as a person would."""
    command = [sys.executable, "-c", CALCULATION, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for step, line in enumerate(process.stdout):
            assert line == "calculating\n"
            if step % 50 == 0:
                process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
    return process.returncode, errors


@pytest.mark.slow
def test_ctrl_c_stops_at_once() -> None:
    """Ctrl-C in a long calculation ends with exit code 130 and without a traceback."""
    code, errors = interrupted("solve", "yamm", "--columns", "d1", "--play", "100000000")
    assert code == 130
    assert "Traceback" not in errors


def test_a_terminal_sees_a_bar_with_the_remaining_time() -> None:
    child = pexpect.spawn(
        PROGRAM[0], [*PROGRAM[1:], "solve", "yamm", "--columns", "d1", "--play", "10000000"], encoding="utf-8", timeout=SECONDS
    )
    child.expect(r"\d+ % \|.*\| \d\d:\d\d<\d\d:\d\d")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()  # the terminal closes before the process ends
    # Python ends so where it was about to end anyway
    assert child.exitstatus == 130 or child.signalstatus == signal.SIGINT
