"""The mean loss per decision of each level, and how well the grade of one game names the level.

`dicecup.analysis.grade.MEASURED` holds the mean losses. Decisions with only one legal action
do not count. The column `named` is the share of games whose grade is the level that played,
`allowed` the share whose range of grades includes that level.

A level plays both seats of Yam Master, or a sheet of Yamm alone. The evaluation of `expert` reviews
the games. The games of `expert`, which loses nothing by its own evaluation, are reviewed by
`master`.
"""

from statistics import fmean

from bench._games import played
from dicecup.analysis.grade import MEASURED, mean_loss
from dicecup.analysis.review import review

GAMES = {"yam-master": 100, "yamm(players=1)": 20}
"""Number of games for each level that `expert` reviews."""
REVIEWED_BY_MASTER = {"yam-master": 10, "yamm(players=1)": 4}
"""Number of games of `expert`."""


def main() -> None:
    """Print one line for each level, with half the width of the 95 % interval."""
    print(f"{'':<10}{'mean loss':>10}{'decisions':>20}{'named':>8}{'allowed':>9}")
    for game, games in GAMES.items():
        print(game, flush=True)
        levels = next(iter(MEASURED.values()))
        for level in levels:
            reviewer, count = ("master", REVIEWED_BY_MASTER[game]) if level == "expert" else ("expert", games)
            reviews = [review(played(game, f"grade {seed}", level=level), reviewer) for seed in range(count)]
            decisions = [each for reviewed in reviews for turn in reviewed.turns for each in turn.decisions if each.counts]
            found = mean_loss([decision.loss for decision in decisions])
            players = [player for reviewed in reviews for player in reviewed.players]
            named, allowed = (
                fmean(player.grade == level for player in players),
                fmean(level in player.grades for player in players),
            )
            print(
                f"  {level:<8}{found.mean:>10.5f} ± {found.half:.5f}{found.decisions:>10}{named:>8.0%}{allowed:>9.0%}"
                f"  reviewed by {reviewer}",
                flush=True,
            )


if __name__ == "__main__":
    main()
