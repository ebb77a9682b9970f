"""`dicecup verify`: the report for right dice and for wrong dice."""

import io
import json
import re
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from dicecup.cli import main
from dicecup.locale import LANGUAGES, Messages
from dicecup.table.event_file import event_file_to_text
from dicecup.table.fairness import FairnessCode
from tests.table.test_duplicate import SECRET, file_of, played
from tests.table.test_fairness import vectors
from tests.terminal.program import dicecup, lines, saved

RECORDS = {vector["name"]: vector for vector in vectors("record")}
RIGHT = RECORDS["a starting roll, locked dice, two empty seeds"]["record"]
ALTERED = RECORDS["one throw altered"]["record"]


def file(folder: Path, text: str) -> str:
    path = folder / "game.dicecup"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", RECORDS)
def test_the_golden_records_are_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    vector, path = RECORDS[name], file(tmp_path, RECORDS[name]["record"])
    wrong = vector["error"]
    assert main(["verify", path, "--json"]) == (wrong is not None)
    output = json.loads(capsys.readouterr().out)
    assert {key: output[key] for key in ("throws", "right", "wrong")} == {
        key: vector[key] for key in ("throws", "right", "wrong")
    }
    assert output["verified"] == (wrong is None)
    found = output["error"] and {"line": output["error"]["line"], "code": output["error"]["code"]}
    assert found == wrong

    assert main(["verify", path]) == (wrong is not None)
    shown = capsys.readouterr()
    counts = f"Throws: {vector['throws']}. Right: {vector['right']}. Wrong: {vector['wrong']}."
    assert counts in shown.out
    assert ("Every throw was recomputed and is right." in shown.out) == (wrong is None)
    assert shown.err.startswith(f"{path}:{wrong['line']}: {wrong['code']}: ") if wrong else not shown.err


@pytest.mark.parametrize(
    "language, sentence, wrong",
    [
        ("de", "Jeder Wurf wurde nachgerechnet und stimmt.", "Zug 3, Wurf 1: aufgezeichnet 66666, nachgerechnet 22236."),
        ("en", "Every throw was recomputed and is right.", "Turn 3, throw 1: the record says 66666, recomputed 22236."),
        ("fr", "Chaque lancer a été recalculé et il est juste.", "Tour 3, lancer 1\u00a0: noté 66666, recalculé 22236."),
    ],
)
def test_every_language_has_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, sentence: str, wrong: str
) -> None:
    assert main(["verify", file(tmp_path, RIGHT), "--lang", language]) == 0
    assert sentence in capsys.readouterr().out.splitlines()
    assert main(["verify", file(tmp_path, ALTERED), "--lang", language]) == 1
    assert capsys.readouterr().err.endswith(f":9: throw-mismatch: {wrong}\n")


RENEWED = {"de": "neue Festlegung", "en": "new commitment", "fr": "nouvel engagement"}


@pytest.mark.parametrize("language, sentence", RENEWED.items())
def test_a_restored_game_is_accepted_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, sentence: str
) -> None:
    path = file(tmp_path, RECORDS["two commitments, both published"]["record"])
    assert main(["verify", path, "--lang", language]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if sentence in line]
    assert main(["verify", path, "--json"]) == 0
    (place,) = json.loads(capsys.readouterr().out)["renewed"]
    assert place in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verdict_has_a_sentence_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    seen = set()
    for vector in RECORDS.values():
        if vector["error"]:
            main(["verify", "--json", "--lang", language, file(tmp_path, vector["record"])])
            error = json.loads(capsys.readouterr().out)["error"]
            assert error["message"] != Messages(language)("error_other", code=error["code"])
            assert not re.search("[{}]", error["message"])
            seen.add(error["code"])
    checked = {
        FairnessCode.WRONG_SECRET,
        FairnessCode.SECRET_MISSING,
        FairnessCode.THROW_MISMATCH,
        FairnessCode.START_MISMATCH,
        FairnessCode.DICE_UNCHECKED,
        FairnessCode.NOTHING_TO_CHECK,
    }
    assert checked <= seen


def test_a_record_with_an_illegal_throw_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, '[Game "yam-master"]\n[Dice "seed:a"]\n\n1. 11235 k11 22666 --\n')
    assert main(["verify", path]) == 1
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"{path}:4: kept-die-lost: 22666: the kept dice are not among these.\n")
    assert main(["verify", path, "--json"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert json.loads(output.err)["error"]["code"] == "kept-die-lost"


def test_a_missing_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "none")
    assert main(["verify", path]) == 1
    output = capsys.readouterr()
    assert (output.out, output.err.startswith(f"{path}:0: cannot-read: ")) == ("", True)


def test_the_report_names_the_first_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The dice of a position that a record begins with follow from no seed, so the report names
    them.
    """
    path = file(tmp_path, RECORDS["begun in the middle of a turn"]["record"])
    assert main(["verify", path]) == 0
    assert "the dice before it are not checked" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["position"] == "5/5/5/5/5 x 1:33??? 12-12 1"


def test_a_hyphen_reads_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(ALTERED.encode())))
    assert main(["verify", "-"]) == 1
    assert capsys.readouterr().err.startswith("-:9: throw-mismatch: ")


def test_a_local_game_is_verified(tmp_path: Path) -> None:
    """The dice of a local game follow from its seed, those of the starting roll included."""
    play = dicecup(tmp_path, "play", "yamm", "--seat", "Anna", "--seat", "Robo=greedy", "--seed", "2026", typed=lines("q"))
    assert play.returncode == 0, play.stderr
    (path,) = saved(tmp_path)
    verified = dicecup(tmp_path, "verify", str(path))
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "Dice: seed:2026" in verified.stdout
    path.write_text(path.read_text("utf-8").replace("seed:2026", "seed:2027"), encoding="utf-8")
    assert dicecup(tmp_path, "verify", str(path)).returncode == 1


def event_of(*, secret: bytes = SECRET) -> str:
    """Return the file of an event with two games."""
    texts = [played("yamm(players=1)", Random(seed), 3).to_text() for seed in range(2)]
    return event_file_to_text(file_of(*texts, secret=secret.hex()))


def test_an_event_is_verified_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, event_of())
    assert main(["verify", path]) == 0
    shown = capsys.readouterr().out
    assert "Games: 2." in shown
    assert "Everybody had the same dice" in shown
    assert main(["verify", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verified"], found["games"], found["throws"]) == (True, 2, found["right"])


def test_an_event_with_another_secret_is_not_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, event_of(secret=bytes(32)))
    assert main(["verify", path]) == 1
    assert f"{path}:0: wrong-secret: " in capsys.readouterr().err
    assert main(["verify", path, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "wrong-secret"


def test_a_wrong_game_of_an_event_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = event_of().replace("[Event", "[event", 1)
    path = file(tmp_path, text)
    assert main(["verify", path]) == 1
    assert f"{path}#1:0: tag-missing: " in capsys.readouterr().err


def test_a_broken_file_of_an_event_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, event_of()[:-100])
    assert main(["verify", path]) == 1
    assert f"{path}:0: not-an-event-file: " in capsys.readouterr().err
