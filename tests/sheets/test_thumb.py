"""The printed rules of thumb, and the figures behind them."""

import pytest

from dicecup import sheets
from dicecup.analysis.rules_of_thumb import rules_of_thumb
from dicecup.core.dice import ROLLS
from dicecup.locale import LANGUAGES, Messages
from dicecup.yam_master import BOARD
from tests.sheets.papers import flat, is_accessible, pages


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_all_rolls_and_squares(language: str) -> None:
    messages, pdf = Messages(language), sheets.thumb_page(language)
    assert is_accessible(pdf)
    text = " ".join(pages(pdf))
    for part in ("cells", "bonus", "columns", "keeps", "squares", "tokens", "fours", "pairs"):
        assert flat(messages(f"guide_worth_{part}")) in text
    assert all(roll.text in text for roll in ROLLS)
    gains = rules_of_thumb()["yam_master"]["squares"]
    assert all(f"+{100 * gain:.1f}".replace(".", messages("decimal_sign")) in text for gain in gains.values())


def test_the_same_figures_give_the_same_bytes() -> None:
    assert sheets.thumb_page("de") == sheets.thumb_page("de")


def test_every_roll_and_square_was_measured() -> None:
    found = rules_of_thumb()
    assert list(found["yamm"]["keeps"]) == [roll.text for roll in ROLLS]
    assert set(found["yam_master"]["squares"]) == set(BOARD.names)
    assert len(found["yam_master"]["pairs"]) == 25 * 24 // 2
    for figures in (found["yamm"]["cells"], found["yamm"]["points"], found["yamm"]["columns"]):
        for stages in figures.values():
            assert all(half >= 0 and 0 < games <= found["yamm"]["games"] for _, half, games in stages.values())
