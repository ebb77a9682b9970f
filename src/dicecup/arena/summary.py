"""The parts of a summary that `simulate` and `match` share, as plain values for JSON.

All values but `cpu_seconds` and `games_per_cpu_second` follow from the arguments alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from dicecup.arena.block import Columns
from dicecup.arena.ends import FORFEIT, endings_of
from dicecup.arena.runner import Run
from dicecup.arena.statistics import estimate, quantiles
from dicecup.core.game import Rules

ArenaSummary: TypeAlias = dict[str, Any]

DEFAULT_CAP: Final = 1000
"""The number of turns after which a game is stopped.

Passing is always allowed, so a game of Yam Master can go on forever.
"""


def results(scores: Sequence[float]) -> ArenaSummary:
    """Return the numbers of games that were won, shared and lost."""
    wins, losses = sum(score == 1 for score in scores), sum(score == 0 for score in scores)
    return {"wins": wins, "draws": len(scores) - wins - losses, "losses": losses}


def lengths_and_endings(game: Rules, columns: Columns, cap: int) -> ArenaSummary:
    """Return the lengths of the games in turns, and how they ended. Games that were lost because an
    engine failed are listed if there are any."""
    turns = columns["turns"]
    lengths = estimate(turns)
    ends = Counter(map(int, columns["ending"]))
    return {
        "lengths": {"mean": lengths.mean, "sd": lengths.sd, "ci95": lengths.ci95, "quantiles": quantiles(turns)},
        "endings": {name: ends[at] for at, name in enumerate(endings_of(game)) if name != FORFEIT or ends[at]},
        "cap": cap,
    }


def cost(run: Run) -> ArenaSummary:
    """Return the CPU time of the games."""
    return {"cpu_seconds": run.cpu_seconds, "games_per_cpu_second": run.games / run.cpu_seconds if run.cpu_seconds else None}
