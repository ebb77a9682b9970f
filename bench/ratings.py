"""How well ratings predict results: 10 000 games between levels of known strength.

`python -m bench.ratings write` also writes `docs/images/ratings.json` and draws the picture of
docs/competition.md.

Players join that play as one of the levels `novice` to `expert`, each with the rating of a new
person, and are paired at random. The results are those of games of the levels in the arena, each
used once. Before each game the expected score is noted, then the game is rated. The games are put
into ten groups by this prediction; a group should score what was predicted for it.

- Duels: Yam Master, rated by Glicko-2 after each game. Beside it Elo with several factors K from
  the same beginning, and the fixed ratings of the levels, which nothing that learns can beat by
  much.
- Groups: Yamm with four players, rated by Weng–Lin. The totals are those of sheets that the levels
  filled alone. Each pair of a game is one prediction.

The Brier score is the mean squared difference between prediction and score: smaller is better.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

from dicecup.arena.block import Series
from dicecup.arena.games import block_size, play_block
from dicecup.arena.runner import Runner
from dicecup.arena.summary import DEFAULT_CAP
from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.strength import NEW, Strength, after_duel, after_group, expected_score
from docs.plots.draw import BLUE, FAINT, INK, ORANGE, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = 10_000
PLAYERS = 100
PLAYED = ("novice", "casual", "club", "expert")
FACTORS = (10, 20, 32, 48)
"""Elo's factors K."""
SEED = "ratings"
GROUP = 4
FOLDER = Path(__file__).parent.parent / "docs" / "images"
Prediction = tuple[float, float]
"""A predicted score and the score."""


