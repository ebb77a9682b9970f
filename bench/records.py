"""Records replayed per second on one core: read from disk, with every throw and action checked."""

import tempfile
import time
from pathlib import Path

from bench._games import played
from dicecup import record

ROUNDS = 5
GAMES = 20


def main() -> None:
    """Print the rate for each game."""
    for game_id in ("yam-master", "yamm(players=1)"):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, f"{seed}.dicecup") for seed in range(GAMES)]
            for seed, path in enumerate(paths):
                record.save(path, played(game_id, f"bench {seed}", level="greedy"))
            turns = sum(record.load(path).journal.turns for path in paths) / GAMES
            best = 0.0
            for _ in range(ROUNDS):
                before = time.process_time()
                for path in paths:
                    record.load(path)
                best = max(best, GAMES / (time.process_time() - before))
        print(f"{game_id:18}{best:>8,.0f} records per second, of {turns:.0f} turns on average")


if __name__ == "__main__":
    main()
