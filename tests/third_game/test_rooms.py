"""A game without kernels, tables, evaluation or page in the rooms with code for single games."""

import pytest
from one_column import OneColumn, Options

from dicecup.analysis.errors import AnalysisError
from dicecup.analysis.review import review
from dicecup.arena.match import match
from dicecup.arena.runner import Runner
from dicecup.arena.simulate import simulate
from dicecup.core.errors import GameError
from dicecup.record import Journal, Record
from dicecup.sheets import SheetError, of_game

ALONE, PAIR = OneColumn(Options(players=1)), OneColumn(Options(players=2))
RUNNER = Runner(workers=1)


def test_simulate_plays_one_sheet_or_the_level_against_itself() -> None:
    alone = simulate(ALONE.id, "random", games_wanted=5, seed="1", runner=RUNNER)
    assert alone is not None
    assert (alone["games"], alone["adjusted_mean"]) == (5, None)
    pair = simulate(PAIR.id, "random", games_wanted=5, seed="1", runner=RUNNER)
    assert pair is not None
    assert sum(pair["endings"].values()) == 5
    assert pair["endings"]["cap"] == 0


def test_match_counts_the_scores_of_the_first_player() -> None:
    found = match(PAIR.id, ("random", "random"), games_wanted=6, seed="1", runner=RUNNER)
    assert found is not None
    assert found["wins"] + found["draws"] + found["losses"] == 6
    assert set(found["seats"]) == set(PAIR.player_tags)


def test_a_level_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(GameError, match="option-value"):
        simulate(ALONE.id, "expert", games_wanted=1, seed="1", runner=RUNNER)
    with pytest.raises(GameError, match="option-value"):
        match(PAIR.id, ("random", "expert"), games_wanted=2, seed="1", runner=RUNNER)


def test_the_review_and_the_page_are_refused_with_codes() -> None:
    record = Record({"Game": PAIR.id}, Journal.start(PAIR))
    with pytest.raises(AnalysisError, match="no-evaluation"):
        review(record)
    with pytest.raises(SheetError, match="no-page"):
        of_game(record, "en")
