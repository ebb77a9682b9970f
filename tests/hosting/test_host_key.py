"""The host key: its sources, its file, and invalid keys."""

import base64
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dicecup.hosting.host_key import FILE, VARIABLE, HostKeyCode, HostKeyError, create_host_key, derived_key, host_key
from dicecup.hosting.settings import FOLDER, Settings
from dicecup.table.fairness import secret_of

KEY = bytes(range(224, 256))
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="files have no mode here")


@pytest.mark.parametrize(
    "text", [KEY.hex(), KEY.hex().upper(), base64.b64encode(KEY).decode(), base64.urlsafe_b64encode(KEY).decode()]
)
def test_a_key_is_read_from_the_environment(tmp_path: Path, text: str) -> None:
    assert host_key(tmp_path, {VARIABLE: text}) == KEY
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["x", "00" * 31, "00" * 33, base64.b64encode(KEY[1:]).decode(), "é" * 32, KEY.hex()[1:], " "])
def test_an_error_does_not_show_the_key(tmp_path: Path, text: str) -> None:
    with pytest.raises(HostKeyError) as caught:
        host_key(tmp_path, {VARIABLE: text})
    assert (caught.value.code, caught.value.details) == (HostKeyCode.NOT_A_KEY, {"where": VARIABLE})


@ON_POSIX
def test_a_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "dicecup"
    path = folder / FILE
    assert host_key(folder, {}) is None
    key = create_host_key(path)
    assert len(key) == 32
    assert host_key(folder, {VARIABLE: ""}) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [found.name for found in folder.iterdir()] == [FILE]
    assert create_host_key(path) == key
    assert create_host_key(tmp_path / "other" / FILE) != key


@ON_POSIX
@pytest.mark.parametrize("environment", [{}, {VARIABLE: KEY.hex()}], ids=["key made", "key given"])
def test_the_data_folder_is_made_for_its_owner_alone(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "data"
    before = os.umask(0o022)
    try:
        Settings.read(environment | {FOLDER: str(folder)})
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    """Start processes without a key file; all must read the same key."""
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: create_host_key(tmp_path / FILE), range(32)))) == 1
    assert [found.name for found in tmp_path.iterdir()] == [FILE]


@ON_POSIX
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601, 0o666])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    create_host_key(tmp_path / FILE)
    (tmp_path / FILE).chmod(mode)
    with pytest.raises(HostKeyError) as caught:
        host_key(tmp_path, {})
    assert (caught.value.code, caught.value.details) == (HostKeyCode.EXPOSED, {"file": tmp_path / FILE, "mode": f"{mode:04o}"})


@pytest.mark.parametrize("content", ["", "00", "00" * 32 + "\n" + "00" * 32, "\xff" * 40, "00" * 4096])
def test_a_file_that_holds_no_key_is_refused_and_kept(tmp_path: Path, content: str) -> None:
    create_host_key(tmp_path / FILE)
    (tmp_path / FILE).write_text(content, "latin-1")
    with pytest.raises(HostKeyError) as caught:
        host_key(tmp_path, {})
    assert (caught.value.code, caught.value.details) == (HostKeyCode.NOT_A_KEY, {"where": str(tmp_path / FILE)})
    assert (tmp_path / FILE).read_text("latin-1") == content


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HostKeyError) as caught:
        host_key(tmp_path / "file", {})
    assert caught.value.code is HostKeyCode.UNUSABLE


def test_derived_keys_differ_from_secrets_of_tables() -> None:
    assert derived_key(KEY, "cookies") == derived_key(KEY, "cookies")
    tables = ("cookies", "ÿcookies", "\xffcookies")
    assert derived_key(KEY, "cookies") not in {KEY, derived_key(KEY, "tokens"), *(secret_of(KEY, table) for table in tables)}
