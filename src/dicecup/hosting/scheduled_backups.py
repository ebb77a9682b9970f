"""Backups that a server makes of its SQLite file by itself, and checks."""

import asyncio
import errno
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from dicecup.hosting.backup import BackupCode, BackupError, back_up
from dicecup.hosting.errors import HostingError
from dicecup.hosting.pool import Pool
from dicecup.hosting.settings import Settings
from dicecup.hosting.store.store_errors import StoreError

CHECK_INTERVAL: Final = 60.0
"""Seconds between two looks whether a backup is due."""
SETTLE: Final = 600.0
"""Seconds after the start without a backup, so that a restart is fast."""
RETRY: Final = 3600.0
"""Seconds after a backup that failed until the next attempt."""
LONGEST: Final = 6 * 3600.0
"""Seconds that a backup and its check may take."""
HOUR: Final = 3600.0
PATTERN: Final = "dicecup-*.sqlite"
NAME: Final = "dicecup-%Y%m%dT%H%M%SZ.sqlite"

log = structlog.get_logger()


class ScheduledBackups:
    """Makes a backup every `settings.backup_hours` into `settings.backups` and keeps the newest
    ones. `clock` returns seconds since 1970.

    A process of its own with low priority makes and checks them, so that no table waits.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self.failed = False
        """Whether the last attempt of this process failed."""
        self._settings = settings
        self._clock = clock
        self._not_before = clock() + SETTLE

    @property
    def is_on(self) -> bool:
        """Return whether this server makes backups. PostgreSQL has programs of its own."""
        settings = self._settings
        return settings.backup_hours > 0 and settings.backups is not None and settings.database.get_backend_name() == "sqlite"

    def gauges(self) -> dict[str, int]:
        """Return the gauges for Prometheus: the time of the last good backup in seconds since 1970,
        0 for none, and whether the last attempt failed. A server without backups has none."""
        if not self.is_on:
            return {}
        return {"last_good_backup": int(max(self._times().values(), default=0)), "backup_failed": int(self.failed)}

    async def run_if_due(self) -> None:
        """Make a backup if one is due. A failure is logged."""
        now = self._clock()
        if not self.is_on or now < self._not_before:
            return
        newest = max((await asyncio.to_thread(self._times)).values(), default=0.0)
        if now < newest + self._settings.backup_hours * HOUR:
            return
        try:
            file, tables = await self.run()
        except (BackupError, HostingError, StoreError) as error:
            self.failed, self._not_before = True, now + RETRY
            details = {name: str(value) for name, value in error.details.items()}
            log.error("backup failed", code=str(error.code), **details)  # noqa: TRY400 the code says what is wrong
        else:
            self.failed = False
            log.info("backup", file=str(file), tables=tables)

    async def run(self) -> tuple[Path, int]:
        """Make a backup, check it, delete the oldest, and return the file and its number of tables.

        Raises `BackupError`, `StoreError`, and `HostingError` (`took-too-long`, `no-answer`).
        """
        folder = self._settings.backups
        assert folder is not None
        file = folder / datetime.fromtimestamp(self._clock(), UTC).strftime(NAME)
        await asyncio.to_thread(self._prepare, folder, file)
        pool = Pool(1, 0, seconds=LONGEST, low_priority=True)
        try:
            tables = await pool.run(back_up, self._settings.database, file)
        finally:
            await pool.close()
        await asyncio.to_thread(self._delete_oldest)
        return file, tables

    def _prepare(self, folder: Path, file: Path) -> None:
        """Create the folder, remove what an interrupted backup left, and check that there is room
        for the copy without filling the disk. Raises `BackupError` (`cannot-save`)."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for scratch in folder.glob(f".{PATTERN}.*"):
                scratch.unlink(missing_ok=True)
            source = Path(self._settings.database.database or "")
            size = sum(path.stat().st_size for path in (source, source.with_name(f"{source.name}-wal")) if path.exists())
            if shutil.disk_usage(folder).free < 2 * size:
                raise BackupError(BackupCode.CANNOT_SAVE, file=file, why=os.strerror(errno.ENOSPC))
        except OSError as error:
            raise BackupError(BackupCode.CANNOT_SAVE, file=file, why=error.strerror) from None

    def _delete_oldest(self) -> None:
        """Delete all but the newest backups."""
        kept = sorted(self._times(), key=lambda file: file.name)
        for file in kept[: -self._settings.backups_kept]:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                log.warning("backup not deleted", file=str(file), why=error.strerror)

    def _times(self) -> dict[Path, float]:
        """Return the time of each backup in the folder, none if it cannot be read."""
        found: dict[Path, float] = {}
        if self._settings.backups is None:
            return found
        with suppress(OSError):
            for file in self._settings.backups.glob(PATTERN):
                with suppress(ValueError):
                    found[file] = datetime.strptime(file.name, NAME).replace(tzinfo=UTC).timestamp()
        return found
