"""The games of Dicecup obey the laws of every game."""

from tests.conformance import *  # noqa: F403
from tests.strategies import GAMES, NAMED, candidates

__all__ = ["GAMES", "NAMED", "candidates"]


def test_options_boards_and_sheets_make_different_games() -> None:
    assert len({game.id for game in NAMED}) == len(NAMED)
    assert len(set(GAMES)) == len(GAMES)
