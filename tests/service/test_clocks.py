"""Laws of the clocks of tables: what is taken back costs its time, and nobody gains any."""

import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.service.commands import TakeBack
from dicecup.service.setup import Clock, ClockKind, DiceOf, Setup
from tests.service.tables import WIDE, Table, people, summary

seeds = st.integers(0, 2**32 - 1)

CLOCKS: Final = (Clock(ClockKind.TURN, 60), Clock(ClockKind.GAME, 300, 5), Clock(ClockKind.DAYS, 86_400))
REAL: Final = tuple(
    people(game, count, dice=DiceOf.TABLE, clock=clock)
    for game, count in (("yam-master", 2), ("yamm", 2), (WIDE, 4))
    for clock in CLOCKS
)


@pytest.mark.parametrize("setup", REAL, ids=summary)
@settings(max_examples=6, deadline=None)
@given(seeds, st.integers(1, 80))
def test_after_taking_back_every_clock_is_as_if_it_had_run_on(setup: Setup, seed: int, length: int) -> None:
    chance = random.Random(seed)
    table = Table(setup)
    for _ in range(length):
        table.wait(chance.choice([0, 1, 5, 20]))
        if table.story.end is not None:
            break
        seat, command = table.sensible(chance)
        before = table.story.clocks
        table.send(command, seat)
        table.wait(chance.choice([0, 1, 5, 20]))
        if "take-back" in table.view(seat)["may"] and chance.random() < 0.5:
            table.send(TakeBack(), seat)
            assert table.story.clocks == before
            assert table.wait(0) == ()
