"""Steps that compile kernels: each is taken once for the same sources."""

from functools import partial
from pathlib import Path

import pytest

from dicecup.arena.warm import STEPS
from dicecup.engine import compiled, kernel, shared_code
from dicecup.engine.compiled import Step
from dicecup.players.levels import levels_for
from dicecup.players.warm import NEEDED


@pytest.fixture(autouse=True)
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an engine without a native library."""
    made = tmp_path / "dicecup" / "engine"
    made.mkdir(parents=True)
    (made / "some_kernel.py").write_text("one = 1\n")
    monkeypatch.setattr(compiled, "ENGINE", made)
    monkeypatch.setattr(shared_code, "ENGINE", made)
    monkeypatch.setattr(kernel, "_library", None)
    monkeypatch.delenv(shared_code.CACHE, raising=False)
    return made


def steps(tmp_path: Path) -> tuple[tuple[Step, ...], ...]:
    first, second, third = (Step(name, partial((tmp_path / name).touch)) for name in ("first", "second", "third"))
    return ((first, second), (third,))


def names(groups: compiled.Steps) -> list[list[str]]:
    return [[step.name for step in group] for group in groups]


def test_a_step_is_missing_until_it_was_taken(tmp_path: Path) -> None:
    groups = steps(tmp_path)
    assert names(compiled.missing(groups)) == [["first", "second"], ["third"]]
    compiled.take(groups[0][1])
    assert names(compiled.missing(groups)) == [["first"], ["third"]]
    compiled.take(groups[0][0])
    compiled.take(groups[1][0])
    assert compiled.missing(groups) == []


def test_steps_are_taken_in_other_processes(tmp_path: Path) -> None:
    compiled.take_missing(groups := steps(tmp_path))
    assert all((tmp_path / step.name).exists() for group in groups for step in group)


def test_a_changed_source_removes_what_was_compiled(tmp_path: Path, engine: Path) -> None:
    groups = steps(tmp_path)
    compiled.missing(groups)
    compiled.take(groups[0][0])
    (engine / "some_kernel.py").write_text("two = 2\n")
    (cached := engine / "__pycache__" / "some_kernel.nbi").touch()
    assert names(compiled.missing(groups)) == [["first", "second"], ["third"]]
    assert not cached.exists()
    assert [path.name for path in (engine / "__pycache__").glob(f"{compiled.PREFIX}*")] == [compiled.folder().name]


def test_with_a_native_library_nothing_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_library", object())
    assert compiled.missing(steps(tmp_path)) == []


def test_the_cache_folder_of_numba_holds_the_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(shared_code.CACHE, str(tmp_path / "numba"))
    assert compiled.folder().parent == tmp_path / "numba"


def test_every_step_of_a_level_is_among_all_steps() -> None:
    from dicecup import games

    assert len({step.name for group in STEPS for step in group}) == sum(map(len, STEPS))
    taken = {step.name for group in STEPS for step in group}
    for game, levels in NEEDED.items():
        assert set(levels) < set(levels_for(games.from_id(game)))
        assert {step.name for needed in levels.values() for step in needed} <= taken
