"""The source archive and the wheel hold everything that runs."""

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from dicecup.locale import LANGUAGES
from dicecup.record import read

TOP = Path(__file__).parent.parent
TABLES = {"yamm", "yam-master", "yam-master-full-round"}
NEEDED = {
    "dicecup/__init__.py",
    "dicecup/py.typed",
    *(f"dicecup/locale/{language}.json" for language in LANGUAGES),
    *(f"dicecup/players/tables/{name}.tables" for name in TABLES),
    *(f"dicecup/sheets/paper/{name}.typ" for name in ("house", "score_sheet", "duel")),
    "dicecup/web/static/app/index.html",
    "dicecup/web/static/app/manifest.webmanifest",
}


@pytest.mark.slow
def test_a_wheel_holds_all_files_and_runs(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(TOP)]
    subprocess.run(build, check=True, capture_output=True)
    (source,) = tmp_path.glob("dicecup-*.tar.gz")
    (wheel,) = tmp_path.glob("dicecup-*-py3-none-*.whl")

    with tarfile.open(source) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in NEEDED} | {"LICENSE", "README.md", "Makefile", "tests/test_distribution.py"} <= packed
    assert not [name for name in packed if "node_modules" in name or "third_game" in name]

    with ZipFile(wheel) as archive:
        installed = set(archive.namelist())
        page = archive.read("dicecup/web/static/app/index.html").decode()
    assert installed >= NEEDED
    assert {f"dicecup/web/static/app{name}" for name in re.findall(r'(?:src|href)="(/[^"]+)"', page)} <= installed
    assert any(name.endswith("licenses/LICENSE") for name in installed)
    assert not [name for name in installed if not name.startswith("dicecup")]

    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    ask = "import dicecup; from dicecup.players import create; print(dicecup.__file__, create('expert').choose(at))"
    ask = f"from dicecup import position; at = position('yam-master', '5/5/5/5/5 x 3:11122 12-12 1'); {ask}"
    shown = subprocess.run(
        [sys.executable, "-P", "-c", ask],
        env={"PYTHONPATH": str(site), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    where, chosen = shown.split()
    assert where == str(site / "dicecup" / "__init__.py")
    assert chosen in ("a1", "d2", "b3", "a3", "d4", "--")


@pytest.mark.slow
def test_the_wheel_serves_a_page_and_plays_a_game_without_tools(tmp_path: Path) -> None:
    """Neither Node nor a compiler is on the path of the environment that the wheel is installed
    into."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(TOP)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "empty")], check=True)
    programs = tmp_path / "empty" / "bin"
    environment = {
        "PYTHONUNBUFFERED": "1",
        "PATH": str(programs),
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "DICECUP_DATA": str(tmp_path),
    }
    assert not any(shutil.which(tool, path=environment["PATH"]) for tool in ("node", "npm", "gcc", "cc"))
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True, capture_output=True)

    serve = [str(programs / "dicecup"), "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        try:
            assert server.stdout is not None
            url = next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.]+:\d+", line)))
            page = urlopen(url).read().decode()  # noqa: S310 our own server
            assert "<title>" in page
            played = subprocess.run(
                [programs / "python", "-P", str(TOP / "docs" / "examples" / "bot.py"), url],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
                cwd=tmp_path,
            ).stdout
        finally:
            server.terminate()
    assert read(played).tags["End"] in ("line", "tokens")
