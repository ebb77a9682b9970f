"""What looking further gains in Yam Master, and what it costs: one, two and three exact turns ahead
against `expert`, who looks one turn ahead with the same tables (so the first line is ½, and the
speed of the expert). Games come in pairs with equal dice and seats exchanged; decisions are those
of both players.
"""

from time import process_time
from typing import Final

from dicecup.arena.statistics import estimate
from dicecup.engine.yam_master.evaluation.match import play_games
from dicecup.players.yam_master import contestant
from dicecup.yam_master import YamMaster

GAMES: Final = {1: 20_000, 2: 20_000, 3: 6_000}
"""By turns ahead."""
BLOCK: Final = 1000
"""Games side by side."""
SEED: Final = 3


def main() -> None:
    """Prints one line for each depth."""
    game = YamMaster()
    expert = contestant("expert", game)
    for depth, wanted in GAMES.items():
        deep, scores, decisions = contestant("expert", game, depth), list[float](), 0
        play_games(game, deep, expert, games=2, seed=SEED)  # compiles
        begun = process_time()
        for first in range(0, wanted, BLOCK):
            games = play_games(game, deep, expert, start=first, games=BLOCK, seed=SEED)
            scores += games.scores.tolist()
            decisions += int(games.decisions.sum())
        seconds = process_time() - begun
        found = estimate(scores, together=2)
        assert found.ci95 is not None
        low, high = found.ci95
        print(
            f"{depth} ahead: {found.mean:.4f} ({low:.4f} to {high:.4f}), {wanted} games,"
            f" {decisions / seconds:.0f} decisions a CPU second",
            flush=True,
        )


if __name__ == "__main__":
    main()
