"""The guide of docs/hosting.md for PostgreSQL: back to a point in time, and other dice from there
on."""

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.hosting.settings import Settings
from dicecup.hosting.table_host import TableHost
from dicecup.record import read
from dicecup.table.commands import Resign
from dicecup.table.verify import check
from tests.hosting.guests import play, play_alone
from tests.hosting.test_restored import thrown
from tests.postgres import Postgres, running

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ARCHIVE = "/var/backups/dicecup"


@pytest.fixture
def archive() -> Iterator[Path]:
    """Return a folder for backups that the user of PostgreSQL can write."""
    folder = Path(tempfile.mkdtemp(prefix="dicecup-archive-"))
    (folder / "wal").mkdir()
    for path in (folder, folder / "wal"):
        path.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def configure(server: Postgres, example: str, archive: Path, **changed: str) -> None:
    """Add an example of the docs to the configuration of a server that does not run."""
    text = (EXAMPLES / example).read_text("utf-8").replace(ARCHIVE, str(archive))
    for name, value in changed.items():
        text = re.sub(rf"^{name} = .*$", f"{name} = '{value}'", text, flags=re.MULTILINE)
    with (server.data / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.slow
def test_a_point_in_time_is_restored(
    archive: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with running() as server:
        server.stop()
        configure(server, "postgresql-archive.conf", archive)
        server.start()
        monkeypatch.setenv("DICECUP_DATABASE_URL", server.new_database())
        monkeypatch.setenv("DICECUP_DATA", str(archive / "data"))
        server.base_backup(archive / "base")
        table = asyncio.run(play_alone(5))
        moment = server.value("SELECT clock_timestamp()")
        number, lost = asyncio.run(play_on(table))
        server.sql("SELECT pg_switch_wal()")
        server.stop()

        server.data.rename(archive / "lost")
        (archive / "base").rename(server.data)
        configure(server, "postgresql-recovery.conf", archive, recovery_target_time=moment)
        (server.data / "recovery.signal").touch()
        server.start()
        server.wait_until("SELECT NOT pg_is_in_recovery()")

        assert main(["admin", "restored"]) == 0
        assert "no dice that were seen fall again: 1" in capsys.readouterr().out
        restored, again = asyncio.run(play_on(table))
        assert restored == number + 2
        assert [thrown for thrown, _ in again][:3] == [thrown for thrown, _ in lost][:3]
        assert again[:4] != lost[:4]
        assert main(["export", "--table", table]) == 0
        types = [row["event"]["type"] for row in json.loads(capsys.readouterr().out)["events"]]
        assert types.count("commitment-begun") == 1
        assert asyncio.run(verdict(table)) is None


async def play_on(table: str) -> tuple[int, list[tuple[int, str]]]:
    """Play, and return the number of the event before and the throws after it."""
    host = await TableHost.open(Settings.read())
    number = (await host.look(table, "anna")).number
    await play(host, table, ["anna"], 12)
    throws = await thrown(host, table, number)
    await host.close()
    return number, throws


async def verdict(table: str) -> object:
    """End the game and return what is wrong with its dice."""
    host = await TableHost.open(Settings.read())
    await host.send(table, "anna", Resign(), version=(await host.look(table, "anna")).number, command_id="r")
    report = check(read(await host.record(table, "anna")))
    await host.close()
    return report.fault
