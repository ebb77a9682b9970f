"""Untrained tables of Yam Master for the tests of the arena."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dicecup.arena.games import simulator_of
from dicecup.engine.tables_file import save
from dicecup.engine.yam_master.evaluation.model import learned, new_model
from dicecup.engine.yam_master.evaluation.tables import FILES, KIND
from dicecup.players import yam_master
from dicecup.yam_master import BOARD


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of the tables."""
    monkeypatch.setattr(yam_master, "TABLES", tmp_path)
    forget()
    for file in FILES.values():
        save(tmp_path / file, KIND, learned(new_model(BOARD)), {})
    yield tmp_path
    forget()


def forget() -> None:
    """Clear the caches of other tables."""
    simulator_of.cache_clear()
    yam_master.evaluation.cache_clear()
