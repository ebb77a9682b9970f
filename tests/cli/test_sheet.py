"""`dicecup sheet`: a PDF in a file or on standard output, or one line that names the fault."""

import io
import subprocess
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.locale import LANGUAGES, Messages
from tests.sheets.papers import opened, pages, played
from tests.terminal.program import PROGRAM, SECONDS, environment


def saved(folder: Path) -> str:
    path = folder / "game.dicecup"
    path.write_text(played("yamm(players=3)", "Anna", "Ben", "Carla", most=60).to_text(), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_sheet_is_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    path = tmp_path / "sheet.pdf"
    assert main(["sheet", "--lang", language, "-o", str(path)]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "")
    (page,) = pages(path.read_bytes())
    assert Messages(language)("print_grand_total") in page


def test_sheets_have_names_players_and_pairs(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    named = [word for name in ("Anna", "Ben", "Carla", "Dino") for word in ("--name", name)]
    assert main(["sheet", "-o", str(path), "--pairs", *named]) == 0
    first, second = pages(path.read_bytes())
    assert "Anna" in first
    assert "Carla" in first
    assert "Dino" in second
    assert main(["sheet", "--output", str(path), "--players", "5"]) == 0
    assert len(opened(path.read_bytes()).pages) == 5


def test_a_game_is_printed_with_the_chosen_sheets(tmp_path: Path) -> None:
    path = tmp_path / "game.pdf"
    game = saved(tmp_path)
    for chosen, count in (([], 3), (["--player-sheet", "all"], 3), (["--player-sheet", "2"], 1)):
        assert main(["sheet", "--record", game, "-o", str(path), *chosen]) == 0
        assert len(opened(path.read_bytes()).pages) == count


def test_the_rules_of_thumb_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "worth.pdf"
    assert main(["sheet", "--lang", "fr", "--rules-of-thumb", "-o", str(path)]) == 0
    assert Messages("fr")("guide_worth_squares") in " ".join(pages(path.read_bytes()))


def test_standard_output_holds_only_the_pdf(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "sheet", "-o", "-"], capture_output=True, check=True, env=environment(tmp_path), timeout=SECONDS
    )
    assert done.stderr == b""
    assert done.stdout.endswith(b"%%EOF")
    assert len(opened(done.stdout).pages) == 1


def test_a_record_is_read_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.pdf"
    with Path(saved(tmp_path)).open(encoding="utf-8") as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert main(["sheet", "--record", "-", "-o", str(path)]) == 0
    assert len(opened(path.read_bytes()).pages) == 3
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x\n")))
    assert main(["sheet", "--record", "-", "-o", str(path)]) == 1
    assert capsys.readouterr().err.startswith("-:1: not-a-tag: ")


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--players", "0"], "option-value"),
        (["--players", "17"], "option-value"),
        (["--players", "3", "--pairs"], "pairs-need-even-players"),
        (["--players", "1", "--name", "Anna", "--name", "Ben"], "too-many-names"),
        (["--player-sheet", "1"], "record-alone"),
        (["--record", "nowhere", "--players", "0"], "record-alone"),
        (["--record", "nowhere", "--pairs"], "record-alone"),
        (["--record", "nowhere", "--name", "Anna"], "record-alone"),
        (["--rules-of-thumb", "--players", "2"], "thumb-alone"),
        (["--rules-of-thumb", "--record", "nowhere"], "thumb-alone"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_have_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: str, language: str
) -> None:
    path = tmp_path / "sheet.pdf"
    assert main(["sheet", "-o", str(path), "--lang", language, *arguments]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"dicecup: {code}: ")
    assert Messages(language)("error_other", code=code) not in output.err
    assert not path.exists()


def test_a_missing_sheet_of_a_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = saved(tmp_path)
    for number in ("0", "4", "-1"):
        assert main(["sheet", "-o", str(tmp_path / "x.pdf"), "--record", game, "--player-sheet", number, "--lang", "de"]) == 1
        assert capsys.readouterr().err == f"dicecup: no-such-sheet: Ein Blatt {number} gibt es nicht. Blätter: 3.\n"


def test_a_wrong_or_missing_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text('[Game "yam-master"]\n[Dice "seed:a"]\n\n1. 11235 k11 22666 --\n', encoding="utf-8")
    assert main(["sheet", "-o", str(tmp_path / "x.pdf"), "--record", str(wrong)]) == 1
    assert capsys.readouterr().err.startswith(f"{wrong}:4: kept-die-lost: ")
    assert main(["sheet", "-o", str(tmp_path / "x.pdf"), "--record", "nowhere"]) == 1
    assert capsys.readouterr().err.startswith("nowhere:0: cannot-read: ")


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in (tmp_path, tmp_path / "nowhere" / "sheet.pdf"):
        assert main(["sheet", "-o", str(place)]) == 1
        assert capsys.readouterr().err.startswith("dicecup: cannot-save: ")


def test_a_full_standard_output_is_a_typed_error(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "sheet", "-o", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=environment(tmp_path),
            timeout=SECONDS,
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert done.stderr.startswith(b"dicecup: cannot-save: ")


@pytest.mark.parametrize("arguments", [[], ["-o"], ["-o", "x", "--players", "two"], ["-o", "x", "--player-sheet", "mine"]])
def test_a_bad_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", *arguments]) == 2
    assert "bad-command-line" in capsys.readouterr().err