def main(words: Sequence[str]) -> None:
    """Print the deciles and Brier scores, and write them with the word `write`."""
    duels = duel_predictions()
    groups = group_predictions()
    found: dict[str, Any] = {
        "games": GAMES,
        "players": PLAYERS,
        "brier": {name: round(brier(each), 5) for name, each in duels.items()},
        "group_brier": {name: round(brier(each), 5) for name, each in groups.items()},
        "deciles": deciles(duels["glicko-2"]),
        "group_deciles": deciles(groups["weng-lin"]),
    }
    for kind in ("brier", "group_brier"):
        for name, score in found[kind].items():
            print(f"{name:<14}{score:.5f}")
    for kind in ("deciles", "group_deciles"):
        print(kind)
        for predicted, observed, half, games in found[kind]:
            print(f"  {predicted:.3f} predicted, {observed:.3f} ± {half:.3f} observed in {games}", flush=True)
    if "write" in words:
        (FOLDER / "ratings.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        with drawn(FOLDER / "ratings.svg", "Ratings: predicted and observed scores") as figure:
            draw(figure, found)


def duel_predictions() -> dict[str, list[Prediction]]:
    """Return the predictions of each method for the same games of Yam Master."""
    results = {(one, other): results_of((one, other)) for one, other in product(PLAYED, repeat=2)}
    chance = Random(SEED)
    levels = [chance.choice(PLAYED) for _ in range(PLAYERS)]
    known = level_strengths("yam-master")
    strengths = [NEW] * PLAYERS
    elo = {factor: [NEW.rating] * PLAYERS for factor in FACTORS}
    found: dict[str, list[Prediction]] = {name: [] for name in ("glicko-2", *(f"elo, K = {k}" for k in FACTORS), "known")}
    for _ in range(GAMES):
        one, other = chance.sample(range(PLAYERS), 2)
        score = next(results[levels[one], levels[other]])
        found["known"].append((expected_score(known[levels[one]], known[levels[other]]), score))
        found["glicko-2"].append((expected_score(strengths[one], strengths[other]), score))
        strengths[one], strengths[other] = (
            after_duel(strengths[one], strengths[other], score),
            after_duel(strengths[other], strengths[one], 1 - score),
        )
        for factor, ratings in elo.items():
            expected = expected_score(Strength(ratings[one], 0), Strength(ratings[other], 0))
            found[f"elo, K = {factor}"].append((expected, score))
            change = factor * (score - expected)
            ratings[one] += change
            ratings[other] -= change
    return found


def results_of(pair: tuple[str, str]) -> Iterator[float]:
    """Yield the scores of the first of two levels in their games at Yam Master."""
    setup = Series("yam-master", pair, f"{SEED} {' '.join(pair)}", DEFAULT_CAP, exchanged=True)
    many = 2 * GAMES // len(PLAYED) ** 2
    yield from Runner().run(partial(play_block, setup), many, block_size(setup)).columns["score"]


def group_predictions() -> dict[str, list[Prediction]]:
    """Return the predictions for each pair of players in games of Yamm with four."""
    totals = {level: totals_of(level) for level in PLAYED}
    chance = Random(SEED)
    levels = [chance.choice(PLAYED) for _ in range(PLAYERS)]
    known = level_strengths("yamm")
    strengths = [NEW] * PLAYERS
    found: dict[str, list[Prediction]] = {"weng-lin": [], "known": []}
    for _ in range(GAMES // 2):
        players = chance.sample(range(PLAYERS), GROUP)
        reached = [next(totals[levels[player]]) for player in players]
        ranks = [sum(other > own for other in reached) for own in reached]
        for one, other in combinations(range(GROUP), 2):
            score = 0.5 if ranks[one] == ranks[other] else float(ranks[one] < ranks[other])
            pair = players[one], players[other]
            found["weng-lin"].append((expected_score(*(strengths[player] for player in pair)), score))
            found["known"].append((expected_score(*(known[levels[player]] for player in pair)), score))
        for player, (after,) in zip(players, after_group([[strengths[player]] for player in players], ranks), strict=True):
            strengths[player] = after
    return found


def totals_of(level: str) -> Iterator[float]:
    """Yield totals of sheets of Yamm that a level fills alone."""
    setup = Series("yamm(players=1)", (level,), f"{SEED} {level}", 99)
    many = GROUP * GAMES // len(PLAYED)
    yield from Runner().run(partial(play_block, setup), many, block_size(setup)).columns["total"]


def brier(predictions: Sequence[Prediction]) -> float:
    """Return the Brier score of predictions."""
    return fmean((predicted - score) ** 2 for predicted, score in predictions)


def deciles(predictions: Sequence[Prediction]) -> list[tuple[float, float, float, int]]:
    """Return for each tenth of the predictions, the lowest first, the mean prediction, the mean
    score with half of its 95 % interval, and their number. A prediction counts from both sides, so
    that the groups are symmetrical."""
    both = sorted([*predictions, *((1 - predicted, 1 - score) for predicted, score in predictions)])
    size = len(both) // 10
    found = []
    for first in range(0, 10 * size, size):
        part = both[first : first + size]
        mean = fmean(score for _, score in part)
        half = 1.96 * (fmean((score - mean) ** 2 for _, score in part) / len(part)) ** 0.5
        found.append((round(fmean(p for p, _ in part), 4), round(mean, 4), round(half, 4), len(part)))
    return found


def draw(figure: "Figure", found: Any) -> None:
    """Draw observed over predicted scores for duels and groups."""
    figure.set_size_inches(8, 4.2)
    kinds: tuple[tuple[str, str, str, Callable[[], str]], ...] = (
        ("deciles", "Duels (Glicko-2)", BLUE, lambda: f"Brier {found['brier']['glicko-2']:.4f}"),
        ("group_deciles", "Four players (Weng–Lin)", ORANGE, lambda: f"Brier {found['group_brier']['weng-lin']:.4f}"),
    )
    for axes, (kind, title, colour, score) in zip(figure.subplots(1, 2), kinds, strict=True):
        predicted, observed, halves, _ = zip(*found[kind], strict=True)
        axes.plot([0, 1], [0, 1], color=FAINT, linewidth=1)
        axes.errorbar(predicted, observed, yerr=halves, fmt="o", color=colour, markersize=5)
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", title=title, xlabel="predicted score", ylabel="observed score")
        axes.text(0.05, 0.92, score(), color=INK)


if __name__ == "__main__":
    main(sys.argv[1:])
