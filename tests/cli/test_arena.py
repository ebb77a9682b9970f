"""`dicecup simulate` and `dicecup match`."""

import json
import subprocess
import sys
from typing import Any

import pexpect
import pytest

from dicecup.cli import main
from dicecup.locale import LANGUAGES
from tests.sweep import sweep
from tests.terminal.program import SECONDS

DICECUP = "import sys; from dicecup.cli import main; sys.exit(main())"
MEASURED = {"cpu_seconds", "games_per_cpu_second"}


def test_a_match_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "yam-master", "--players", "greedy", "random", "--games", "20", "--seed", "1", "--workers", "1"]
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    found: dict[str, Any] = json.loads(out)
    assert found["players"] == ["greedy", "random"]
    assert {"score", "ci95", "wins", "draws", "losses", "seats", "lengths", "endings", "cap", *MEASURED} <= set(found)
    assert err == ""


def test_simulated_sheets_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "yamm", "--player", "random", "--games", "8", "--seed", "1", "--workers", "1", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    wanted = {"mean", "sd", "ci95", "adjusted_mean", "adjusted_ci95", "quantiles", "columns", "bonuses", *MEASURED}
    assert wanted <= set(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_printed_in_words(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Only seats, columns and players keep their names; every other value has a translated name."""
    assert (
        main(["match", "yam-master", "--players", "greedy", "random", "--games", "4", "--workers", "1", "--lang", language])
        == 0
    )
    assert main(["simulate", "yamm", "--player", "random", "--games", "4", "--workers", "1", "--lang", language]) == 0
    out = capsys.readouterr().out
    assert "greedy – random" in out
    assert "None" not in out
    assert "_" not in out


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["match", "chess", "--players", "greedy", "greedy"], "not-a-game"),
        (["match", "yam-master", "--players", "greedy"], "wrong-number-of-players"),
        (["match", "yam-master", "--players", "greedy", "x"], "option-value"),
        (["simulate", "yamm", "--player", "greedy", "--games", "0"], "not-a-count"),
        (["simulate", "yamm", "--player", "greedy", "--workers", "0"], "not-a-count"),
    ],
)
def test_refusals_have_a_sentence(arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"dicecup: {code}: ")


def test_an_invalid_count_is_a_bad_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "yamm", "--player", "greedy", "--games", "many"]) == 2
    assert "bad-command-line" in capsys.readouterr().err


@sweep("workers", ["1", "2"])
def test_ctrl_c_prints_the_finished_games(workers: str) -> None:
    """In a terminal the progress bar moves, and Ctrl-C prints the result of the finished games."""
    arguments = ["simulate", "yamm", "--player", "random", "--games", "1000000", "--workers", workers, "--json"]
    with pexpect.spawn(sys.executable, ["-c", DICECUP, *arguments], encoding="utf-8", timeout=SECONDS) as terminal:
        terminal.expect(r"[0-9] % \|.*<[0-9]+:[0-9]+")
        terminal.sendintr()
        terminal.expect(r"(\{.*\})\r\n")
        assert terminal.match is not None
        found = json.loads(terminal.match[1])
        terminal.expect(r"Stopped after ([0-9]+) of 1000000 games\.")
        assert int(terminal.match[1]) == found["games"]
        terminal.expect(pexpect.EOF)
        terminal.wait()
    assert terminal.exitstatus == 130
    assert 0 < found["games"] < found["wanted"] == 1000000


@pytest.mark.slow
def test_without_a_terminal_no_bar_is_printed() -> None:
    arguments = ["simulate", "yamm", "--player", "random", "--games", "12", "--workers", "2", "--json"]
    ended = subprocess.run([sys.executable, "-c", DICECUP, *arguments], capture_output=True, check=True, text=True)
    assert json.loads(ended.stdout)["games"] == 12
    assert ended.stderr == ""
