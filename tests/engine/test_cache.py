"""Solved tables on disk: read again, rebuilt when damaged, skipped if they cannot be written."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dicecup.engine import cache
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.sheets.plan import plan_of
from dicecup.engine.sheets.published import published_sheet
from dicecup.engine.sheets.solver import solve, solve_once


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / name))
    return tmp_path / "dicecup" / "tables"


class Maker:
    """Count how often a table has to be made."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> NDArray[np.float64]:
        self.made += 1
        return np.arange(1000.0)


def test_a_table_is_made_once(tables: Path) -> None:
    maker = Maker()
    for _ in range(3):
        assert (cache.table("some", maker) == np.arange(1000.0)).all()
    assert maker.made == 1
    assert [path.name for path in tables.iterdir()] == ["some.table"]


def damage(path: Path, kind: str) -> None:
    content = path.read_bytes()
    if kind == "one bit":
        content = content[:-3] + bytes([content[-3] ^ 4]) + content[-2:]
    elif kind == "cut short":
        content = content[: len(content) // 2]
    elif kind == "empty":
        content = b""
    elif kind == "another file":
        content = b"not a table"
    elif kind == "honest nonsense":
        import hashlib

        content = hashlib.sha256(b"nonsense").digest() + b"nonsense"
    path.write_bytes(content)


@pytest.mark.parametrize("kind", ["one bit", "cut short", "empty", "another file", "honest nonsense"])
def test_a_damaged_table_is_made_again(tables: Path, kind: str) -> None:
    maker = Maker()
    cache.table("some", maker)
    damage(tables / "some.table", kind)
    for _ in range(2):
        assert (cache.table("some", maker) == np.arange(1000.0)).all()
    assert maker.made == 2


def test_a_folder_that_cannot_be_written_is_ignored(tables: Path) -> None:
    tables.parent.mkdir(parents=True)
    tables.write_text("in the way")
    maker = Maker()
    for _ in range(2):
        assert len(cache.table("some", maker)) == 1000
    assert maker.made == 2


def test_nothing_is_left_of_a_write_that_fails(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full_disk)
    assert len(cache.table("some", Maker())) == 1000
    assert list(tables.iterdir()) == []


def test_clear_removes_all_tables_and_counts_them() -> None:
    assert cache.clear() == 0
    for name in ("one", "two"):
        cache.table(name, Maker())
    assert cache.clear() == 2
    assert cache.clear() == 0


@pytest.mark.slow
def test_keys_follow_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("yahtzee", "yahtzee-forced-joker", "kniffel", "yatzy")
    plans = [plan_of(published_sheet(name)) for name in names] + [plan_of(yamm_sheet("d1")), plan_of(yamm_sheet("u1"))]
    keys = [cache.key(plan) for plan in plans]
    assert len(set(keys)) == len(plans)
    assert keys == [cache.key(plan) for plan in plans]
    assert cache.key(plans[0]._replace(first_throw=1.0)) != keys[0]
    monkeypatch.setattr(cache, "_version", lambda: "99")
    assert cache.key(plans[0]) != keys[0]


def test_solutions_are_kept(tables: Path) -> None:
    first = solve_once(yamm_sheet("d1"))
    (path,) = tables.iterdir()
    assert (first.values == solve(yamm_sheet("d1")).values).all()
    changed = path.stat().st_mtime_ns
    assert (solve_once(yamm_sheet("d1")).values == first.values).all()
    assert path.stat().st_mtime_ns == changed
    damage(path, "one bit")
    assert (solve_once(yamm_sheet("d1")).values == first.values).all()
