"""What whoever runs a server decides, read from the environment; all of it has a default."""

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
    """`database`; `host_key`: 32 bytes; `processes` that think, and how many jobs wait for them at most; `tables`: how many that are
    not over somebody may have made."""

    database: URL = field(repr=False)
    host_key: bytes = field(repr=False)
    processes: int = 1
    waiting: int = 64
    tables: int = 200

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """From the environment; the database and the key are files in the data folder unless it says otherwise; the folder is made,
        for its owner alone.
        Raises `HostKeyError`, `StoreError` (`not-a-database`), and `HostingError` (`not-a-setting`)."""
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
        """One core is for the tables."""
        return max(1, (os.cpu_count() or 1) - 1)


def database(environment: Mapping[str, str] = os.environ) -> URL:
    """Where the tables are. Raises as `Settings.read`."""
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
