"""Only one server at a time may use an SQLite file."""

import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import make_url

from dicecup.locale import LANGUAGES
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.single_server import locked
from tests.web.serving import Browser, Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")


def second(program: Program, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another `dicecup` on the same folder until it ends."""
    command = [str(Path(sys.executable).with_name("dicecup")), *arguments]
    return subprocess.run(command, env=program.environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_a_second_server_is_refused_until_the_first_has_ended(tmp_path: Path, how: signal.Signals) -> None:
    async with Program(tmp_path) as program, Browser(program.url) as anna:
        await anna.make()
        for language in LANGUAGES:
            refused = second(program, "serve", "--host", "127.0.0.1", "--lang", language)
            assert (refused.returncode, refused.stdout) == (1, "")
            assert refused.stderr.startswith("dicecup: data-in-use: ")
            assert str(tmp_path) in refused.stderr
        assert second(program, "admin", "list").returncode == 0
        assert second(program, "export").returncode == 0
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
