"""The players of Yam Master that use the trained tables.

The value of an action is the probability to win after it; a draw counts half. The loss of an action
is the highest value in the position less its own.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from dicecup.players.player import choose_by_loss, random_for
from dicecup.yam_master import BOARD, Action, KeepDice, Options, Position, YamMaster

if TYPE_CHECKING:
    from dicecup.engine.arrays import Reals
    from dicecup.engine.yam_master.evaluation.match import Contestant, Evaluate

TABLES: Final = Path(__file__).parent / "tables"
TEMPERATURES: Final = {"novice": 0.0251, "casual": 0.0161, "club": 0.0086}
"""Level → temperature of `choose_by_loss`, in win probability."""
BATCH_LEVELS: Final = ("random", "greedy", *TEMPERATURES, "expert")
"""The levels that play many games side by side, weakest first."""
WORK: Final = 120_000
"""The default limit of exact turns for the decisions of one turn: half a second or less."""
STATE: Final = 4
"""The work of solving one state of a late position's closure, in exact turns."""
SPEED: Final = 100_000
"""A low estimate of exact turns per second.

It limits the size of closures where only the time is limited.
"""


# --- Tables ---


def trained_for(game: YamMaster) -> YamMaster:
    """Return the game whose tables are used. Only the option `end` has tables of its own.

    The other options change the best play little.
    """
    return YamMaster(Options(end=game.options.end), game.board)


def untrained_options(game: YamMaster) -> tuple[str, ...]:
    """Return the names of the options in which a game differs from `trained_for(game)`."""
    own, trained = game.options, trained_for(game).options
    return tuple(name for name in Options.__slots__ if getattr(own, name) != getattr(trained, name))


def table_file(game: YamMaster) -> Path | None:
    """Return the file with the tables of a game, `None` for a board without tables."""
    from dicecup.engine.yam_master.evaluation.tables import FILES

    return TABLES / FILES[trained_for(game)] if game.board == BOARD else None


@lru_cache
def evaluation(game: YamMaster) -> "Evaluate":
    """Return the evaluation of all moves by the tables of `trained_for(game)`.

    Raises `TablesError`, also for a board without tables.
    """
    from dicecup.engine.tables_file import TablesCode, TablesError, load
    from dicecup.engine.yam_master.evaluation.match import by_model
    from dicecup.engine.yam_master.evaluation.model import model_from
    from dicecup.engine.yam_master.evaluation.tables import KIND

    path = table_file(game)
    if path is None:
        raise TablesError(TablesCode.TABLES_MISSING, file=game.id)
    return by_model(model_from(game.board, load(path, KIND).arrays))


# --- Players ---


class YamMasterExpert:
    """A player that solves the turn exactly, with the trained values of the positions after it.

    It makes the same choice in the same position.
    """

    def values(self, position: Position) -> dict[Action, float]:
        """Return the value of each of `position.actions`.

        Raises `TablesError`, and `EngineError` (`not-a-decision`) where no decision is due.
        """
        from dicecup.engine.yam_master.evaluation.decisions import action_values, to_decide

        to_decide(position)
        return action_values(position, self.move_values(position))

    def move_values(self, position: Position) -> "Reals":
        """Return the values of all moves of the position's turn, shape (moves,): 1 won, -1 lost.

        Raises `TablesError`.
        """
        from dicecup.engine.yam_master.evaluation.decisions import move_values

        return move_values(position, evaluation(position.game))

    def choose(self, position: Position) -> Action:
        """Return the best of `position.actions`. Raises as `values`."""
        return self.evaluate(position)[0]

    def evaluate(self, position: Position) -> tuple[Action, float]:
        """Return the choice and its value. Raises as `values`."""
        values = self.values(position)
        best = best_action(values)
        return best, values[best]


