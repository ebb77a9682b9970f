"""What both commands say of their games, as plain values for JSON.

All but `cpu_seconds` and `games_per_cpu_second` follows from the arguments alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from dicecup.arena.batch import ENDINGS
from dicecup.arena.block import Columns
from dicecup.arena.runner import Run
from dicecup.arena.statistics import estimate, quantiles

Summary: TypeAlias = dict[str, Any]

DEFAULT_CAP: Final = 1000
"""Turns after which a game is stopped: passing is always allowed, so the rules of Yam Master alone don't end one."""


def results(scores: Sequence[float]) -> Summary:
    """How many games were won, shared and lost."""
    wins, losses = sum(score == 1 for score in scores), sum(score == 0 for score in scores)
    return {"wins": wins, "draws": len(scores) - wins - losses, "losses": losses}


def lengths_and_endings(columns: Columns, cap: int) -> Summary:
    """How many turns the games had, and how they ended; `cap`: after how many turns they were stopped."""
    turns = columns["turns"]
    lengths = estimate(turns)
    ends = Counter(map(int, columns["ending"]))
    return {
        "lengths": {"mean": lengths.mean, "sd": lengths.sd, "ci95": lengths.ci95, "quantiles": quantiles(turns)},
        "endings": {name: ends[at] for at, name in enumerate(ENDINGS)},
        "cap": cap,
    }


def cost(run: Run) -> Summary:
    """What the games took."""
    return {"cpu_seconds": run.cpu_seconds, "games_per_cpu_second": run.games / run.cpu_seconds if run.cpu_seconds else None}
