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

from dicecup.engine import kernel, native
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
    "dicecup/vision/weights.bin",
    "dicecup/web/static/app/index.html",
    "dicecup/web/static/app/manifest.webmanifest",
    "dicecup/web/static/protocol/openapi.json",
}

COMMANDS = (
    ("odds", "yamm"),
    ("analyse", "5/5/5/5/5 x 3:11122 12-12 1", "--games", "20"),
    ("solve", "yamm", "--columns", "d1", "--play", "100"),
    ("simulate", "yamm(players=1)", "--player", "expert", "--games", "20", "--workers", "1"),
    ("match", "yam-master", "--players", "expert", "greedy", "--games", "4", "--workers", "1"),
    ("play", "yam-master", "--seat", "One=expert", "--seat", "Other=casual", "--seed", "1"),
    ("sheet", "--output", "sheet.pdf"),
)
"""What people do with the package."""


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
    programs = installed(wheel(tmp_path), tmp_path)
    environment = alone(programs, tmp_path)
    assert not any(shutil.which(tool, path=environment["PATH"]) for tool in ("node", "npm", "gcc", "cc"))
    play_on_a_server(programs, environment, tmp_path)


@pytest.mark.native
def test_a_wheel_with_kernels_needs_neither_numba_nor_llvm(tmp_path: Path) -> None:
    native.load(required=True)
    programs = installed(wheel(tmp_path), tmp_path)
    environment = alone(programs, tmp_path) | {kernel.VARIABLE: kernel.NATIVE}
    listed = subprocess.run([programs / "python", "-m", "pip", "list"], check=True, capture_output=True, text=True).stdout
    assert not re.search("^(numba|llvmlite|asyncpg|babel|uvloop) ", listed, re.MULTILINE)
    for words in COMMANDS:
        done = subprocess.run(
            [programs / "dicecup", *words], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), words
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
    play_on_a_server(programs, environment, tmp_path)


def wheel(folder: Path) -> Path:
    """Build the wheel."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(TOP)]
    subprocess.run(build, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def installed(wheel: Path, folder: Path) -> Path:
    """Return the programs of an environment that the wheel was installed into."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "empty")], check=True)
    programs = folder / "empty" / "bin"
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True, capture_output=True)
    return programs


def alone(programs: Path, folder: Path) -> dict[str, str]:
    """Return an environment that finds these programs and no others."""
    return {
        "PYTHONUNBUFFERED": "1",
        "PATH": str(programs),
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "LANG": "C.UTF-8",
        "DICECUP_DATA": str(folder),
    }


def play_on_a_server(programs: Path, environment: dict[str, str], folder: Path) -> None:
    """Serve, load the page, and play a game against the computer."""
    serve = [str(programs / "dicecup"), "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True, cwd=folder) as server:
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
                cwd=folder,
            ).stdout
        finally:
            server.terminate()
    assert read(played).tags["End"] in ("line", "tokens")
    assert server.returncode == 0
