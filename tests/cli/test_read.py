"""`dicecup read`: JSON for programs, lines for people, refusals with their codes."""

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from dicecup.cli import main
from dicecup.locale import LANGUAGES

PHOTOS = Path(__file__).parents[1] / "vision" / "photos"
NAME, FACES = next(iter(json.loads((PHOTOS / "labels.json").read_text("utf-8")).items()))


def test_json_names_faces_boxes_and_doubts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(PHOTOS / NAME), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    dice = json.loads(line)["dice"]
    assert sorted(die["face"] for die in dice) == sorted(FACES)
    for die in dice:
        assert set(die) == {"face", "box", "confidence", "doubtful"}
        assert len(die["box"]) == 4
        assert isinstance(die["doubtful"], bool)


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_get_the_faces_in_a_line(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(PHOTOS / NAME), "--lang", language]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(" ".join(map(str, sorted(FACES))))
    Image.new("RGB", (64, 64)).save(tmp_path / "empty.png")
    assert main(["read", str(tmp_path / "empty.png"), "--lang", language]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_refusal_is_one_line_with_its_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (PHOTOS / NAME).read_bytes()
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    for name, code in (
        ("text.jpg", "not-a-picture"),
        ("cut.jpg", "picture-damaged"),
        ("none.jpg", "cannot-read"),
        ("", "cannot-read"),
    ):
        assert main(["read", str(tmp_path / name), "--json", "--lang", "en"]) == 1
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith(f"dicecup: {code}: ")
        assert output.err.count("\n") == 1


def test_without_pytorch_the_training_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["train", "dice-reader", "--lang", "en"]) == 1
    assert capsys.readouterr().err.startswith("dicecup: package-missing: torch is not installed; the extra “dice-reader”")
