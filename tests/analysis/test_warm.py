"""The kernels that `warm` compiles."""

from dicecup import games
from dicecup.analysis.decisions import analyse, analyse_throw
from dicecup.analysis.registry import by_tables
from dicecup.analysis.warm import warm
from dicecup.engine.progress import compiling
from dicecup.players.warm import POSITIONS


def test_nothing_is_compiled_after_warm() -> None:
    warm()
    compiled: list[str] = []
    for game, _ in POSITIONS:
        start = games.from_id(game).start()
        with compiling(lambda game=game: compiled.append(game)):  # type: ignore[misc]
            evaluation = by_tables(start.game)
            analyse_throw(start, evaluation)
            analyse(start.roll("33345"), evaluation, games=1)
    assert compiled == []
