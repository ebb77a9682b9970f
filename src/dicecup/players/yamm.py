"""The players of Yamm that use the trained table.

The value of an action is the points to come where one sheet is played alone, and otherwise the
probability to win. To that a small part of the points is added, so that a decided game is still
played for points (`dicecup.engine.yamm.evaluation.win_kernel.POINT`). The loss of an action is the
highest value in the position less its own.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, cast

from dicecup.core.dice import Roll
from dicecup.core.turn import KeptDice, Turn
from dicecup.players.player import choose_by_loss, random_for
from dicecup.yamm import Action, Correct, KeepDice, Position, Write, Yamm

if TYPE_CHECKING:
    from dicecup.engine.yamm.evaluation.decisions import TurnEvaluation
    from dicecup.engine.yamm.evaluation.table import Table

TABLE: Final = Path(__file__).parent / "tables" / "yamm.tables"
TEMPERATURES: Final = {"novice": 2.9, "casual": 2.1, "club": 1.3}
"""Level → temperature of `choose_by_loss`, in points."""
BATCH_LEVELS: Final = (*TEMPERATURES, "expert", "master")
"""The levels that `simulate` plays."""


# --- Table ---


def table() -> "Table":
    """Return the shipped table. Raises `TablesError`."""
    from dicecup.engine.yamm.evaluation.table import load_table

    return load_table(TABLE)


def table_file(game: Yamm) -> Path | None:  # noqa: ARG001 (there is one table)
    """Return the file with the table of a game."""
    return TABLE


def untrained_options(game: Yamm) -> tuple[str, ...]:
    """Return `("kept_dice",)` for games with `kept_dice=locked`, otherwise `()`.

    The table was trained with `kept_dice=free`.
    """
    return () if game.options.kept_dice is KeptDice.FREE else ("kept_dice",)


def action_values(evaluation: "TurnEvaluation", position: Position) -> dict[Action, float]:
    """Return the value of each of `position.actions`, in their order."""
    turn = cast(Turn, position.turn)
    choices = evaluation.turn.choices(turn.throws, Roll(turn.dice), locked=turn.locked)
    values: dict[Action, float] = {KeepDice(choice.keep): float(choice.value) for choice in choices if choice.keep is not None}
    return values | {Write(cell): value for cell, value in evaluation.cells.items()}


# --- Players ---


class YammExpert:
    """A player that solves the turn exactly, with the trained value of the sheet after it.

    It makes the same choice in the same position. Alone it plays for points, with opponents for
    the win.
    """

    def values(self, position: Position) -> dict[Action, float]:
        """Return the value of each of `position.actions`. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.decisions import evaluate

        return action_values(evaluate(table(), position), position)

    def choose(self, position: Position) -> Action:
        """Return the best of `position.actions`; of equal ones the first. Raises `TablesError`."""
        return self.evaluate(position)[0]

    def evaluate(self, position: Position) -> tuple[Action, float]:
        """Return the choice and its value. Raises `TablesError`."""
        values = self.values(position)
        best = best_action(values)
        return best, values[best]

    def correct(self, position: Position, sheet: int) -> Correct | None:
        """Return the correction that moves the last result of this sheet to a better cell.

        Return `None` where the result may not be moved or its cell is the best. Raises
        `TablesError`.
        """
        from dicecup.engine.yamm.evaluation.decisions import correction

        return correction(table(), position, sheet)


class YammBeginner:
    """A level below the expert: it draws from all actions by `choose_by_loss`.

    It always plays for points.
    """

    def __init__(self, level: str, seed: str = "") -> None:
        self.temperature = TEMPERATURES[level]
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.decisions import evaluate

        values = action_values(evaluate(table(), position, alone=True), position)
        return choose_by_loss(values, self.temperature, random_for(self.seed, position))


class YammMaster(YammExpert):
    """A player that searches two exact turns ahead, or deeper and deeper within a limit.

    `work` limits the exact turns of a decision; with it alone the choice in a position is always
    the same. `seconds` limits the time of a decision. One exact turn is always solved.
    """

    def __init__(self, work: int | None = None, seconds: float | None = None) -> None:
        self.work = work
        self.seconds = seconds

    def values(self, position: Position) -> dict[Action, float]:
        """Return the value of each of `position.actions`. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.deepening import evaluate_deeper

        return action_values(evaluate_deeper(table(), position, self.work, self.seconds, perf_counter), position)


PLAYERS: Final[Mapping[str, Callable[[str], YammExpert | YammBeginner]]] = {
    **{level: partial(YammBeginner, level) for level in TEMPERATURES},
    "expert": lambda _: YammExpert(),
    "master": lambda _: YammMaster(),
}
"""Level → the function that makes its player from a seed."""


def best_action(values: Mapping[Action, float]) -> Action:
    """Return the action with the highest value; of equal ones the first."""
    return max(values, key=values.__getitem__)


# --- Batches ---


def simulate(level: str, seed: int, first: int, games: int) -> dict[str, Any]:
    """Play sheets alone and return their figures as NumPy arrays by name.

    The games are those with the numbers `first` to `first + games - 1`, played with
    `kept_dice=free` by one of `BATCH_LEVELS`. `engine.yamm.evaluation.simulate.simulate` describes
    the arrays. The dice of a game follow from `seed` (64 bits) and its number, so that all levels
    get the same dice. Raises `TablesError`.
    """
    from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
    from dicecup.engine.yamm.evaluation.deepening import MASTER
    from dicecup.engine.yamm.evaluation.simulate import simulate

    margins = (MASTER if level == "master" else ONE_TURN).margins
    return simulate(table().evaluation, seed, first, games, margins, TEMPERATURES.get(level, 0.0))
