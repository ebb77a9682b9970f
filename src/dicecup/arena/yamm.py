"""The arena of Yamm: single sheets in compiled kernels, and the luck of the dice by the trained
table."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any, Final

from dicecup.arena.block import Columns, GameFigures, Series, column_of
from dicecup.arena.game_arena import Evaluate, GameArena, Simulator, wrong_players
from dicecup.arena.statistics import mean
from dicecup.core.turn import KeptDice
from dicecup.yamm import SHEET, Options, Position, Yamm

WITHOUT_TABLES: Final = {"random", "greedy"}
"""The levels that use no tables."""


class YammArena(GameArena):
    """The arena of Yamm."""

    def simulator(self, game: Yamm, setup: Series) -> Simulator | None:
        """Return the kernels' simulation of one sheet after the other, for the levels that it
        knows.

        Raises `TablesError`."""
        from dicecup.players import yamm

        level, *others = setup.players
        if others or game.options.kept_dice is KeptDice.LOCKED:
            return None
        if level == "random":
            return lambda first, count: _columns(_random_sheets(setup.kernel_seed, first, count))
        if level not in yamm.BATCH_LEVELS:
            return None
        yamm.table()
        return lambda first, count: _columns(yamm.simulate(level, setup.kernel_seed, first, count))

    def evaluator(self, game: Yamm, levels: Sequence[str]) -> Evaluate | None:
        """Return the evaluation by the table for a game of one player, if a level uses the table.

        Against opponents the points of a sheet are not the result. Raises `TablesError`."""
        if game.players > 1 or set(levels) <= WITHOUT_TABLES:
            return None
        from dicecup.engine.yamm.evaluation.decisions import evaluate
        from dicecup.players.yamm import table

        trained = table()
        return lambda position: evaluate(trained, position).turn  # type: ignore[arg-type]

    def simulated_game(self, game: Yamm) -> Yamm:  # type: ignore[override]
        """Return the game of one player with the same options.

        Raises `ArenaError` (`wrong-number-of-players`) for a game of more players than the
        default."""
        if game.players > Options().players:
            raise wrong_players(game, 1)
        return Yamm(replace(game.options, players=1))

    def solo_figures(self, position: Position) -> GameFigures:
        """Return the number of first-throw Yamms, the totals of the columns, and their bonuses."""
        (sheet,) = position.written
        columns = sheet.spec.columns
        return (
            {"first_throw_yamms": sheet.first_throw_yamms}
            | {column: sheet.column_total(column) or 0 for column in columns}
            | {f"{column} bonus": sheet.bonus(column) or 0 for column in columns}
        )

    def solo_summary(self, columns: Columns) -> dict[str, Any]:
        """Return the means of the columns, of their bonuses and of the first-throw Yamms."""
        return {
            "columns": {column: mean(columns[column]) for column in SHEET.columns},
            "bonuses": {column: mean(columns[f"{column} bonus"]) for column in SHEET.columns},
            "first_throw_yamms": mean(columns["first_throw_yamms"]),
        }


def _random_sheets(seed: int, first: int, count: int) -> dict[str, Any]:
    """Return the figures of sheets that `random` plays, without luck.

    They are named as in `engine.yamm.evaluation.simulate.simulate`."""
    from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
    from dicecup.engine.yamm.evaluation.endgame import endgame
    from dicecup.engine.yamm.evaluation.simulate import simulate
    from dicecup.engine.yamm.evaluation.value import Evaluation, Weights, fresh

    zero = Weights(*(part * 0 for part in fresh(0)))
    nothing = Evaluation(zero, zero, endgame())
    figures = simulate(nothing, seed, first, count, ONE_TURN.margins, inf)
    return {name: values for name, values in figures.items() if name != "luck"}


def _columns(figures: dict[str, Any]) -> Columns:
    """Return NumPy arrays as columns. All figures but the luck are whole numbers."""
    return {
        name: column_of(values) if name == "luck" else array("q", map(int, values.tolist())) for name, values in figures.items()
    }
