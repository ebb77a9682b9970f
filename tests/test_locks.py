"""Nothing is installed from an index without its hash."""

import re
from pathlib import Path

TOP = Path(__file__).parent.parent
INSTALLS = re.compile(r"^.*(?:-m pip|\$\(PIP\)).* install .*$", re.MULTILINE)


def test_every_installation_of_the_makefile_has_hashes() -> None:
    commands = INSTALLS.findall((TOP / "Makefile").read_text("utf-8"))
    assert len(commands) >= 6
    for command in commands:
        assert "--no-deps -e ." in command or "--require-hashes -r requirements/" in command, command
        for name in re.findall(r"-r (requirements/\S+)", command):
            assert "--hash=sha256:" in (TOP / name).read_text("utf-8"), name
