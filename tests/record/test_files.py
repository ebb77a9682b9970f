"""Records on disk: unreadable files are refused, and a file always holds the whole old or the whole
new record.
"""

import errno
import io
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dicecup import record
from dicecup.record import LIMIT, Record, RecordError, files
from tests.record.texts import read, text_of

OLD = text_of("1. 11235 --\n", X="Anna")
NEW = text_of("1. 11235 --\n2. 11235 k11 11122 a1 ; now\n", X="Zoé")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the old record, the only file in its folder."""
    path = tmp_path / "game.txt"
    path.write_bytes(OLD.encode())
    return path


def names_in(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return [path.name for path in folder.iterdir()]


# Reading


def test_a_saved_record_loads(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    record.save(path, record.read(NEW))
    assert path.read_bytes() == NEW.encode()
    assert record.load(path).to_text() == NEW
    assert record.load(str(path)) == record.read(NEW)
    assert names_in(tmp_path) == ["new.txt"]


@pytest.mark.parametrize(
    "data, line, code",
    [
        (OLD.encode("utf-8-sig"), 1, "byte-order-mark"),
        (OLD.encode("utf-16"), 1, "not-utf8"),
        (OLD.replace("\n", "\r\n").encode(), 1, "carriage-return"),
        (NEW.encode("latin-1"), 2, "not-utf8"),
        (OLD.encode() + b"2. 11235 -- ;\xff\n", 5, "not-utf8"),
        (OLD.encode() + b"2. 11235 -- ;\xed\xa0\x80\n", 5, "not-utf8"),  # a surrogate
        (OLD.encode() + b"2. 11235 -- ;\xc0\xaf\n", 5, "not-utf8"),  # more bytes than needed
        (OLD.encode()[:-1], 4, "no-final-newline"),
        (b"", 1, "no-final-newline"),
        (b"\0" * 100, 1, "no-final-newline"),
        (OLD.replace("11235", "1123\u0665").encode(), 4, "not-a-face"),
        (OLD.replace("1.", "\uff11.").encode(), 4, "not-a-turn"),
    ],
)
def test_files_that_hold_no_record_are_refused(file: Path, data: bytes, line: int, code: str) -> None:
    file.write_bytes(data)
    with pytest.raises(RecordError) as refusal:
        record.load(file)
    assert [(fault.line, fault.code) for fault in refusal.value.faults] == [(line, code)]
    assert file.read_bytes() == data


def test_a_missing_file_raises_the_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        record.load(tmp_path / "nowhere.txt")
    with pytest.raises(IsADirectoryError):
        record.load(tmp_path)


class Endless(io.RawIOBase):
    """A stream without end that counts the bytes read."""

    def __init__(self) -> None:
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        buffer[:] = b"1" * len(buffer)
        self.given += len(buffer)
        return len(buffer)


def test_a_stream_is_read_no_further_than_the_limit() -> None:
    endless = Endless()
    with pytest.raises(RecordError, match="record-too-large") as refusal:
        record.load_stream(io.BufferedReader(endless))
    assert [(fault.line, dict(fault.details)) for fault in refusal.value.faults] == [(0, {"limit": LIMIT})]
    assert LIMIT < endless.given < 2 * LIMIT


def test_a_file_of_100_megabytes_is_refused(file: Path) -> None:
    with file.open("ab") as grown:
        grown.truncate(100_000_000)
    with pytest.raises(RecordError, match="record-too-large"):
        record.load(file)


def test_the_largest_record_is_read() -> None:
    text = OLD[:-1] + " ;"
    filled = f"{text}{'x' * (LIMIT - len(text) - 1)}\n".encode()
    assert record.load_stream(io.BytesIO(filled)).journal.turns == 1
    with pytest.raises(RecordError, match="record-too-large"):
        record.load_stream(io.BytesIO(b"\n" + filled))


def test_reading_time_grows_with_the_number_of_turns() -> None:
    """Time that grew with the square of the number of turns would make this test take hours."""
    turns = "".join(f"{number}. 11235 --\n" for number in range(1, 20_001))
    assert record.read(text_of(turns)).journal.turns == 20_000


# Writing


def no_space(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class FullDisk(io.FileIO):
    """A file on a disk that becomes full in the middle of a write."""

    def write(self, data: Any) -> int:
        super().write(bytes(data)[: len(data) // 2])
        return no_space()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "target, name, fault",
    [
        (Path, "open", no_space),
        (Path, "open", lambda path, _mode: FullDisk(path, "w")),
        # only flushing writes
        (Path, "open", lambda path, _mode: io.BufferedWriter(FullDisk(path, "w"))),
        (os, "fsync", no_space),
        (Path, "replace", no_space),
    ],
    ids=["open", "write", "flush", "fsync", "replace"],
)
def test_a_full_disk_leaves_the_old_record(
    file: Path, monkeypatch: pytest.MonkeyPatch, target: Any, name: str, fault: Callable[..., Any]
) -> None:
    changed = record.read(NEW)
    with monkeypatch.context() as patched:
        patched.setattr(target, name, fault)
        with pytest.raises(OSError) as refusal:  # noqa: PT011 the number tells
            record.save(file, changed)
    assert refusal.value.errno == errno.ENOSPC
    assert file.read_bytes() == OLD.encode()
    assert names_in(file.parent) == [file.name]
    record.save(file, changed)
    assert file.read_bytes() == NEW.encode()


def test_an_interrupted_save_leaves_the_old_record(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_handle: int) -> None:
        raise KeyboardInterrupt

    changed = record.read(NEW)
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        record.save(file, changed)
    assert file.read_bytes() == OLD.encode()
    assert names_in(file.parent) == [file.name]


def test_a_folder_that_cannot_be_synced_is_no_fault(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed, whole = record.read(NEW), os.open
    monkeypatch.setattr(os, "open", lambda path, flags, *mode: whole(path, flags, *mode) if flags else no_space())
    record.save(file, changed)
    assert file.read_bytes() == NEW.encode()


def test_only_the_owner_can_read_a_new_record(file: Path) -> None:
    record.save(file.with_name("new.txt"), record.read(NEW))
    assert stat.S_IMODE(file.with_name("new.txt").stat().st_mode) == 0o600
    file.chmod(0o640)
    record.save(file, record.read(NEW))
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_saving_without_a_folder_raises_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        record.save(tmp_path / "nowhere" / "game.txt", record.read(NEW))
    assert names_in(tmp_path) == []


def test_a_file_size_limit_leaves_the_old_record(file: Path) -> None:
    """The process has a limit of 20 bytes for each file, so the system refuses the write."""
    script = """
