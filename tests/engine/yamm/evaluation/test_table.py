"""The table file of Yamm, and the shipped one."""

from pathlib import Path

import numpy as np
import pytest

from dicecup.engine.tables_file import TablesCode, TablesError, save
from dicecup.engine.yamm.evaluation.table import KIND, Table, load_table, save_table
from dicecup.engine.yamm.evaluation.value import fresh
from dicecup.players.yamm import TABLE
from tests.engine.yamm.evaluation.sheets import some_evaluation, some_table


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "some.tables"
    save_table(path, Table(some_evaluation(), fresh(1), {"seed": 7}))
    table = load_table(path)
    early, late, known = some_evaluation()
    arrays = (*early, *late, known.values, *fresh(1))
    found = (*table.evaluation.early, *table.evaluation.late, table.evaluation.endgame.values, *table.variance)
    assert all(np.array_equal(one, other) for one, other in zip(found, arrays, strict=True))
    assert table.origin["seed"] == 7


def test_a_table_of_other_shapes_is_foreign(tmp_path: Path) -> None:
    path = tmp_path / "other.tables"
    save(path, KIND, {"value points": np.zeros(3, np.float32)}, {})
    with pytest.raises(TablesError) as refused:
        load_table(path)
    assert refused.value.code is TablesCode.TABLES_FOREIGN


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.tables"
    save_table(path, some_table())
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(TablesError) as refused:
        load_table(path)
    assert refused.value.code is TablesCode.TABLES_DAMAGED


def test_the_shipped_table_is_small_and_has_its_origin() -> None:
    origin = load_table(TABLE).origin
    assert TABLE.stat().st_size < 14_000_000
    assert origin["command"].startswith("dicecup train yamm --games ")
    assert origin["adjusted_mean"] > 2728
    assert set(origin) >= {"seed", "games", "commit", "mean", "ci95", "adjusted_ci95"}
