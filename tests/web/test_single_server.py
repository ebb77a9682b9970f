"""Only one server at a time may use an SQLite file."""

import asyncio
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import make_url

from dicecup.cli import main
from dicecup.locale import LANGUAGES
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.single_server import locked
from tests.sweep import sweep
from tests.web.serving import Browser, Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")


@pytest.mark.slow
@sweep("how", [signal.SIGTERM, signal.SIGKILL])
async def test_a_second_server_is_refused_until_the_first_has_ended(
    tmp_path: Path, how: signal.Signals, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first server is a process of its own, the other commands run in this process."""
    monkeypatch.setenv("DICECUP_DATA", str(tmp_path))
    async with Program(tmp_path) as program, Browser(program.url) as anna:
        await anna.make()
        for language in LANGUAGES:
            assert await asyncio.to_thread(main, ["serve", "--host", "127.0.0.1", "--lang", language]) == 1
            refused = capfd.readouterr()
            assert refused.out == ""
            assert refused.err.splitlines()[-1].startswith("dicecup: data-in-use: ")
            assert str(tmp_path) in refused.err
        assert await asyncio.to_thread(main, ["admin", "list"]) == 0
        assert await asyncio.to_thread(main, ["export"]) == 0
        assert (await anna.http.get("/health")).status_code == 200
        await program.end(how)
        await program.start()
        assert (await anna.http.get("/api/tables")).json()["tables"]


def test_the_same_file_under_another_name_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    here = make_url(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    with locked(here):
        with pytest.raises(WebError) as refused, locked(here.set(database=str(tmp_path / "link" / "tables.sqlite"))):
            pass
        assert refused.value.code is WebCode.DATA_IN_USE
        with locked(here.set(database=str(tmp_path / "others.sqlite"))):
            pass
    with locked(here):
        pass


def test_servers_share_postgresql_and_a_bad_folder_raises(tmp_path: Path) -> None:
    for url in ("postgresql://anna@localhost/dicecup", f"sqlite:///{tmp_path / 'nothing' / 'tables.sqlite'}"):
        with ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(locked(make_url(url)))
