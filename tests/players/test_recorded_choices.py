"""The shipped tables keep choosing the recorded actions."""

import pytest

from tests.players.recorded_choices import GAMES, LEVELS, SLOW, choice, read

RECORDED = read()


@pytest.mark.parametrize("level", [level for level in LEVELS if level != SLOW])
@pytest.mark.parametrize("game", GAMES)
def test_each_level_chooses_the_recorded_actions(game: str, level: str) -> None:
    recorded = [each for each in RECORDED if each.game == game]
    assert len(recorded) == GAMES[game]
    assert {each.position: choice(each, level) for each in recorded} == {
        each.position: each.choices[level] for each in recorded
    }


@pytest.mark.slow
def test_master_chooses_the_recorded_actions() -> None:
    recorded = [each for each in RECORDED if SLOW in each.choices]
    assert len(recorded) >= len(GAMES)
    assert {each.position: choice(each, SLOW) for each in recorded} == {each.position: each.choices[SLOW] for each in recorded}
