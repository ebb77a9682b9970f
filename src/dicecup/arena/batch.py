"""Levels that play many games side by side in compiled kernels, and what is noted of their games.

Their dice follow from the seed, the game's number, the turn and the throw, as those of `play.seeded` do, but they are other
dice: a level is measured on both, and the results agree within their intervals.
"""

from array import array
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, TypeAlias

from dicecup import games
from dicecup.arena.block import Columns, Setup
from dicecup.arena.play import CAP
from dicecup.core.turn import KeptDice
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm

Simulator: TypeAlias = Callable[[int, int], Columns]
"""Plays so many games from this number on."""

ENDINGS: Final = ("line", "tokens", "full", CAP)
"""How a game can end; noted as the place here."""
LARGE_BLOCK: Final = 256
"""Games a block where many are played side by side."""
KINDS: Final = {"i": "q", "u": "q", "f": "d"}


def simulator(setup: Setup) -> Simulator | None:
    """The kernels' simulator for these games; None where a level has none."""
    game = games.from_id(setup.game)
    return duels(game, setup) if isinstance(game, YamMaster) else sheets(game, setup)


def sheets(game: Yamm, setup: Setup) -> Simulator | None:
    """One sheet of Yamm after the other, by a level that looks exact turns ahead."""
    if setup.players != ("expert",) or game.options.kept_dice is KeptDice.LOCKED:
        return None
    from dicecup.engine.yamm_play.simulate import simulate
    from dicecup.players.yamm_values import table

    weights = table().weights

    def play(first: int, count: int) -> Columns:
        found = simulate(weights, number_of(setup.seed), first, count)
        whole = {name: array("q", map(int, values.tolist())) for name, values in found.items() if name != "luck"}
        return {"total": whole.pop("total"), "luck": column(found["luck"]), **whole}

    return play


def duels(game: YamMaster, setup: Setup) -> Simulator | None:
    """Yam Master between two levels."""
    from dicecup.engine.yam_master_play import match

    contestants = [contestant(level) for level in setup.players]
    if None in contestants:
        return None
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


def contestant(level: str) -> Any:
    """How a level plays in the kernels; None where it does not."""
    from dicecup.engine.yam_master_play import match

    found = {"random": match.Contestant(match.by_greed, float("inf")), "greedy": match.Contestant(match.by_greed)}
    return found.get(level)


def column(values: Any) -> "array[int] | array[float]":
    """A NumPy array as a column."""
    return array(KINDS[values.dtype.kind], values.tolist())


def number_of(seed: str) -> int:
    """The seed of the kernels' dice, 63 bits."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8], "big") >> 1
