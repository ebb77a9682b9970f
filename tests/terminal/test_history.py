"""The history of the trainer: added answers, damaged files, files that cannot be written."""

from dataclasses import replace
from pathlib import Path

import pytest

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.trainer import Answer
from dicecup.terminal.errors import StorageError
from dicecup.terminal.history import HistoryError, append, default_path, load, rescue
from tests.analysis.test_trainer import RIGHT, WRONG

SHEET = replace(WRONG, game="yamm(players=1)", unit=Unit.POINTS, loss=3.5)
ALL = (RIGHT, WRONG, SHEET)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a history in a folder that does not exist."""
    return tmp_path / "data" / "training.jsonl"


def filled(path: Path, answers: tuple[Answer, ...] = ALL) -> bytes:
    """Save answers and return the bytes of the file."""
    for answer in answers:
        append(path, answer)
    return path.read_bytes()


def test_answers_come_back_in_their_order(path: Path) -> None:
    assert load(path) == ()
    assert filled(path).count(b"\n") == len(ALL)
    assert load(path) == ALL


@pytest.mark.parametrize("damage", [b"x", b"{}\n", b"\n", b"\xff\xfe\n", b"null\n", b"[" * 100_000 + b"\n", b'{"time": 1}\n'])
@pytest.mark.parametrize("place", range(len(ALL) + 1))
def test_damage_is_reported_and_copied(path: Path, damage: bytes, place: int) -> None:
    lines = filled(path).splitlines(keepends=True)
    damaged = b"".join([*lines[:place], damage, *lines[place:]])
    path.write_bytes(damaged)
    with pytest.raises(HistoryError, match="not-a-history") as refused:
        load(path)
    assert refused.value.details == {"file": path, "line": place + 1}
    assert path.read_bytes() == damaged
    aside = rescue(path)
    assert aside.read_bytes() == damaged
    # the damage is joined to this line
    lost = ALL[place : place + 1] if not damage.endswith(b"\n") else ()
    assert load(path) == tuple(answer for answer in ALL if answer not in lost)
    append(path, SHEET)
    assert load(path)[-1] == SHEET


def test_a_truncated_line_is_no_answer(path: Path) -> None:
    whole = filled(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(HistoryError, match="not-a-history"):
        load(path)
    rescue(path)
    assert load(path) == ALL[:-1]


def test_a_copy_is_never_overwritten(path: Path) -> None:
    asides = []
    for _ in range(3):
        filled(path, ALL[:1])
        with path.open("ab") as file:
            file.write(b"damage")
        asides.append(rescue(path))
    assert len(set(asides)) == 3
    assert {aside.parent for aside in asides} == {path.parent}


def test_a_folder_without_write_access_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot-save"):
        append(tmp_path / "file" / "training.jsonl", RIGHT)
    with pytest.raises(StorageError, match="cannot-read"):
        load(tmp_path)


def test_the_history_is_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    assert default_path() == tmp_path / "dicecup" / "training.jsonl"
