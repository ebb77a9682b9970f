"""Settings of a server's tables, read from the environment. All have defaults."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, Self

from sqlalchemy.engine import URL

from dicecup.hosting import secret_files
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import default_folder, host_key, key_file
from dicecup.hosting.store.engines import database_url, sqlite_url

DATABASE: Final = "DICECUP_DATABASE_URL"
FOLDER: Final = "DICECUP_DATA"
PROCESSES: Final = "DICECUP_PROCESSES"
WAITING: Final = "DICECUP_WAITING"
WAITING_OF_ADDRESS: Final = "DICECUP_WAITING_PER_ADDRESS"
SECONDS: Final = "DICECUP_SECONDS_PER_JOB"
READING_SECONDS: Final = "DICECUP_SECONDS_PER_READING"
TABLES: Final = "DICECUP_TABLES_PER_IDENTITY"
TABLES_PER_DAY: Final = "DICECUP_TABLES_PER_DAY"
IDENTITIES_PER_DAY: Final = "DICECUP_IDENTITIES_PER_DAY"
ACCOUNTS: Final = "DICECUP_ACCOUNTS"
ACCOUNTS_PER_DAY: Final = "DICECUP_ACCOUNTS_PER_DAY"
MEGABYTES_PER_DAY: Final = "DICECUP_MEGABYTES_PER_DAY"
RATED: Final = "DICECUP_RATED"
KEEP_DAYS: Final = "DICECUP_KEEP_DAYS"
BACKUP_HOURS: Final = "DICECUP_BACKUP_HOURS"
BACKUP_FOLDER: Final = "DICECUP_BACKUP_FOLDER"
BACKUPS_KEPT: Final = "DICECUP_BACKUPS_KEPT"
BACKUPS: Final = "backups"
FILE: Final = "tables.sqlite"
Accounts = Literal["optional", "required"]
Rated = Literal["accounts", "everyone"]
SILENCE: Final = 2.0
"""Seconds between two proofs that people can reach the server. A longer time is an outage."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server's tables.

    - `host_key`: 32 bytes, or empty for a missing key, which `dicecup.hosting.key_of_database` may
      create in `key_file`.
    - `processes`: the processes of each pool.
    - `waiting`: jobs that may wait for a pool; `waiting_of_address`: those of one address.
    - `seconds`: the time limit of a job; `reading_seconds`: that for reading a request or a record.
    - `tables`: unfinished tables that one identity may have created.
    - `tables_per_day`, `identities_per_day`, `accounts_per_day`, `megabytes_per_day`: what one
      network may create.
    - `accounts`: whether people need an account to create and join tables.
    - `rated`: who may play rated games: people with accounts, or everyone.
    - `keep_days`: days from the end of a table to its deletion, 0 for no deletion.
    - `backup_hours`: hours between two backups of SQLite, 0 for none. The folder `backups` keeps
      the last `backups_kept`.
    - `folder`: where the server keeps the mark of its timeline (`dicecup.hosting.timeline`).
    - `silence`: the longest time in seconds between two proofs that people can reach the server
      that is not an outage. No environment changes it: all workers of a database have the same.
    """

    database: URL = field(repr=False)
    host_key: bytes = field(repr=False)
    processes: int = 1
    waiting: int = 64
    waiting_of_address: int = 16
    seconds: int = 60
    reading_seconds: int = 10
    tables: int = 200
    tables_per_day: int = 1000
    identities_per_day: int = 1000
    accounts: Accounts = "optional"
    accounts_per_day: int = 100
    megabytes_per_day: int = 1000
    rated: Rated = "accounts"
    keep_days: int = 0
    backup_hours: int = 0
    backups_kept: int = 7
    backups: Path | None = None
    key_file: Path | None = None
    folder: Path | None = None
    silence: float = SILENCE

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the settings of an environment.

        By default the database and the host key are files in the data folder, which is created for
        its owner alone. A missing host key is not created here. Raises `HostKeyError`, `StoreError`
        (`not-a-database`), and `HostingError` (`not-a-setting`).
        """
        folder = data_folder(environment)
        key = host_key(folder, environment)
        return cls(
            database(environment),
            key or b"",
            processes=_count(environment, PROCESSES, cls.default_processes(), least=1),
            waiting=_count(environment, WAITING, 64, least=0),
            waiting_of_address=_count(environment, WAITING_OF_ADDRESS, 16, least=1),
            seconds=_count(environment, SECONDS, 60, least=1),
            reading_seconds=_count(environment, READING_SECONDS, 10, least=1),
            tables=_count(environment, TABLES, 200, least=1),
            tables_per_day=_count(environment, TABLES_PER_DAY, 1000, least=1),
            identities_per_day=_count(environment, IDENTITIES_PER_DAY, 1000, least=1),
            accounts=_accounts(environment),
            accounts_per_day=_count(environment, ACCOUNTS_PER_DAY, 100, least=1),
            megabytes_per_day=_count(environment, MEGABYTES_PER_DAY, 1000, least=1),
            rated=_rated(environment),
            keep_days=_count(environment, KEEP_DAYS, 0, least=0),
            backup_hours=_count(environment, BACKUP_HOURS, 24, least=0),
            backups_kept=_count(environment, BACKUPS_KEPT, 7, least=1),
            backups=Path(environment.get(BACKUP_FOLDER) or folder / BACKUPS),
            key_file=key_file(folder) if key is None else None,
            folder=folder,
        )

    @staticmethod
    def default_processes() -> int:
        """Return the default number of processes of a pool: one core is left for the tables."""
        return max(1, (os.cpu_count() or 1) - 1)


