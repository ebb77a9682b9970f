"""The page on learning says what `bench.learning` measured."""

import json
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "learning.md").read_text("utf-8")
FIGURES: Any = json.loads((DOCS / "images" / "learning.json").read_text("utf-8"))["loss"]


@pytest.mark.parametrize(
    "game, name, factor", [("yamm(players=1)", "Yamm, points", 1), ("yam-master", "Yam Master, % of a win", 100)]
)
def test_the_table_has_the_measured_losses(game: str, name: str, factor: int) -> None:
    ways = [FIGURES["pattern"][game][way] for way in ("mistakes", "random")]
    ends = " | ".join(f"{factor * way[-1][0]:.2f} ± {factor * way[-1][1]:.2f}" for way in ways)
    assert f"| {name} | {ends} | {factor * ways[0][0][0]:.2f} |" in PAGE


def test_own_mistakes_teach_more_in_yamm_and_as_much_in_yam_master() -> None:
    for topic in FIGURES.values():
        (own, own_half), (random, random_half) = (topic["yamm(players=1)"][way][-1] for way in ("mistakes", "random"))
        assert own + own_half < random - random_half
        (own, own_half), (random, random_half) = (topic["yam-master"][way][-1] for way in ("mistakes", "random"))
        assert abs(own - random) < own_half + random_half
