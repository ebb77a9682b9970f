"""Measure the figures from games with fixed seeds, as means with half of their 95 % interval."""

from collections.abc import Sequence
from functools import partial
from operator import sub
from typing import Any, Final

from dicecup import games
from dicecup.analysis.registry import by_tables
from dicecup.arena.block import Columns, Series
from dicecup.arena.ends import ENDINGS
from dicecup.arena.games import block_size, play_block
from dicecup.arena.runner import Runner
from dicecup.arena.statistics import estimate, mean, quantiles
from dicecup.arena.summary import DEFAULT_CAP
from dicecup.yam_master import BOARD
from dicecup.yamm import SHEET

SEED: Final = "docs"
SHEETS: Final = {"random": 4096, "greedy": 300, "novice": 4096, "casual": 4096, "club": 4096, "expert": 4096, "master": 512}
"""Level → number of Yamm sheets that it fills alone; fewer for slow levels."""
LOCKED: Final = 300
"""Number of sheets that `expert` fills with locked dice."""
DUELS: Final = 40_000
"""Number of games of Yam Master that each level plays against itself."""
LEVELS: Final = ("random", "greedy", "novice", "casual", "club", "expert")
OPTIONS: Final = ("kept_dice=locked", "failed_defi=ignored", "captured=out", "end=full_round")
BIN: Final = 50
"""Width of a histogram bar in points."""


def measure() -> dict[str, Any]:
    """Return all figures of the pictures and tables, ready for JSON."""
    duels = {option: duel(f"yam-master({option})", "expert") for option in OPTIONS}
    return {
        "sheets": {level: sheets("yamm(players=1)", level, count) for level, count in SHEETS.items()},
        "locked": sheets("yamm(players=1,kept_dice=locked)", "expert", LOCKED),
        "duels": {level: duel("yam-master", level) for level in LEVELS},
        "options": duels,
        "squares": squares(),
    }


def played(game: str, levels: tuple[str, ...], count: int, cap: int) -> Columns:
    """Play `count` games and return their results, one list per quantity."""
    setup = Series(game, levels, SEED, cap)
    return Runner().run(partial(play_block, setup), count, block_size(setup)).columns


def sheets(game: str, level: str, count: int) -> dict[str, Any]:
    """Measure one level alone on sheets of Yamm.

    `mean` is computed without the luck of the dice if the level uses tables.
    """
    columns = played(game, (level,), count, len(SHEET.cells))
    totals = columns["total"]
    return {
        "games": count,
        "mean": interval(list(map(sub, totals, columns["luck"])) if "luck" in columns else totals),
        "sd": rounded(estimate(totals).sd or 0.0),
        "quantiles": quantiles(totals),
        "histogram": histogram(totals),
        "columns": {column: interval(columns[column]) for column in SHEET.columns},
        "bonuses": {column: rounded(mean(columns[f"{column} bonus"])) for column in SHEET.columns},
        "first_throw_yamms": interval(columns["first_throw_yamms"]),
    }


def duel(game: str, level: str) -> dict[str, Any]:
    """Measure one level of Yam Master against itself. `points` is the sum of both players."""
    columns = played(game, (level, level), DUELS, DEFAULT_CAP)
    return {
        "games": DUELS,
        "first": interval(columns["score"]),
        "draws": interval([float(score == 0.5) for score in columns["score"]]),
        "lines": interval([float(ENDINGS[int(ending)] == "line") for ending in columns["ending"]]),
        "turns": interval(columns["turns"]),
        "points": interval([own + other for own, other in zip(columns["points"], columns["points_against"], strict=True)]),
    }


def squares() -> dict[str, float]:
    """Return the gain of a first token for each square.

    The gain is the first player's chance to win with a token on this square, minus the chance after
    a first turn without a token, by the tables of `expert`.
    """
    game = games.from_id("yam-master")
    evaluation = by_tables(game)

    def chance(rows: str, supplies: str) -> float:
        return 1 - evaluation.before_throw(game.position(f"{rows} o 0:????? {supplies} 2"))

    without = chance("5/5/5/5/5", "12-12")
    return {name: rounded(chance(alone_on(name), "11-12") - without) for name in BOARD.names}


def alone_on(square: str) -> str:
    """Return the rows of the board with one token of x on `square`, in the notation."""
    column, row = "abcde".index(square[0]), int(square[1])
    line = f"{column or ''}x{4 - column or ''}"
    return "/".join(line if number == row else "5" for number in range(1, 6))


def interval(values: Sequence[float]) -> list[float]:
    """Return the mean and half of its 95 % interval."""
    found = estimate(values)
    assert found.ci95 is not None
    return [rounded(found.mean), rounded(found.ci95[1] - found.mean)]


def histogram(totals: Sequence[float]) -> dict[str, Any]:
    """Count the totals in bars of `BIN` points; the first bar begins at `first`."""
    places = [int(total // BIN) for total in totals]
    first = min(places)
    return {"first": first * BIN, "width": BIN, "counts": [places.count(place) for place in range(first, max(places) + 1)]}


def rounded(value: float) -> float:
    """Round to six significant digits, which makes the figures equal on every machine."""
    return float(f"{value:.6g}")
