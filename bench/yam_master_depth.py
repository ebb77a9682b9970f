"""Gain and cost of looking further ahead in Yam Master.

Players that look one, two and three exact turns ahead play against `expert`, which looks one turn
ahead with the same tables. The first line therefore shows a mean of ½ and the speed of `expert`.
Games come in pairs with the same dice and exchanged seats. Decisions of both players are counted.
"""

from time import process_time
from typing import Final

from dicecup.arena.statistics import estimate
from dicecup.engine.yam_master.evaluation.match import play_games
from dicecup.players.yam_master import contestant
from dicecup.yam_master import YamMaster

GAMES: Final = {1: 20_000, 2: 20_000, 3: 6_000}
"""Number of games by turns ahead."""
BLOCK: Final = 1000
"""Number of games that are played side by side."""
SEED: Final = 3


def main() -> None:
    """Print one line for each depth."""
    game = YamMaster()
    expert = contestant("expert", game)
    for depth, count in GAMES.items():
        deep, scores, decisions = contestant("expert", game, depth), list[float](), 0
        play_games(game, deep, expert, games=2, seed=SEED)  # compiles the kernels
        begin = process_time()
        for first in range(0, count, BLOCK):
            games = play_games(game, deep, expert, start=first, games=BLOCK, seed=SEED)
            scores += games.scores.tolist()
            decisions += int(games.decisions.sum())
        seconds = process_time() - begin
        result = estimate(scores, together=2)
        assert result.ci95 is not None
        low, high = result.ci95
        print(
            f"{depth} ahead: {result.mean:.4f} ({low:.4f} to {high:.4f}), {count} games,"
            f" {decisions / seconds:.0f} decisions per CPU second",
            flush=True,
        )


if __name__ == "__main__":
    main()
