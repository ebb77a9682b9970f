"""The page on competition says what `bench.ratings` and `bench.level_ratings` measured."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.level_ratings import Result, fitted
from bench.ratings import brier, deciles
from dicecup.hosting.competition.levels import FILE

PAGE = (Path(__file__).parent.parent / "docs" / "competition.md").read_text("utf-8")
FIGURES: Any = json.loads((Path(__file__).parent.parent / "docs" / "images" / "ratings.json").read_text("utf-8"))
LEVELS: Any = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("level", list(LEVELS["yamm"]))
def test_the_table_has_the_measured_levels(level: str) -> None:
    shown = " | ".join(
        f"{LEVELS[game][level]['rating']:.0f} ± {LEVELS[game][level]['error']:.0f}" for game in ("yam-master", "yamm")
    )
    assert f"| `{level}` | {shown} |" in PAGE


def test_the_page_has_the_measured_scores() -> None:
    for score in (*FIGURES["brier"].values(), *FIGURES["group_brier"].values()):
        assert f"{score:.4f}" in PAGE


def test_glicko_2_predicts_better_than_elo_and_is_calibrated() -> None:
    elo = min(score for name, score in FIGURES["brier"].items() if name.startswith("elo"))
    assert FIGURES["brier"]["known"] < FIGURES["brier"]["glicko-2"] < elo
    for predicted, observed, half, _ in FIGURES["deciles"]:
        assert abs(predicted - observed) < 2 * half


def test_the_brier_score_is_the_mean_squared_difference() -> None:
    assert brier([(0.5, 1.0), (1.0, 0.0)]) == (0.25 + 1) / 2


def test_deciles_hold_both_sides_of_each_prediction() -> None:
    found = deciles([(0.9, 1.0)] * 10 + [(0.6, 0.0)] * 10)
    assert [predicted for predicted, *_ in found] == [0.1, 0.1, 0.25, 0.4, 0.4, 0.6, 0.6, 0.75, 0.9, 0.9]
    assert [observed for _, observed, *_ in found] == [0, 0, 0.5, 1, 1, 0, 0, 0.5, 1, 1]
    assert [games for *_, games in found] == [4] * 10


def test_a_fit_finds_the_ratings_that_made_the_results() -> None:
    expected = 1 / (1 + 10 ** (-200 / 400))
    found = fitted([Result("casual", "novice", expected, 1e6), Result("club", "casual", expected, 1e6)])
    assert found["novice"] == (1500.0, 0.0)
    assert found["casual"][0] == pytest.approx(1700, abs=0.5)
    assert found["club"][0] == pytest.approx(1900, abs=0.5)
