"""Settings of a server's tables, read from the environment. All have defaults."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from sqlalchemy.engine import URL

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import default_folder, host_key
from dicecup.hosting.store.engines import database_url, sqlite_url

DATABASE: Final = "DICECUP_DATABASE_URL"
FOLDER: Final = "DICECUP_DATA"
PROCESSES: Final = "DICECUP_PROCESSES"
WAITING: Final = "DICECUP_WAITING"
TABLES: Final = "DICECUP_TABLES_PER_IDENTITY"
FILE: Final = "tables.sqlite"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server's tables.

    `host_key` has 32 bytes. Each pool has so many `processes`, and at most `waiting` jobs wait for
    them. `tables` is the limit of unfinished tables that one identity may have created.
    """

    database: URL = field(repr=False)
    host_key: bytes = field(repr=False)
    processes: int = 1
    waiting: int = 64
    tables: int = 200

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the settings of an environment.

        By default the database and the host key are files in the data folder, which is created for
        its owner alone. Raises `HostKeyError`, `StoreError` (`not-a-database`), and `HostingError`
        (`not-a-setting`).
        """
        folder = _folder(environment)
        return cls(
            database(environment),
            host_key(folder, environment),
            _count(environment, PROCESSES, cls.default_processes(), least=1),
            _count(environment, WAITING, 64, least=0),
            _count(environment, TABLES, 200, least=1),
        )

    @staticmethod
    def default_processes() -> int:
        """Return the default number of processes of a pool: one core is left for the tables."""
        return max(1, (os.cpu_count() or 1) - 1)


def database(environment: Mapping[str, str] = os.environ) -> URL:
    """Return the URL of the database. Raises as `Settings.read`."""
    if url := environment.get(DATABASE):
        return database_url(url)
    folder = _folder(environment)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise HostingError(HostingCode.NOT_A_SETTING, name=FOLDER, text=f"{folder}: {error.strerror}") from None
    return sqlite_url(folder / FILE)


def _folder(environment: Mapping[str, str]) -> Path:
    return Path(environment.get(FOLDER) or default_folder())


def _count(environment: Mapping[str, str], name: str, default: int, *, least: int) -> int:
    text = environment.get(name) or str(default)
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < least:
        raise HostingError(HostingCode.NOT_A_SETTING, name=name, text=text)
    return int(text)
