"""The runner of a series of games: it plays blocks in processes or on a cluster and collects them.

The blocks do not depend on where they are played.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

from dicecup.arena.block import Columns, Forfeit, GameBlock, merged
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.workers import Span, Task, cores, played_by_workers, played_here

ReportGames: TypeAlias = Callable[[int], object]
"""A function that is called with the number of games that were just finished."""

MOST_GAMES: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Runner:
    """The place where games are played.

    `workers`: the number of processes on this machine, by default one for each core. `ray`: the
    address of a Ray cluster, instead of processes. `progress`: called after each block.

    Raises `ArenaError` (`not-a-count`)."""

    workers: int | None = None
    ray: str | None = None
    progress: ReportGames = lambda _: None

    def __post_init__(self) -> None:
        if self.workers is not None:
            check_count("workers", self.workers)

    def run(self, task: Task, games: int, size: int) -> "Run":
        """Play games 0 to `games` - 1 in blocks of `size` games. Ctrl-C ends the run early.

        Raises what a block raises, and `ArenaError`."""
        check_count("games", games, MOST_GAMES)
        spans = spans_of(games, size)
        blocks: list[GameBlock] = []
        try:
            with closing(self._played(task, spans)) as played:
                for block in played:
                    blocks.append(block)
                    self.progress(block.count)
        except KeyboardInterrupt:
            pass  # the finished blocks are the result
        return Run(tuple(blocks), games)

    def _played(self, task: Task, spans: Sequence[Span]) -> Generator[GameBlock, None, None]:
        """Yield the finished blocks from the cluster, from other processes, or from this process if
        one is enough."""
        if self.ray is not None:
            from dicecup.arena.cluster import played_by_cluster

            return played_by_cluster(task, spans, self.ray)
        count = min(cores() if self.workers is None else self.workers, len(spans))
        return played_here(task, spans) if count == 1 else played_by_workers(task, spans, count)


@dataclass(frozen=True, slots=True)
class Run:
    """The finished blocks of a run of `wanted` games."""

    blocks: tuple[GameBlock, ...]
    wanted: int

    @property
    def games(self) -> int:
        """Return the number of finished games."""
        return sum(block.count for block in self.blocks)

    @property
    def interrupted(self) -> bool:
        """Return whether some games are missing."""
        return self.games < self.wanted

    @property
    def columns(self) -> Columns:
        """Return the figures of the games, in the order of their numbers."""
        return merged(self.blocks)

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """Return the games that engines lost because they failed, in the order of their numbers."""
        return tuple(sorted(chain(*(block.forfeits for block in self.blocks)), key=lambda forfeit: forfeit.number))

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time of all games on all processes."""
        return sum(block.cpu_seconds for block in self.blocks)


def spans_of(games: int, size: int) -> tuple[Span, ...]:
    """Return the first game and the number of games of each block."""
    return tuple((first, min(size, games - first)) for first in range(0, games, size))


def check_count(name: str, value: int, most: int | None = None) -> None:
    """Raise `ArenaError` (`not-a-count`) for a value below 1 or above `most`."""
    if value < 1 or (most is not None and value > most):
        raise ArenaError(ArenaCode.NOT_A_COUNT, name=name, value=value)
