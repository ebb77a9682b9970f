"""Levels that play many games side by side in compiled kernels, and what is noted of their games.

Their dice follow from the seed, the game's number, the turn and the throw, as those of `play.seeded` do, but they are other
dice: a level is measured on both, and the results agree within their intervals.
"""

from array import array
from collections.abc import Callable
from hashlib import sha256
from math import inf
from typing import Any, Final, TypeAlias

from dicecup import games
from dicecup.arena.block import Columns, Setup
from dicecup.arena.play import CAP
from dicecup.core.turn import KeptDice
from dicecup.players.yam_master import BATCH_LEVELS, contestant
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm

Simulator: TypeAlias = Callable[[int, int], Columns]
"""Plays so many games from this number on."""

ENDINGS: Final = ("line", "tokens", "full", CAP)
"""How a game can end; noted as the place here."""
SMALL_BLOCK: Final = 4
LARGE_BLOCK: Final = 256
"""Games a block: few where each takes long, so that little is lost when somebody stops; many where many are played side by side."""
KINDS: Final = {"i": "q", "u": "q", "f": "d"}


def block_size(setup: Setup) -> int:
    """How many games a block has: the same wherever they are played."""
    return SMALL_BLOCK if simulator(setup) is None else LARGE_BLOCK


def simulator(setup: Setup) -> Simulator | None:
    """The kernels' simulator for these games; None where a level has none."""
    game = games.from_id(setup.game)
    return duels(game, setup) if isinstance(game, YamMaster) else sheets(game, setup)


def sheets(game: Yamm, setup: Setup) -> Simulator | None:
    """One sheet of Yamm after the other. Raises `TablesError`."""
    from dicecup.players import yamm

    level, *others = setup.players
    if others or game.options.kept_dice is KeptDice.LOCKED:
        return None
    if level == "random":
        return lambda first, count: noted(anything(number_of(setup.seed), first, count))
    if level not in yamm.BATCH_LEVELS:
        return None
    yamm.table()
    return lambda first, count: noted(yamm.simulate(level, number_of(setup.seed), first, count))


def anything(seed: int, first: int, count: int) -> dict[str, Any]:
    """Sheets by `random`, as `engine.yamm.evaluation.simulate.simulate` notes them, without luck."""
    from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
    from dicecup.engine.yamm.evaluation.endgame import endgame
    from dicecup.engine.yamm.evaluation.simulate import simulate
    from dicecup.engine.yamm.evaluation.value import Evaluation, Weights, fresh

    zero = Weights(*(part * 0 for part in fresh(0)))
    nothing = Evaluation(zero, zero, endgame())
    return {
        name: values for name, values in simulate(nothing, seed, first, count, ONE_TURN.margins, inf).items() if name != "luck"
    }


def noted(found: dict[str, Any]) -> Columns:
    """Points are whole numbers."""
    return {name: column(values) if name == "luck" else array("q", map(int, values.tolist())) for name, values in found.items()}


def duels(game: YamMaster, setup: Setup) -> Simulator | None:
    """Yam Master between two levels. `master` searches: its games are better played one by one, where the luck of their dice is
    seen."""
    from dicecup.engine.yam_master.evaluation import match

    if not set(setup.players) <= set(BATCH_LEVELS):
        return None
    contestants = [contestant(level, game) for level in setup.players]
    endings = {match.LINE: "line", match.TOKENS: "tokens", match.STOPPED: CAP}

    def play(first: int, count: int) -> Columns:
        found = match.play_games(
            game,
            *contestants,
            start=first,
            games=count,
            seed=number_of(setup.seed),
            exchanged=setup.exchanged,
            cap=setup.cap,
        )
        seats = [setup.shift(number) for number in range(first, first + count)]
        points = [(row[seat], row[1 - seat]) for row, seat in zip(found.points.tolist(), seats, strict=True)]
        return {
            "seat": array("q", seats),
            "score": column(found.scores if setup.exchanged else found.x_scores),
            "turns": column(found.turns),
            "ending": array("q", [ENDINGS.index(endings[end]) for end in found.endings.tolist()]),
            "points": array("q", [own for own, _ in points]),
            "points_against": array("q", [against for _, against in points]),
        }

    return play


def column(values: Any) -> "array[int] | array[float]":
    """A NumPy array as a column."""
    return array(KINDS[values.dtype.kind], values.tolist())


def number_of(seed: str) -> int:
    """The seed of the kernels' dice, 63 bits."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8], "big") >> 1
