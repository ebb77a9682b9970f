"""The page on analysis says what was measured: its tables are those of figures.json, its pictures
are there, and numbers stay what they are."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.questions import ERROR
from dicecup.arena.runner import Runner
from dicecup.arena.simulate import simulate
from dicecup.yam_master import BOARD
from dicecup.yamm import SHEET
from docs.plots.draw import PICTURES, draw
from docs.plots.measure import LEVELS, OPTIONS, SEED, SHEETS, alone_on, duel, histogram, interval, sheets
from docs.plots.tables import FILE, PAGE, TABLES, difference, measured, page

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def figures() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_every_table_says_what_was_measured(figures: Any) -> None:
    assert set(re.findall(r"<!-- table (\w+) -->", TEXT)) == set(TABLES)
    assert page(TEXT, figures) == TEXT


def test_another_figure_would_be_noticed(figures: Any) -> None:
    changed = deepcopy(figures)
    changed["sheets"]["expert"]["mean"][0] += 1
    assert page(TEXT, changed) != TEXT


def test_everything_was_measured(figures: Any) -> None:
    assert set(figures["sheets"]) == set(SHEETS)
    assert set(figures["duels"]) == set(LEVELS)
    assert set(figures["options"]) == set(OPTIONS)
    assert set(figures["squares"]) == set(BOARD.names)
    for level in figures["sheets"].values():
        assert set(level["columns"]) == set(SHEET.columns)
        assert sum(level["histogram"]["counts"]) == level["games"]


def test_every_picture_is_shown_and_has_words_for_those_who_do_not_see_it() -> None:
    shown = dict(re.findall(r"!\[([^]]+)\]\(images/([^)]+)\)", TEXT))
    assert sorted(shown.values()) == sorted(f"{name}.svg" for name in PICTURES)
    assert all(len(words) > 20 for words in shown)


@pytest.mark.slow
def test_pictures_are_drawn_alike_every_time(figures: Any, tmp_path: Path) -> None:
    """As they stand in docs/images, but for the last digits that a drawing library may change."""
    draw(figures, tmp_path)
    once = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    draw(figures, tmp_path)
    assert once == {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    for name, text in once.items():
        kept = (FILE.parent / name).read_text(encoding="utf-8")
        assert words(text) == words(kept), name
        assert "prefers-color-scheme" in text


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter() if element.tag.endswith("}text")]  # noqa: S314 our own


def test_what_the_page_says_of_the_evaluations_error() -> None:
    assert ERROR == {Unit.POINTS: 1.5, Unit.CHANCE: 0.005}
    assert "less than half a per cent, or 1.5 points" in TEXT


def test_intervals_differences_and_histograms_are_calculated() -> None:
    assert interval([0.0, 1.0] * 50) == [0.5, pytest.approx(0.0985, abs=1e-4)]
    assert difference((3.0, 0.3), (5.0, 0.4)) == (-2.0, 0.5)
    assert measured((-0.0123, 0.004), 100, 2, "+") == "−1.23 ± 0.40"
    assert histogram([120, 149, 210]) == {"first": 100, "width": 50, "counts": [2, 0, 1]}
    assert [alone_on(name) for name in ("a1", "c3", "e5")] == ["x4/5/5/5/5", "5/5/2x2/5/5", "5/5/5/5/4x"]


def test_what_is_measured_is_what_the_arena_says(monkeypatch: pytest.MonkeyPatch) -> None:
    found = sheets("yamm(players=1)", "novice", 32)
    summary = simulate("yamm", "novice", games_wanted=32, seed=SEED, runner=Runner(1))
    assert summary is not None
    assert found["mean"] == pytest.approx(
        [summary["adjusted_mean"], summary["adjusted_ci95"][1] - summary["adjusted_mean"]], rel=1e-5
    )
    assert found["columns"]["d1"][0] == pytest.approx(summary["columns"]["d1"], rel=1e-5)
    monkeypatch.setattr("docs.plots.measure.DUELS", 64)
    game = duel("yam-master(end=full_round)", "greedy")
    summary = simulate("yam-master(end=full_round)", "greedy", games_wanted=64, seed=SEED, runner=Runner(1))
    assert summary is not None
    assert game["first"][0] == pytest.approx(summary["first_player_score"], rel=1e-5)
    assert game["turns"][0] == pytest.approx(summary["lengths"]["mean"], rel=1e-5)
    assert game["lines"][0] == pytest.approx(summary["endings"]["line"] / 64, rel=1e-5)
    assert game["draws"][0] == pytest.approx(summary["draws"] / 64, rel=1e-5)
    assert game["points"][0] == pytest.approx(sum(summary["points"]), rel=1e-5)
