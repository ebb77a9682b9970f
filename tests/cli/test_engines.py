"""`dicecup engine`, and engines in `dicecup match` and `dicecup bridge`."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.locale import LANGUAGES
from tests.line_protocol.stubs import HERE, stub

DICECUP = [sys.executable, "-c", "import sys; from dicecup.cli import main; sys.exit(main())"]
DOCS = Path(__file__).parents[2] / "docs" / "engines.md"
ONE = ["--games", "1", "--workers", "1", "--time", "300"]


@pytest.mark.slow
def test_the_program_answers_as_in_the_docs() -> None:
    """Over its standard streams; `quit` ends it."""
    found = re.search(r"```transcript\n(.*?)\n```", DOCS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    lines = found[1].splitlines()
    sent = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    ended = subprocess.run([*DICECUP, "engine", "--level", "expert"], input=sent, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [line[2:] for line in lines if line.startswith("< ")]
    assert ended.stderr == ""


def test_every_line_is_written_at_once() -> None:
    """The answer arrives while the input stays open."""
    with subprocess.Popen(
        [*DICECUP, "engine", "--agent", f"{HERE}:last"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("isready\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == "readyok\n"


def test_the_end_of_the_input_ends_the_program() -> None:
    ended = subprocess.run([*DICECUP, "engine"], input="tea?", capture_output=True, text=True, check=True)
    assert ended.stdout == "info error unknown line: tea?\n"


def test_an_agent_that_is_none_ends_with_the_reason() -> None:
    ended = subprocess.run(
        [*DICECUP, "engine", "--agent", f"{HERE}:NUMBER"], input="", capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, "info error int is not callable\n")


def test_an_unknown_level_is_a_bad_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--level", "grandmaster"]) == 2
    assert "bad-command-line" in capsys.readouterr().err


def test_an_agent_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "yam-master", "--players", f"{HERE}:greedy", "random", *ONE, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["score"], found["failures"]) == (1, [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_failure_is_told_in_words(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "yam-master", "--players", "random", stub("gives-up"), *ONE, "--lang", language]) == 0
    out, err = capsys.readouterr()
    last = out.splitlines()[-1]
    assert "engine-gave-up" in last
    assert "no idea" in last
    assert "forfeit" not in out
    assert err == ""


@pytest.mark.parametrize(
    "player, code",
    [
        ("engine:./no-such-program", "engine-missing"),
        (f"engine:{DOCS}", "engine-not-executable"),
        ("engine:'open", "engine-command"),
        (stub("other-version"), "engine-handshake"),
        (stub("exits"), "engine-died"),
        (f"{HERE}:broken", "not-an-agent"),
        ("no.such.module:make", "not-an-agent"),
        ("grandmaster", "option-value"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_that_does_not_start_is_refused(
    player: str, code: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "yam-master", "--players", "random", player, *ONE, "--lang", language]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith(f"dicecup: {code}: ")


@pytest.mark.parametrize("time", ["0", "-1", "nan", "1e9"])
def test_a_time_that_is_none_is_refused(time: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "yam-master", "--players", "random", "random", "--time", time]) == 1
    assert capsys.readouterr().err.startswith("dicecup: not-a-count: ")


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--engine", stub("good").removeprefix("engine:"), "--join", "http://here"], "not-a-link"),
        (["--engine", "./no-such-program", "--join", f"http://127.0.0.1:9/tables/{'0' * 20}"], "engine-missing"),
        (["--engine", stub("good").removeprefix("engine:"), "--join", f"http://127.0.0.1:9/tables/{'0' * 20}"], "unreachable"),
        (["--engine", "x", "--join", "x", "--games", "0"], "not-a-count"),
    ],
)
def test_a_bridge_that_cannot_begin_is_refused(
    arguments: list[str], code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["bridge", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith(f"dicecup: {code}: ")
