"""Tables of Yam Master that nobody trained: what holds of the arena holds with any."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dicecup.arena.games import simulator_of
from dicecup.engine.tables_file import save
from dicecup.engine.yam_master.evaluation.model import learned, new_model
from dicecup.engine.yam_master.training.train import FILES, KIND
from dicecup.players import yam_master
from dicecup.yam_master import BOARD


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that they lie in."""
    monkeypatch.setattr(yam_master, "TABLES", tmp_path)
    forget()
    for file in FILES.values():
        save(tmp_path / file, KIND, learned(new_model(BOARD)), {})
    yield tmp_path
    forget()


def forget() -> None:
    """What was read of other tables."""
    simulator_of.cache_clear()
    yam_master.evaluation.cache_clear()
