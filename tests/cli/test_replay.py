"""`dicecup replay`: the last state of a record, or one line that names the fault."""

import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dicecup import record
from dicecup.cli import main
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import RecordError
from dicecup.sentences import code_sentence
from tests.terminal.program import PROGRAM, SECONDS, dicecup, environment

VECTORS = Path(__file__).parents[1] / "vectors"
GOOD = '[Game "yam-master"]\n[X "Anna"]\n[O "Ben"]\n[Dice "seed:a"]\n\n1. 11235 k11 11266 k11 11145 a1\n2. 13456\n'
BAD = '[Game "yam-master"]\n[Dice "seed:a"]\n\n1. 11235 k11 22666 --\n'


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text("utf-8").splitlines()]


def file(folder: Path, text: str) -> str:
    path = folder / "game.dicecup"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_state_is_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for vector in vectors("replay.jsonl")[:5]:
        assert main(["replay", "--json", file(tmp_path, vector["record"])]) == 0
        output = capsys.readouterr()
        assert (json.loads(output.out), output.err) == (vector["state"], "")
        assert output.out.count("\n") == 1


def test_every_refusal_is_one_line_on_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for vector in vectors("refused.jsonl"):
        path = file(tmp_path, vector["record"])
        assert main(["replay", path]) == 1
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith(f"{path}:{vector['line']}: ")
        assert (output.err.count("\n"), output.err[-1]) == (1, "\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_sentence_of_its_own(language: str) -> None:
    messages = Messages(language)
    for vector in vectors("refused.jsonl"):
        with pytest.raises(RecordError) as caught:
            record.read(vector["record"])
        for fault in caught.value.faults:
            output = code_sentence(str(fault.code), fault.details, messages)
            assert output != messages("error_other", code=str(fault.code)), fault


def test_a_refusal_is_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, BAD)
    assert main(["replay", path, "--json", "--lang", "de"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    message = "22666: Die behaltenen Würfel sind nicht dabei."
    assert json.loads(output.err) == {"error": {"file": path, "line": 4, "code": "kept-die-lost", "message": message}}


@pytest.mark.parametrize(
    "language, expected",
    [
        ("de", ["Yam Master", "Es spielen: Anna (x), Ben (o).", "Zug 2: Ben (o)", "Wurf 1: 1 3 4 5 6. Würfe übrig: 2."]),
        ("en", ["Yam Master", "Players: Anna (x), Ben (o).", "Turn 2: Ben (o)", "Throw 1: 1 3 4 5 6. Throws left: 2."]),
        (
            "fr",
            ["Yam Master", "Joueurs : Anna (x), Ben (o).", "Tour 2 : Ben (o)", "Lancer 1 : 1 3 4 5 6. Lancers restants : 2."],
        ),
    ],
)
def test_the_state_is_printed_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, expected: list[str]
) -> None:
    assert main(["replay", file(tmp_path, GOOD), "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line in expected] == expected
    assert "  1   x       3      Défi     4       6" in lines


def test_every_record_can_be_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for vector in vectors("replay.jsonl"):
        assert main(["replay", file(tmp_path, vector["record"])]) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_a_hyphen_reads_standard_input(tmp_path: Path) -> None:
    done = dicecup(tmp_path, "replay", "-", "--json", typed=GOOD)
    assert (done.returncode, json.loads(done.stdout)["turns"], done.stderr) == (0, 1, "")
    done = dicecup(tmp_path, "replay", "-", typed=BAD)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "-:4: kept-die-lost: 22666: the kept dice are not among these.\n"
    done = dicecup(tmp_path, "replay", "-", typed="")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("-:")


@pytest.mark.parametrize("arguments", [["replay", "nowhere"], ["replay", "."], ["replay", "nowhere", "--json"]])
def test_a_file_that_cannot_be_read_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 1
    output = capsys.readouterr()
    assert output.out == ""
    if "--json" in arguments:
        assert json.loads(output.err)["error"] | {"message": ""} == {
            "file": "nowhere",
            "line": 0,
            "code": "cannot-read",
            "message": "",
        }
    else:
        assert output.err.startswith(f"{arguments[1]}:0: cannot-read: ")


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    """The file is sparse and has a hundred gigabytes. Reading it would take minutes and
    all memory."""
    huge = tmp_path / "huge"
    with huge.open("wb") as opened:
        opened.truncate(100 * 1024**3)
    done = dicecup(tmp_path, "replay", str(huge))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{huge}:0: record-too-large: ")


def test_an_endless_standard_input_is_refused(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [*PROGRAM, "replay", "-"],
            stdin=endless,
            capture_output=True,
            check=False,
            env=environment(tmp_path),
            timeout=SECONDS,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"-:0: record-too-large: ")


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b'[Game "yam-master"]\n[X "\xff"]\n\n')
    assert main(["replay", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"{path}:2: not-utf8: ")


def test_a_missing_file_name_is_a_bad_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["replay"]) == 2
    assert "bad-command-line" in capsys.readouterr().err
