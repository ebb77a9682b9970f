"""A PostgreSQL server for tests, in a temporary folder and reached by a socket in it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Self

import pytest

DEBIAN = Path("/usr/lib/postgresql")
USER = "postgres"


class Postgres:
    """A PostgreSQL server that a test may stop and start again.

    Without `durable` a crash of the machine may lose commits, but a crash of the server may not.
    """

    def __init__(self, programs: Path, folder: Path, *, durable: bool) -> None:
        self._programs = programs
        self._fsync = "on" if durable else "off"
        self._folder = folder
        self._database: str | None = None
        self._as_user = [str(runuser()), "-u", USER, "--"] if os.getuid() == 0 else []

    @classmethod
    def create(cls, programs: Path, folder: Path, *, durable: bool) -> Self:
        created = cls(programs, folder, durable=durable)
        if os.getuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(folder, user.pw_uid, user.pw_gid)
        created._run(
            "initdb", "--pgdata", f"{folder}/data", "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-sync"
        )
        created.start()
        return created

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self._folder} -c fsync={self._fsync}"
        self._run("pg_ctl", "start", "--pgdata", f"{self._folder}/data", "--log", f"{self._folder}/log", "-w", "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server. The mode `immediate` simulates a crash."""
        self._run("pg_ctl", "stop", "--pgdata", f"{self._folder}/data", "-m", mode, "-w")

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        name = f"test_{token_hex(6)}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql://{USER}@/{name}?host={self._folder}"

    def the_database(self) -> str:
        """Empty the shared database and return its URL, which is faster than creating a
        database."""
        if self._database is None:
            self._database = self.new_database()
        else:
            name = self._database.partition("@/")[2].partition("?")[0]
            self.cut_off()
            self.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public", name)
        return self._database

    def sql(self, statement: str, database: str = "postgres") -> None:
        who = ["--host", str(self._folder), "--username", USER, "--dbname", database]
        self._run("psql", "--no-psqlrc", "--quiet", *who, "--command", statement)

    def dump(self, database: str) -> str:
        """Return the schema of a database, given by its URL, as `pg_dump` writes it."""
        name = database.partition("@/")[2].partition("?")[0]
        who = ["--host", str(self._folder), "--username", USER, "--dbname", name]
        self._run("pg_dump", "--schema-only", "--no-owner", *who)
        return (self._folder / "output").read_text("utf-8")

    @property
    def data(self) -> Path:
        """Return the folder of the database cluster."""
        return self._folder / "data"

    def base_backup(self, folder: Path) -> None:
        """Copy the running cluster to a new folder."""
        self._run(
            "pg_basebackup", "--host", str(self._folder), "--username", USER, "--pgdata", str(folder), "--checkpoint=fast"
        )

    def value(self, statement: str) -> str:
        """Return the only value that a statement returns."""
        who = ["--host", str(self._folder), "--username", USER, "--dbname", "postgres"]
        self._run("psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", *who, "--command", statement)
        return (self._folder / "output").read_text("utf-8").strip()

    def wait_until(self, statement: str) -> None:
        """Wait until a statement returns true."""
        while self.value(statement) != "t":
            time.sleep(0.05)

    def cut_off(self) -> None:
        """End every connection of Dicecup while PostgreSQL keeps running."""
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dicecup'")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server during the block, as a machine does that hangs."""
        main = int((self._folder / "data" / "postmaster.pid").read_text("ascii").splitlines()[0])
        os.kill(main, signal.SIGSTOP)  # from here on it starts no others
        children = Path(f"/proc/{main}/task/{main}/children").read_text("ascii").split()
        for child in children:
            os.kill(int(child), signal.SIGSTOP)
        try:
            yield
        finally:
            for process in (*map(int, children), main):
                os.kill(process, signal.SIGCONT)

    def _run(self, program: str, *arguments: str) -> None:
        # pg_ctl's child keeps the pipe open, so its output goes to a file.
        with (self._folder / "output").open("wb") as output:
            command = [*self._as_user, str(self._programs / program), *arguments]
            ended = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=self._folder, check=False
            )
        if ended.returncode:
            raise RuntimeError((self._folder / "output").read_text(errors="replace"))


def runuser() -> str | None:
    """Return the path of `runuser`, which Debian keeps outside of some users' PATH."""
    return shutil.which("runuser") or shutil.which("runuser", path="/usr/sbin:/sbin")


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL programs, `None` if they cannot be run here."""
    found = sorted(DEBIAN.glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    on_path = shutil.which("pg_ctl")
    candidates = [*found, *([Path(on_path).parent] if on_path else [])]
    if os.getuid() == 0 and (not runuser() or USER not in {user.pw_name for user in pwd.getpwall()}):
        return None
    return next((path for path in candidates if (path / "initdb").exists()), None)


@contextmanager
def running(*, durable: bool = False) -> Iterator[Postgres]:
    """Yield a running server. Skip the test without PostgreSQL, which fails it in CI
    (`tests/conftest.py`)."""
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="dicecup-postgres-"))
    try:
        server = Postgres.create(found, folder, durable=durable)
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder)
