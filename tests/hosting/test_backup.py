"""Backups of an SQLite database: checked, private, and whole or absent."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dicecup.hosting.backup import BackupCode, BackupError, back_up, check
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, play, settings


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """Return a database with two tables, whose last events are in the write-ahead log."""
    file = tmp_path / "tables.sqlite"
    host = await TableHost.open(settings(f"sqlite:///{file}"))
    for _ in range(2):
        made = await host.create("anna", alone(), name="Anna")
        await play(host, made.table, ["anna"], 9)
    await host.close()
    return file


def change(file: Path, statement: str) -> None:
    """Change a database as no version of Dicecup would."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)


def test_a_backup_is_checked_and_private(file: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    with closing(sqlite3.connect(file)) as writing:
        writing.execute("BEGIN IMMEDIATE")  # another program writes meanwhile
        assert back_up(database_url(f"sqlite:///{file}"), backup) == 2
    assert backup.stat().st_mode & 0o777 == 0o600
    assert check(backup) == 2
    with pytest.raises(BackupError) as refused:
        back_up(database_url(f"sqlite:///{file}"), backup)
    assert refused.value.code is BackupCode.FILE_EXISTS


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET body = '{}' WHERE number = 4",
        "UPDATE events SET body = 'x' WHERE number = 4",
        "UPDATE events SET number = 99 WHERE number = 4",
        "UPDATE events SET body = (SELECT body FROM events WHERE number = 7) WHERE number = 2",
        "DROP TABLE events",
    ],
)
def test_a_database_with_damaged_events_has_no_backup(file: Path, tmp_path: Path, damage: str) -> None:
    before = set(tmp_path.iterdir())
    change(file, damage)
    with pytest.raises(BackupError) as refused:
        back_up(database_url(f"sqlite:///{file}"), tmp_path / "backup.sqlite")
    assert refused.value.code is BackupCode.DAMAGED
    assert refused.value.details["file"] == tmp_path / "backup.sqlite"
    assert {path for path in tmp_path.iterdir() if not path.name.startswith("tables.sqlite-")} == before


def test_a_backup_with_broken_pages_is_refused(file: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    back_up(database_url(f"sqlite:///{file}"), backup)
    content = backup.read_bytes()
    for broken in (content[: len(content) // 2], content[:8192] + bytes(4096) + content[12288:], b"nonsense", b""):
        backup.write_bytes(broken)
        with pytest.raises(BackupError) as refused:
            check(backup)
        assert refused.value.code is BackupCode.DAMAGED


def test_a_backup_that_cannot_be_written_leaves_nothing(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError) as refused:
        back_up(database_url(f"sqlite:///{file}"), tmp_path / "nowhere" / "backup.sqlite")
    assert refused.value.code is BackupCode.CANNOT_SAVE
    with pytest.raises(BackupError) as refused:
        back_up(database_url(f"sqlite:///{tmp_path / 'missing.sqlite'}"), tmp_path / "backup.sqlite")
    assert refused.value.code is BackupCode.CANNOT_SAVE
    assert not (tmp_path / "backup.sqlite").exists()
