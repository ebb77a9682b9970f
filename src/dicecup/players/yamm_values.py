"""What every action of a position of Yamm is worth, by the table that was trained for it.

Worth is in points to come where one sheet is alone, and otherwise the chance to win (a decided game is still played for points:
`dicecup.engine.yamm.evaluation.win_kernel.POINT`). What an action loses is the best worth less its own.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dicecup.core.dice import Roll
from dicecup.core.turn import Turn
from dicecup.yamm import Action, KeepDice, Position, Write

if TYPE_CHECKING:
    from dicecup.engine.yamm.evaluation.decisions import Judgement
    from dicecup.engine.yamm.evaluation.table import Table

TABLE: Final = Path(__file__).parent / "tables" / "yamm.tables"


def table() -> "Table":
    """The shipped table. Raises `TablesError`."""
    from dicecup.engine.yamm.evaluation.table import load_table

    return load_table(TABLE)


def action_values(judged: "Judgement", position: Position) -> dict[Action, float]:
    """The worth of each of `position.actions`, in their order."""
    turn = cast(Turn, position.turn)
    choices = judged.turn.choices(turn.throws, Roll(turn.dice), locked=turn.locked)
    values: dict[Action, float] = {KeepDice(choice.keep): float(choice.value) for choice in choices if choice.keep is not None}
    return values | {Write(cell): worth for cell, worth in judged.cells.items()}


def losses(values: Mapping[Action, float]) -> dict[Action, float]:
    """What each action loses."""
    best = max(values.values())
    return {action: best - value for action, value in values.items()}


def best_action(values: Mapping[Action, float]) -> Action:
    """The best action; the first of those that are equally good."""
    return max(values, key=lambda action: values[action])
