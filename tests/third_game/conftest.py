"""The game in `package/` is installed while the tests of this folder run: its folder is on the
path, as `pip install` would do."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicecup import games

PACKAGE = Path(__file__).parent / "package"

sys.path.insert(0, str(PACKAGE))
import one_column  # noqa: E402, F401 test modules import it after the path is restored

sys.path.remove(str(PACKAGE))


@pytest.fixture(autouse=True, scope="module")
def installed() -> Iterator[None]:
    """Register the game in this process and in the processes that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PACKAGE)
        patch.setenv("PYTHONPATH", str(PACKAGE), prepend=":")
        _forget_games()
        yield
    _forget_games()


def _forget_games() -> None:
    for cached in (games.names, games.rules, games.from_id, games.ends):
        cached.cache_clear()
