"""Decisions per CPU second of batches for learning agents, with random play.

A decision is the drawing of a legal action, the step, the observation and the mask of what follows.
Games that end begin anew. The goals are 2 million in Yamm and 1 million in Yam Master.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from dicecup.envs.batches import Batch, YamMasterBatch, YammBatch

GAMES = (16, 1024, 4096)
SECONDS = 1.0
ROUNDS = 5
BATCHES: dict[str, Callable[..., Batch]] = {
    "Yamm, nine columns": YammBatch,
    "Yamm, three columns": partial(YammBatch, columns="d1,u1,f1"),
    "Yam Master": YamMasterBatch,
}


def rates(batch: Batch) -> Iterator[float]:
    """Yield the decisions per CPU second of several rounds, after a first one that does not
    count."""
    batch.reset(seed=1)
    for number in range(ROUNDS + 1):
        before, steps = time.process_time(), 0
        while (used := time.process_time() - before) < SECONDS:
            batch.step(batch.sample())
            steps += 1
        if number:
            yield steps * batch.num_envs / used


def main() -> None:
    """Print the rate of each batch by its number of games."""
    for name, make in BATCHES.items():
        for games in GAMES:
            found = list(rates(make(games, copy=False)))
            print(
                f"{name}, {games} games: {median(found) / 1e6:.2f} million decisions a CPU second (best {max(found) / 1e6:.2f})"
            )


if __name__ == "__main__":
    main()
