"""Backups that a server makes by itself."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog
from sqlalchemy.engine import URL

from dicecup.hosting import backup, scheduled_backups
from dicecup.hosting.backup import BackupError
from dicecup.hosting.scheduled_backups import RETRY, SETTLE, ScheduledBackups
from dicecup.hosting.settings import Settings
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, settings
from tests.hosting.test_timers import Time


@pytest.fixture
async def made(tmp_path: Path) -> Settings:
    """Return the settings of a server with one table that makes a backup every 2 hours and keeps
    3."""
    given = settings(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    host = await TableHost.open(given)
    await host.create("anna", alone(), name="Anna")
    await host.close()
    return replace(given, backup_hours=2, backups_kept=3, backups=tmp_path / "backups")


@pytest.fixture
def here(made: Settings, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files of all backups, which are made in this process: another one takes seconds to
    start."""
    runs: list[Path] = []

    class Here:
        def __init__(self, *_: object, **__: object) -> None: ...

        async def run(self, function: object, database: URL, file: Path) -> int:
            assert (function, database) == (backup.back_up, made.database)
            runs.append(file)
            return backup.back_up(database, file)

        async def close(self) -> None: ...

    monkeypatch.setattr(scheduled_backups, "Pool", Here)
    return runs


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


async def test_a_backup_is_made_every_few_hours_and_the_last_ones_stay(made: Settings, here: list[Path]) -> None:
    runs, folder = here, made.backups
    assert folder is not None
    time = Time()
    time.now = 1_795_000_000.0
    backups = ScheduledBackups(made, time)
    assert backups.gauges() == {"last_good_backup": 0, "backup_failed": 0}
    await backups.run_if_due()
    assert runs == []
    for hours in range(10):
        await backups.run_if_due()
        time.now += SETTLE if hours == 0 else 3600
    kept = names(folder)
    assert (len(runs), len(kept)) == (5, 3)
    assert kept == [file.name for file in runs[-3:]]
    assert backups.gauges()["last_good_backup"] > 1_795_000_000
    assert (folder.stat().st_mode & 0o777, runs[-1].stat().st_mode & 0o777) == (0o700, 0o600)
    with closing(sqlite3.connect(runs[-1])) as copy:
        assert copy.execute("SELECT count(DISTINCT table_id) FROM events").fetchone() == (1,)
    (folder / "dicecup-mine.sqlite").touch()  # other files are left alone and count for nothing
    again = ScheduledBackups(made, time)
    await again.run_if_due()
    assert len(runs) == 5
    assert again.gauges() == backups.gauges()


@pytest.mark.slow
async def test_the_process_of_a_backup_copies_and_checks(made: Settings) -> None:
    time = Time()
    file, tables = await ScheduledBackups(made, time).run()
    assert (file.name, tables) == ("dicecup-20010909T014640Z.sqlite", 1)
    assert backup.check(file) == 1


@pytest.mark.usefixtures("here")
async def test_a_damaged_database_makes_no_backup_and_the_older_ones_stay(made: Settings) -> None:
    time = Time()
    backups = ScheduledBackups(made, time)
    good, _ = await backups.run()
    with closing(sqlite3.connect(made.database.database or "")) as database:
        database.execute("UPDATE events SET body = '{}' WHERE number = 2")
        database.commit()
    time.now += 3 * 3600
    with structlog.testing.capture_logs() as logs:
        await backups.run_if_due()
    assert names(good.parent) == [good.name]
    assert backups.gauges() == {"last_good_backup": 10**9, "backup_failed": 1}
    assert logs[0]["event"] == "backup failed"
    assert logs[0]["code"] == "backup-damaged"
    time.now += RETRY - 1
    with structlog.testing.capture_logs() as logs:
        await backups.run_if_due()
    assert logs == []


async def test_a_full_disk_is_not_filled_further(made: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    with pytest.raises(BackupError) as refused:
        await ScheduledBackups(made, Time()).run()
    assert str(refused.value.code) == "cannot-save"
    assert made.backups is not None
    assert names(made.backups) == []


@pytest.mark.usefixtures("here")
async def test_what_an_interrupted_backup_left_is_removed(made: Settings) -> None:
    folder = made.backups
    assert folder is not None
    folder.mkdir()
    (folder / ".dicecup-20260101T000000Z.sqlite.0123456789abcdef").touch()
    file, _ = await ScheduledBackups(made, Time()).run()
    assert names(folder) == [file.name]


def test_the_settings_say_how_often_where_and_how_many(tmp_path: Path) -> None:
    here = {"DICECUP_DATA": str(tmp_path), "DICECUP_HOST_KEY": "00" * 32}
    usual = Settings.read(here)
    assert (usual.backup_hours, usual.backups, usual.backups_kept) == (24, tmp_path / "backups", 7)
    assert ScheduledBackups(usual, Time()).is_on
    named = {"DICECUP_BACKUP_HOURS": "0", "DICECUP_BACKUP_FOLDER": "/elsewhere", "DICECUP_BACKUPS_KEPT": "2"}
    changed = Settings.read(here | named)
    assert (changed.backup_hours, changed.backups, changed.backups_kept) == (0, Path("/elsewhere"), 2)
    assert not ScheduledBackups(changed, Time()).is_on
    assert ScheduledBackups(changed, Time()).gauges() == {}
    shared = Settings.read(here | {"DICECUP_DATABASE_URL": "postgresql://dicecup@localhost/dicecup"})
    assert not ScheduledBackups(shared, Time()).is_on
