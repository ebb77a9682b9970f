"""The page on learning says what `bench.learning` measured."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.learning import DAYS, LEARNERS, TESTED

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "learning.md").read_text("utf-8")
FIGURES: Any = json.loads((DOCS / "images" / "learning.json").read_text("utf-8"))
YAMM, YAM_MASTER = "yamm(players=1)", "yam-master"


def interval(found: tuple[float, float], factor: int, digits: int) -> str:
    """Return a mean and half of its interval, as the page writes them."""
    mean, half = (f"{factor * each:.{digits}f}" for each in found)
    return f"{mean} ± {half}".replace("-", "−")


@pytest.mark.parametrize("game, name, factor", [(YAMM, "Yamm, points", 1), (YAM_MASTER, "Yam Master, % of a win", 100)])
def test_the_table_has_the_measured_losses(game: str, name: str, factor: int) -> None:
    losses, saved = (FIGURES[part]["pattern"][game] for part in ("loss", "saved"))
    ends = [interval(losses[way][-1], factor, 2) for way in ("mistakes", "random")]
    cells = [name, *ends, interval(saved["random"][-1], factor, 3), f"{factor * losses['random'][0][0]:.2f}"]
    assert f"| {' | '.join(cells)} |" in PAGE


def test_the_schedule_teaches_more_than_random_questions_in_yamm_and_not_in_yam_master() -> None:
    courses = {game: FIGURES["saved"]["pattern"][game]["random"] for game in (YAMM, YAM_MASTER)}
    assert all(mean > half for mean, half in courses[YAMM][1:])
    mean, half = courses[YAM_MASTER][-1]
    assert abs(mean) < half
    assert [day for day, (mean, half) in enumerate(courses[YAM_MASTER]) if day and mean > half] == [1, 2]
    assert [day for day, (mean, half) in enumerate(courses[YAM_MASTER]) if mean < -half] == list(range(6, 27))
    least = min(range(DAYS + 1), key=lambda day: courses[YAM_MASTER][day][0])
    assert f"behind by up to {-100 * courses[YAM_MASTER][least][0]:.2f} % of a win on the way (day {least})" in PAGE
    assert "ahead on the first two days and behind from day 6 to day 26" in PAGE
    own, random = (FIGURES["loss"]["pattern"][YAMM][way][-1][0] for way in ("mistakes", "random"))
    assert round(5 * (1 - own / random)) == 1
    assert "it leaves a fifth less loss" in PAGE


def test_the_secondary_measurements_are_those_of_the_figures() -> None:
    by_theme, by_pattern = (FIGURES["saved"][topic] for topic in ("theme", "pattern"))
    (mean, half), close = by_theme[YAM_MASTER]["random"][-1], [by_pattern[game]["close"][-1] for game in (YAMM, YAM_MASTER)]
    assert (
        f"saves {interval(by_theme[YAMM]['random'][-1], 1, 3)} points of Yamm and loses {interval((-mean, half), 100, 3)} %"
        in PAGE
    )
    assert f"saves {interval(close[0], 1, 3)} points of Yamm and {interval(close[1], 100, 3)} % of a win" in PAGE


def test_the_page_has_the_plan_of_the_measurement() -> None:
    assert FIGURES["learners"] == LEARNERS
    assert f"{LEARNERS} learners have games of their own" in PAGE
    assert TESTED == 10
    assert "ten held-out games of each kind" in PAGE
    for topic in FIGURES["loss"].values():
        for courses in topic.values():
            assert all(len(course) == DAYS + 1 for course in courses.values())
            assert len({tuple(course[0]) for course in courses.values()}) == 1
