"""The level that fits a person: the one against which half of the games should be won."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Final

from dicecup.core.game import LEVELS
from dicecup.core.ids import split_id
from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.pools import Form, Pool
from dicecup.hosting.competition.strength import NEW, Strength, after_duel
from dicecup.hosting.table_summary import TableSummary

COUNTED: Final = 30
"""The newest games against a computer from which a strength is estimated."""
FEWEST: Final = 3
"""Games that an estimate needs."""
SCORES: Final = {"won": 1.0, "drawn": 0.5, "lost": 0.0}
EASIEST: Final = "novice"
"""The weakest level that is proposed."""


def fitting_levels(tables: Iterable[TableSummary], strengths: Mapping[str, Strength]) -> dict[str, str]:
    """Return the fitting level by name of the game, for the games in which a person has played
    enough. `tables`: the tables of the person, the newest first. `strengths`: the person's ratings
    by pool.

    The best known rating in games of two counts if it is not provisional; otherwise a strength that
    is estimated from all finished games against one computer, rated or not.
    """
    played: dict[str, list[tuple[Strength, float]]] = {}
    for table in tables:
        name = split_id(table.game)[0]
        if (found := _against_computer(name, table)) is not None:
            played.setdefault(name, []).append(found)
    estimates = {name: estimated(reversed(games[:COUNTED])) for name, games in played.items() if len(games) >= FEWEST}
    for pool, strength in sorted(strengths.items(), key=lambda item: -item[1].deviation):
        read = Pool.read(pool)
        if read is not None and read.form is Form.DUEL and not strength.is_provisional:
            estimates[read.game] = strength  # the smallest deviation comes last
    return {name: fitting for name, strength in estimates.items() if (fitting := fitting_level(name, strength))}


def estimated(games: Iterable[tuple[Strength, float]]) -> Strength:
    """Return the strength of a new person after games against computers, in order, each with the
    level's strength and the score."""
    strength = NEW
    for level, score in games:
        strength = after_duel(strength, level, score)
    return strength


def fitting_level(game: str, strength: Strength) -> str:
    """Return the level whose rating is nearest to a strength; an empty text for a game whose levels
    were not measured.

    Levels below that of beginners never fit, nor does one that is not measurably stronger than
    the levels before it.
    """
    levels = level_strengths(game)
    able: dict[str, float] = {}
    for level in LEVELS[LEVELS.index(EASIEST) :]:
        if level in levels and levels[level].rating > max(able.values(), default=-inf) + levels[level].deviation:
            able[level] = levels[level].rating
    return min(able, key=lambda level: abs(able[level] - strength.rating), default="")


def _against_computer(name: str, table: TableSummary) -> tuple[Strength, float] | None:
    """Return level and score of a finished game of two against a computer, `None` for all else."""
    seats = table.summary["seats"]
    level = next((seat["level"] for seat in seats if seat["level"]), "")
    if len(seats) != 2 or table.outcome not in SCORES or level not in level_strengths(name):
        return None
    return level_strengths(name)[level], SCORES[table.outcome]