def database(environment: Mapping[str, str] = os.environ) -> URL:
    """Return the URL of the database. Raises as `Settings.read`."""
    if url := environment.get(DATABASE):
        return database_url(url)
    folder = data_folder(environment)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise HostingError(HostingCode.NOT_A_SETTING, name=FOLDER, text=f"{folder}: {error.strerror}") from None
    return sqlite_url(folder / FILE)


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder in which a server keeps what is its own."""
    return Path(environment.get(FOLDER) or default_folder())


def secret(name: str, file: Path, environment: Mapping[str, str]) -> str:
    """Return a secret of the environment or of a file that only its owner can read, empty without
    both. Raises `HostingError` (`not-a-setting`)."""
    if given := environment.get(name):
        return given
    try:
        return secret_files.read(file)
    except FileNotFoundError:
        return ""
    except secret_files.ExposedError as error:
        raise HostingError(HostingCode.NOT_A_SETTING, name=str(file), text=f"mode {error.mode}") from None
    except OSError as error:
        raise HostingError(HostingCode.NOT_A_SETTING, name=str(file), text=error.strerror) from None


def check_setting(name: str, text: str, right: bool) -> None:
    """Raise `HostingError` (`not-a-setting`) unless a setting is right. A URL with a password is
    not shown."""
    if not right:
        raise HostingError(HostingCode.NOT_A_SETTING, name=name, text="…" if "@" in text and ":" in text else text)


def _accounts(environment: Mapping[str, str]) -> Accounts:
    match environment.get(ACCOUNTS) or "optional":
        case "optional" | "required" as accounts:
            if accounts == "required" and not find_spec("webauthn"):
                raise HostingError(HostingCode.NOT_INSTALLED, name=ACCOUNTS, extra="accounts")
            return accounts
        case text:
            raise HostingError(HostingCode.NOT_A_SETTING, name=ACCOUNTS, text=text)


def _rated(environment: Mapping[str, str]) -> Rated:
    match environment.get(RATED) or "accounts":
        case "accounts" | "everyone" as rated:
            return rated
        case text:
            raise HostingError(HostingCode.NOT_A_SETTING, name=RATED, text=text)


def _count(environment: Mapping[str, str], name: str, default: int, *, least: int) -> int:
    text = environment.get(name) or str(default)
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < least:
        raise HostingError(HostingCode.NOT_A_SETTING, name=name, text=text)
    return int(text)