class YamMasterBeginner:
    """A level below the expert: it draws from all actions by `choose_by_loss`."""

    def __init__(self, level: str, seed: str = "") -> None:
        self.temperature = TEMPERATURES[level]
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`. Raises as the expert's `values`."""
        return choose_by_loss(YamMasterExpert().values(position), self.temperature, random_for(self.seed, position))


class YamMasterMaster(YamMasterExpert):
    """A player that searches several exact turns ahead and solves late positions.

    `work` limits the exact turns for the decisions of one turn; with it alone the choice in a
    position is always the same. `seconds` limits their time. The decisions of one turn share one
    search. With no work and no time allowed, the player chooses as the expert does.
    """

    def __init__(self, work: int | None = None, seconds: float | None = None) -> None:
        self.work = WORK if work is None and seconds is None else inf if work is None else work
        self.seconds = inf if seconds is None else seconds
        self._searched = lru_cache(maxsize=1)(self._search)

    def move_values(self, position: Position) -> "Reals":
        """Return the values of all moves of the position's turn. Raises `TablesError`."""
        from dicecup.engine.yam_master.rules.state import pack

        return self._searched(position.game, pack(position))

    def _search(self, game: YamMaster, state: int) -> "Reals":
        """Return the values of all moves, searched within the limits of this player."""
        return search(game, state, evaluation(game), self.work, self.seconds)


def best_action(values: Mapping[Action, float]) -> Action:
    """Return the action with the highest value.

    Of equal actions the first that ends the turn is returned, otherwise the first.
    """
    return max(values, key=lambda action: (values[action], not isinstance(action, KeepDice)))


PLAYERS: Final[Mapping[str, Callable[[str], YamMasterExpert | YamMasterBeginner]]] = {
    **{level: partial(YamMasterBeginner, level) for level in TEMPERATURES},
    "expert": lambda _: YamMasterExpert(),
    "master": lambda _: YamMasterMaster(),
}
"""Level → the function that makes its player from a seed."""


# --- Search ---


class OutOfTimeError(Exception):
    """The time ran out before a closure was solved. This module catches the error."""


def search(game: YamMaster, state: int, evaluate: "Evaluate", work: float, seconds: float = inf) -> "Reals":
    """Return the values of all moves, shape (moves,), of the turn that begins in `state`.

    The values are exact if a closure fits the limits, otherwise those of a search. `work` is a
    number of exact turns.
    """
    from dicecup.engine.yam_master.evaluation.search import deepen
    from dicecup.engine.yam_master.rules.arrays import rules_of

    end = perf_counter() + seconds

    def out_of_time() -> bool:
        return perf_counter() >= end

    exact = exact_values(game, state, int(min(work, SPEED * seconds)) // STATE, out_of_time)
    if exact is not None:
        return exact
    return deepen(rules_of(game), evaluate, state, turns=work, out_of_time=out_of_time).values


def exact_values(game: YamMaster, state: int, limit: int, out_of_time: Callable[[], bool]) -> "Reals | None":
    """Return the values of all moves from the largest closure with at most `limit` states.

    Return `None` where no closure is that small, or where the time runs out first.
    """
    from dicecup.engine.errors import EngineCode, EngineError
    from dicecup.engine.yam_master.exact.decision import turn_at
    from dicecup.engine.yam_master.exact.solve import solve_position
    from dicecup.engine.yam_master.rules.state import unpack

    def watch(_: int, __: int) -> None:
        if out_of_time():
            raise OutOfTimeError

    position = unpack(state, game)
    try:
        return turn_at(solve_position(position, progress=watch, limit=limit).space, position)[0]
    except OutOfTimeError:
        return None
    except EngineError as error:
        if error.code is EngineCode.TOO_MANY_STATES:
            return None
        raise


# --- Batches ---


def contestant(level: str, game: YamMaster, depth: int = 1) -> "Contestant":
    """Return one of `BATCH_LEVELS` as a contestant of `match.play_games` (engine).

    The levels with tables look `depth` turns ahead. Raises `TablesError`.
    """
    from dicecup.engine.yam_master.evaluation.match import Contestant, by_greed
    from dicecup.engine.yam_master.evaluation.search import by_search

    if level in ("random", "greedy"):
        return Contestant(by_greed, inf if level == "random" else 0.0)
    return Contestant(by_search(evaluation(game), depth), TEMPERATURES.get(level, 0.0))
