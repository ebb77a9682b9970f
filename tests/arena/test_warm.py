"""The kernels that `warm` compiles."""

import pytest

from dicecup.arena.block import Series
from dicecup.arena.games import play_block
from dicecup.arena.warm import SERIES, warm
from dicecup.engine.progress import compiling


@pytest.mark.slow
def test_nothing_is_compiled_after_warm() -> None:
    warm()
    compiled: list[str] = []
    for game, levels in SERIES:
        with compiling(lambda game=game: compiled.append(game)):  # type: ignore[misc]
            play_block(Series(game, levels, "2", 99), 0, 4)
    assert compiled == []