import resource, signal, sys
from dicecup import record
changed = record.read(sys.stdin.read())
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))
try:
    record.save(sys.argv[1], changed)
except OSError as error:
    print(error.errno)
"""
    ran = run(script, str(file))
    assert (ran.returncode, ran.stdout.strip()) == (0, str(errno.EFBIG))
    assert file.read_bytes() == OLD.encode()
    assert names_in(file.parent) == [file.name]


KILLED = """
import os, sys
from dicecup import record
from dicecup.record import files

path, steps = sys.argv[1], int(sys.argv[2])
changed = record.read(sys.stdin.read())

def watch(frame, event, _argument):
    global steps
    if event == "call" and frame.f_code.co_filename != files.__file__:
        return None
    if event == "line":
        steps -= 1
        if not steps:
            os._exit(9)
    return watch

sys.settrace(watch)
record.save(path, changed)
sys.settrace(None)
print("saved")
"""
"""Saves, and dies without warning before the given line of `files` that is run."""


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        input=NEW,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )


@pytest.mark.slow
def test_a_kill_at_any_step_leaves_the_old_record_or_the_new_one(file: Path) -> None:
    seen: list[str] = []
    for step in range(1, 100):
        file.write_bytes(OLD.encode())
        ran = run(KILLED, str(file), str(step))
        assert ran.stderr == ""
        found = file.read_text("utf-8")
        assert found in (OLD, NEW)
        seen.append("new" if found == NEW else "old")
        for left in set(file.parent.iterdir()) - {file}:
            left.unlink()
        if ran.stdout == "saved\n":
            break
        assert ran.returncode == 9
    else:
        pytest.fail("saving never came to its end")
    # the old one up to some step, from then on the new one
    assert seen == sorted(seen, reverse=True)
    assert seen.count("old") >= 6
    assert seen.count("new") >= 2


def test_files_of_a_killed_save_do_not_prevent_the_next(file: Path) -> None:
    assert run(KILLED, str(file), "6").returncode == 9
    record.save(file, record.read(NEW))
    assert file.read_bytes() == NEW.encode()


def test_saving_writes_what_reading_reads(tmp_path: Path) -> None:
    changed = Record({**read("").tags, "X": 'An "Anna" \\ é≤'}, read("").journal)
    record.save(tmp_path / "game.txt", changed)
    assert files.load(tmp_path / "game.txt") == changed
