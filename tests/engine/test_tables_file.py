"""Table files: a written file is read back; damaged and foreign files are refused."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dicecup.engine.tables_file import TablesCode, TablesError, load, save

ARRAYS: dict[str, NDArray[Any]] = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "b": np.array([], np.int64),
    "c": np.arange(5, dtype=np.int16)[::-1],
    "d": np.array(3.5),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save(tmp_path / "new" / "x.tables", "test", ARRAYS, {"seed": 1, "command": "Défi"})
    return tmp_path / "new" / "x.tables"


def refusal(path: Path, kind: str = "test") -> TablesCode:
    with pytest.raises(TablesError) as error:
        load(path, kind)
    assert error.value.details == {"file": path.name}
    assert isinstance(error.value.code, TablesCode)
    return error.value.code


def test_what_is_written_is_read(path: Path) -> None:
    tables = load(path, "test")
    assert tables.origin == {"seed": 1, "command": "Défi"}
    for name, array in ARRAYS.items():
        assert tables.arrays[name].dtype == array.dtype
        assert tables.arrays[name].shape == array.shape
        assert (tables.arrays[name] == array).all()
    assert not tables.arrays["a"].flags.writeable
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_writing_repeats(path: Path, tmp_path: Path) -> None:
    save(tmp_path / "again", "test", ARRAYS, {"seed": 1, "command": "Défi"})
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_a_missing_file_is_named_as_missing(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") is TablesCode.TABLES_MISSING


@pytest.mark.parametrize("at", [30, 70, 200, -1])
def test_one_wrong_byte_is_damage(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    assert refusal(path) is TablesCode.TABLES_DAMAGED


@pytest.mark.parametrize("length", [0, 40, 100, -1])
def test_a_file_that_is_cut_off_is_damage(path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    assert refusal(path) is TablesCode.TABLES_DAMAGED


def test_another_version_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"dicecup-tables 1", b"dicecup-tables 2"))
    assert refusal(path) is TablesCode.TABLES_VERSION


def test_another_kind_is_foreign(path: Path, tmp_path: Path) -> None:
    assert refusal(path, "other") is TablesCode.TABLES_FOREIGN
    (tmp_path / "text").write_text("something else\n")
    assert refusal(tmp_path / "text") is TablesCode.TABLES_FOREIGN


def test_a_folder_is_damage(tmp_path: Path) -> None:
    assert refusal(tmp_path) is TablesCode.TABLES_DAMAGED


@pytest.mark.parametrize(
    "header",
    [
        b"nonsense",
        b"[]",
        b"{}",
        b'{"kind": "test"}',
        b'{"kind": "test", "origin": 1, "arrays": {}}',
        b'{"kind": "test", "origin": {}, "arrays": []}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": 1}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": [2]}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "nothing", "shape": [2], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "f4,(", "shape": [2], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "O", "shape": [2], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": [99], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": [-1], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": ["x"], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": [2], "offset": -8}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": [1e400], "offset": 0}}}',
        b'{"kind": "test", "origin": {}, "arrays": {"a": {"dtype": "<f4", "shape": [1%s], "offset": 0}}}' % (b"0" * 400),
        b"[" * 100_000,
        b"\xff",
        b"",
    ],
)
def test_a_wrong_header_under_a_right_hash_is_damage(path: Path, header: bytes) -> None:
    body = header + b"\n" + bytes(64)
    path.write_bytes(b"dicecup-tables 1 " + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    assert refusal(path) is TablesCode.TABLES_DAMAGED
