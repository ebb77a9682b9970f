"""The seam to players and analyses: what can be calculated where the room runs.

Everything that needs compiled kernels or trained tables stands behind `Engine`. Without them a page
offers the levels that play without tables, and no analysis.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final, Protocol

from dicecup.analysis import answers
from dicecup.analysis.errors import AnalysisCode, AnalysisError
from dicecup.analysis.theme import Theme
from dicecup.core.game import Position, Rules
from dicecup.offline.errors import OfflineCode, OfflineError
from dicecup.players.decision import decide
from dicecup.players.levels import table_file
from dicecup.record import Record


class Engine(Protocol):
    """Players and analyses. All methods but the first two raise `DicecupError`: also
    `AnalysisError` (`no-evaluation`) where a game is not analysed here.

    Callers wait for `prepare` before they call a method that needs the tables of a game."""

    def levels(self, rules: type[Rules]) -> tuple[str, ...]:
        """Return the levels at which computers play a game here, the weakest first."""

    def analyses(self, rules: type[Rules]) -> bool:
        """Return whether odds, hints, reviews and the trainer exist for a game here."""

    async def prepare(self, game: Rules, level: str | None = None) -> None:
        """Load the tables of a game; with a `level` only if it plays by them."""

    def decide(self, position: Position, level: str, seed: str) -> str | None:
        """Return the action of a player as text (`dicecup.players.decision`)."""

    def odds(self, game: str, dice: str | None, throws_left: int | None, kept: str | None, declared: bool) -> Any:
        """Return the odds of a point of a turn."""

    def analysis(self, position: Position, *, alone: bool) -> Any:
        """Return the value of each action in a position."""

    def review(self, played: Record) -> Any:
        """Return the review of a finished game."""

    def question(self, game: str, seed: str, number: int, difficulty: int, theme: Theme | None) -> Any:
        """Return a question of the trainer."""

    def verdict(
        self,
        position: Position,
        difficulty: int,
        played: str,
        before: answers.EarlierAnswer | None,
        now: datetime,
        *,
        lenient: bool,
    ) -> Any:
        """Return the loss of a choice and the analysis of all choices."""


class WholeEngine:
    """The engine of a place that has all kernels and tables."""

    def levels(self, rules: type[Rules]) -> tuple[str, ...]:
        return rules.levels

    def analyses(self, rules: type[Rules]) -> bool:
        from dicecup.analysis.registry import ANALYSED

        return rules.name in ANALYSED

    async def prepare(self, game: Rules, level: str | None = None) -> None:
        pass

    def decide(self, position: Position, level: str, seed: str) -> str | None:
        action = decide(position, level, seed)
        return None if action is None else str(action)

    def odds(self, game: str, dice: str | None, throws_left: int | None, kept: str | None, declared: bool) -> Any:
        return answers.odds(game, dice, throws_left, kept, declared)

    def analysis(self, position: Position, *, alone: bool) -> Any:
        return answers.analysis(position, alone=alone)

    def review(self, played: Record) -> Any:
        return answers.review(played)

    def question(self, game: str, seed: str, number: int, difficulty: int, theme: Theme | None) -> Any:
        return answers.question(game, seed, number, difficulty, theme)

    def verdict(
        self,
        position: Position,
        difficulty: int,
        played: str,
        before: answers.EarlierAnswer | None,
        now: datetime,
        *,
        lenient: bool,
    ) -> Any:
        return answers.verdict(position, difficulty, played, before, now, lenient=lenient)


class LoadingEngine(WholeEngine):
    """The engine of a page with kernels, which loads a table when it is first needed.

    `load` puts the table with this file name in its place, or returns `False` where it is neither
    on the device nor on a server.
    """

    def __init__(self, load: Callable[[str], Awaitable[bool]]) -> None:
        self._load = load

    async def prepare(self, game: Rules, level: str | None = None) -> None:
        path = None if level in UNTRAINED else table_file(game)
        if path is not None and not path.exists() and not await self._load(path.name):
            raise OfflineError(OfflineCode.NO_TABLE_FILE)


UNTRAINED: Final = ("random", "greedy")
"""The levels that play without tables."""


class PlainEngine(WholeEngine):
    """The engine of a place without kernels. Odds need none."""

    def levels(self, rules: type[Rules]) -> tuple[str, ...]:
        return tuple(level for level in rules.levels if level in UNTRAINED)

    def analyses(self, rules: type[Rules]) -> bool:  # noqa: ARG002 no game at all
        return False

    def analysis(self, position: Position, *, alone: bool) -> Any:  # noqa: ARG002 no position at all
        raise AnalysisError(AnalysisCode.NO_EVALUATION, game=position.game.id)

    def review(self, played: Record) -> Any:
        raise AnalysisError(AnalysisCode.NO_EVALUATION, game=played.game.id)

    def question(self, game: str, *_: object) -> Any:
        raise AnalysisError(AnalysisCode.NO_EVALUATION, game=game)

    def verdict(self, position: Position, *_: object, lenient: bool) -> Any:  # noqa: ARG002 no verdict at all
        raise AnalysisError(AnalysisCode.NO_EVALUATION, game=position.game.id)
