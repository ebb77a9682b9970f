"""Levels by name, and what a game without levels of its own gets."""

from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dicecup import games
from dicecup.core.errors import GameError
from dicecup.players import LEVELS, create, levels_for

OTHER: Any = SimpleNamespace(game=SimpleNamespace(name="other-game"), actions=("left", "right", "end"))
"""A position of a game that has no trained players: it offers the game's name and its actions."""


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_both_shipped_games_have_all_levels(game: str) -> None:
    position = games.from_id(game).start().roll("11235")
    assert levels_for(position.game) == LEVELS
    for level in LEVELS[:-1]:
        assert create(level).choose(position) in position.actions


def test_another_game_has_only_random() -> None:
    assert levels_for(OTHER.game) == ("random",)
    with pytest.raises(GameError) as refused:
        create("expert").choose(OTHER)
    assert refused.value.code == "option-value"


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(GameError) as refused:
        create("genius")
    assert refused.value.details == {"option": "player", "value": "genius"}


def test_random_plays_another_game_uniformly() -> None:
    found = Counter(cast(str, create("random", str(seed)).choose(OTHER)) for seed in range(3000))
    assert set(found) == set(OTHER.actions)
    assert all(abs(count - 1000) < 150 for count in found.values())
