"""The mean loss of a decision that was not forced, by level (`dicecup.analysis.grade.MEASURED`).

It also prints how often the grade of one game is the level that played it, and how often that level
is within the interval. Each level plays both seats of Yam Master, or a sheet of Yamm alone. Losses
are by the evaluation of `expert`; those of `expert` itself, which would be 0, by that of `master`.
"""

from statistics import fmean

from bench._games import played
from dicecup.analysis.grade import MEASURED, mean_loss
from dicecup.analysis.review import review

GAMES = {"yam-master": 100, "yamm(players=1)": 20}
SEEN_BY_MASTER = {"yam-master": 10, "yamm(players=1)": 4}


def main() -> None:
    """Prints a line a level, with half of the 95 % interval."""
    print(f"{'':<10}{'mean loss':>10}{'decisions':>20}{'named':>8}{'allowed':>9}")
    for game, games in GAMES.items():
        print(game, flush=True)
        levels = next(iter(MEASURED.values()))
        for level in levels:
            eyes, count = ("master", SEEN_BY_MASTER[game]) if level == "expert" else ("expert", games)
            reviews = [review(played(game, f"grade {seed}", level=level), eyes) for seed in range(count)]
            decisions = [each for seen in reviews for turn in seen.turns for each in turn.decisions if each.counts]
            found = mean_loss([decision.loss for decision in decisions])
            players = [player for seen in reviews for player in seen.players]
            named, allowed = (
                fmean(player.grade == level for player in players),
                fmean(level in player.grades for player in players),
            )
            print(
                f"  {level:<8}{found.mean:>10.5f} ± {found.half:.5f}{found.decisions:>10}"
                f"{named:>8.0%}{allowed:>9.0%}  seen by {eyes}",
                flush=True,
            )


if __name__ == "__main__":
    main()
