"""Where blocks are played, and what is kept of them: the same games in the same blocks, whoever
plays them."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeAlias

from dicecup.arena.block import Columns, GameBlock, merged
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.workers import Span, Task, cores, played_by_workers, played_here

ReportGames: TypeAlias = Callable[[int], object]
"""Is told how many games were just finished."""

MOST_GAMES: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Runner:
    """`workers` processes of this machine (None: one a core), or the Ray cluster at the address
    `ray`.

    Raises `ArenaError` (`not-a-count`)."""

    workers: int | None = None
    ray: str | None = None
    progress: ReportGames = lambda _: None

    def __post_init__(self) -> None:
        if self.workers is not None:
            check_count("workers", self.workers)

    def run(self, task: Task, games: int, size: int) -> "Run":
        """Plays games 0 to `games` - 1, `size` a block. Ctrl-C ends it early. Raises what a block
        raises, and `ArenaError`."""
        check_count("games", games, MOST_GAMES)
        spans = spans_of(games, size)
        blocks: list[GameBlock] = []
        try:
            with closing(self._played(task, spans)) as played:
                for block in played:
                    blocks.append(block)
                    self.progress(block.count)
        except KeyboardInterrupt:
            pass  # what was finished is the result
        return Run(tuple(blocks), games)

    def _played(self, task: Task, spans: Sequence[Span]) -> Generator[GameBlock, None, None]:
        if self.ray is not None:
            from dicecup.arena.cluster import played_by_cluster

            return played_by_cluster(task, spans, self.ray)
        count = min(cores() if self.workers is None else self.workers, len(spans))
        return played_here(task, spans) if count == 1 else played_by_workers(task, spans, count)


@dataclass(frozen=True, slots=True)
class Run:
    """The blocks that were finished, of `wanted` games."""

    blocks: tuple[GameBlock, ...]
    wanted: int

    @property
    def games(self) -> int:
        """How many games were finished."""
        return sum(block.count for block in self.blocks)

    @property
    def interrupted(self) -> bool:
        """Whether some are missing."""
        return self.games < self.wanted

    @property
    def columns(self) -> Columns:
        """What was noted of the games, by their numbers."""
        return merged(self.blocks)

    @property
    def cpu_seconds(self) -> float:
        """What the games took on all processes together."""
        return sum(block.cpu_seconds for block in self.blocks)


def spans_of(games: int, size: int) -> tuple[Span, ...]:
    """The blocks of so many games."""
    return tuple((first, min(size, games - first)) for first in range(0, games, size))


def check_count(name: str, value: int, most: int | None = None) -> None:
    """Raises `ArenaError` (`not-a-count`) unless this counts something."""
    if value < 1 or (most is not None and value > most):
        raise ArenaError(ArenaCode.NOT_A_COUNT, name=name, value=value)
