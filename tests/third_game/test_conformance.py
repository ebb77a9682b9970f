"""A game in a distribution of its own obeys the laws of every game."""

from one_column import OneColumn, Options, Order

from dicecup.core.game import Position
from tests.conformance import *  # noqa: F403
from tests.strategies import KEEP_TEXTS

GAMES = NAMED = tuple(OneColumn(Options(players, order)) for players in (1, 2, 4) for order in Order)


def candidates(_: Position) -> list[str]:
    return [*KEEP_TEXTS, *(f"w{row}" for row in "123456AS")]
