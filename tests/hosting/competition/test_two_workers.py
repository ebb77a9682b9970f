"""A small copy of `bench/tournament.py`: an arena on two workers with PostgreSQL."""

import pytest

from bench.tournament import play, two_workers


@pytest.mark.slow
async def test_an_arena_is_played_on_two_workers() -> None:
    async with two_workers() as (first, second, time):
        found = await play(first, second, time, players=24, seconds=240)
    assert found.pairings >= 24
    assert found.state.how == "time"
