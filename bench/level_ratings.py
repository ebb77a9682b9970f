"""The fixed ratings of the computer's levels, measured in games against each other.

`python -m bench.level_ratings write` writes them to `dicecup/hosting/competition/levels.json`.
Without the word it prints them.

The ratings maximise the likelihood of the results if a player 173.7178 points above another one
wins e times as often as it loses (the scale of Glicko-2). `novice` has 1500. A draw is half a win.
Half a drawn game is added to each pair, so that a level that lost every game has a finite rating.

- Yam Master: each pair of levels but `master` in compiled kernels, with seats exchanged on equal
  dice. `master` plays against `expert` alone, and its score is taken without the luck of the dice.
- Yamm: the levels with tables play for the win in the kernel for two sides, without corrections.
  `random` and `greedy` fill sheets alone, and their totals are compared with those of the others:
  a sheet does not depend on the opponent's dice.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dicecup.arena.block import Series
from dicecup.arena.games import block_size, play_block
from dicecup.arena.match import match
from dicecup.arena.runner import Runner
from dicecup.arena.summary import DEFAULT_CAP
from dicecup.core.game import LEVELS
from dicecup.engine.yamm.evaluation.deepening import MASTER
from dicecup.engine.yamm.evaluation.simulate import FOR_POINTS, NEVER_CORRECTS, ONE_TURN, Side, duel
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.hosting.competition import levels
from dicecup.players import yamm

SEED = "level ratings"
GAMES = 4096
"""Games of a pair in kernels."""
DUELS = 1024
"""Games of a pair at Yamm, and sheets of a level that is compared by its totals."""
MASTER_DUELS = {"expert": 256}
"""Games of `master` at Yamm, by opponent."""
SHEETS = {"greedy": 512}
"""Sheets of slow levels of Yamm."""
MASTER_GAMES = 24
"""Games of `master` against `expert` at Yam Master."""
ANCHOR, ANCHOR_RATING, SCALE = "novice", 1500.0, 173.7178


class Result(NamedTuple):
    """The score of one level against another in some games; with a measured `error` of the score
    the games count as many as have this error by chance."""

    one: str
    other: str
    score: float
    games: float


def main(words: Sequence[str]) -> None:
    """Measure both games, and print or write the ratings."""
    found: dict[str, Any] = {"seed": SEED, "command": "python -m bench.level_ratings write"}
    for game, measure in (("yam-master", yam_master), ("yamm", yamm_results)):
        begun = sum(os.times()[:4])
        results = measure()
        ratings = fitted(results)
        played = round(sum(result.games for result in results))
        found[game] = {
            level: {"rating": round(rating, 1), "error": round(error, 1)} for level, (rating, error) in ratings.items()
        }
        print(f"{game}: {played} games, {sum(os.times()[:4]) - begun:.0f} s of one core")
        for result in results:
            print(f"  {result.one:<8}{result.other:<8}{result.score:>8.4f} in {result.games:.0f}")
        for level, (rating, error) in ratings.items():
            print(f"  {level:<8}{rating:>8.1f} ± {error:.1f}", flush=True)
    if "write" in words:
        Path(levels.FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def yam_master() -> list[Result]:
    """Return the results of Yam Master."""
    kernels = [level for level in LEVELS if level != "master"]
    results = []
    for pair in combinations(kernels, 2):
        setup = Series("yam-master", pair, SEED, DEFAULT_CAP, exchanged=True)
        scores = Runner().run(partial(play_block, setup), GAMES, block_size(setup)).columns["score"]
        results.append(Result(*pair, float(np.mean(scores)), len(scores)))
    summary = match("yam-master", ("master", "expert"), games_wanted=MASTER_GAMES, seed=SEED, runner=Runner())
    assert summary is not None
    score, (low, high) = summary["adjusted_score"], summary["adjusted_ci95"]
    error = (high - low) / 2 / 1.96
    return [*results, Result("master", "expert", score, score * (1 - score) / error**2)]


def yamm_results() -> list[Result]:
    """Return the results of Yamm."""
    sides = {level: Side(ONE_TURN, temperature, FOR_POINTS) for level, temperature in yamm.TEMPERATURES.items()}
    sides |= {"expert": Side(ONE_TURN, 0.0, NEVER_CORRECTS), "master": Side(MASTER.margins, 0.0, NEVER_CORRECTS)}
    results = []
    for one, other in combinations(sides, 2):
        games = DUELS if "master" not in (one, other) else MASTER_DUELS.get(one, 0)
        scores = []
        for first in range(0, games, LANES):
            totals, _ = duel(yamm.table(), 1, first, (sides[one], sides[other]))
            scores.append(wins(totals[0], totals[1]))
        if games:
            results.append(Result(one, other, float(np.mean(scores)), games))
    alone = {level: sheets(level, SHEETS.get(level, DUELS)) for level in ("random", "greedy", "novice", "casual", "club")}
    for one, other in (
        ("random", "greedy"),
        ("random", "novice"),
        ("greedy", "novice"),
        ("greedy", "casual"),
        ("greedy", "club"),
    ):
        score = float(np.mean(wins(alone[one][:, None], alone[other][None, :])))
        results.append(Result(one, other, score, min(len(alone[one]), len(alone[other]))))
    return results


def sheets(level: str, count: int) -> Any:
    """Return the totals of sheets that a level fills alone."""
    setup = Series("yamm(players=1)", (level,), SEED, 99)
    return np.array(Runner().run(partial(play_block, setup), count, block_size(setup)).columns["total"])


def wins(own: Any, other: Any) -> Any:
    """Return 1 for each win, ½ for each draw and 0 for each loss."""
    return (1 + np.sign(own - other)) / 2


def fitted(results: Sequence[Result]) -> Mapping[str, tuple[float, float]]:
    """Return the rating of each level with its standard error, by Newton's method."""
    names = [level for level in LEVELS if any(level in result[:2] for result in results)]
    free = [name for name in names if name != ANCHOR]
    at = {name: place for place, name in enumerate(free)}
    strengths = np.zeros(len(free))
    information = np.zeros((len(free), len(free)))
    for _ in range(100):
        gradient, information = np.zeros(len(free)), np.zeros((len(free), len(free)))
        for one, other, score, games in results:
            won, all_games = score * games + 0.25, games + 0.5
            contrast = np.zeros(len(free))
            if one in at:
                contrast[at[one]] += 1
            if other in at:
                contrast[at[other]] -= 1
            expected = 1 / (1 + np.exp(-contrast @ strengths))
            gradient += (won - all_games * expected) * contrast
            information += all_games * expected * (1 - expected) * np.outer(contrast, contrast)
        step = np.linalg.solve(information, gradient)
        strengths = strengths + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    found = {ANCHOR: (ANCHOR_RATING, 0.0)}
    found |= {name: (ANCHOR_RATING + SCALE * strengths[at[name]], SCALE * errors[at[name]]) for name in free}
    return {name: found[name] for name in names}


if __name__ == "__main__":
    main(sys.argv[1:])
