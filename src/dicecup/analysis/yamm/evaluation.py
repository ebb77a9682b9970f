"""Evaluations of Yamm: the expected total of the sheet on turn, or its probability to win."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, cast

from dicecup.analysis.evaluation import Evaluation, Unit, turn_to_decide
from dicecup.core.game import Action as AnyAction
from dicecup.core.turn import BEGIN, KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yamm.evaluation.decisions import evaluate, sheet_on_turn
from dicecup.engine.yamm.evaluation.deepening import evaluate_deeper
from dicecup.players.yamm import YammExpert, YammMaster, table
from dicecup.yamm import SHEET, Action, KeepDice, Options, Position, Sheet, Write, Yamm
from dicecup.yamm.rows import YAMMS, Row
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import Order

if TYPE_CHECKING:
    from dicecup.engine.sheets.solver import Place, SolvedSheet

TURNS_KEPT: Final = 64
"""Turns in the cache. A review asks for the same turn at every throw and decision."""
STRUCK: Final = 10
"""An equal result for H and T. `SolvedSheet.after` strikes both rows for it."""


class TableEvaluation(Evaluation):
    """The evaluation of a player that uses the trained table.

    `values`: the function that returns the value of each action of a decision. `turn`: the function
    that returns the values of a turn from its first throw on.
    """

    def __init__(
        self,
        values: Callable[[Position], Mapping[Action, float]],
        turn: Callable[[Position], TurnValues],
        *,
        unit: Unit,
    ) -> None:
        self.unit = unit
        self._values = values
        self._turn = lru_cache(TURNS_KEPT)(turn)

    def values(self, position: Position) -> dict[AnyAction, float]:
        """Return the value of each of `position.actions`, in their order."""
        turn_to_decide(position)
        asked, written = self._asked(position)
        return {action: written + value for action, value in self._values(asked).items()}

    def turn(self, position: Position) -> TurnValues:
        """Return the values of the whole turn."""
        asked, written = self._asked(position)
        begun = Position(asked.game, asked.written, (None,) * len(asked.sheets), BEGIN, asked.number)
        return _raised(self._turn(begun), written)

    def _asked(self, position: Position) -> tuple[Position, float]:
        """Return the position that the player evaluates, and the points that are added to its
        values."""
        if self.unit is Unit.CHANCE:
            return position, 0.0
        asked = alone(position)
        return asked, float(asked.sheets[0].total)


class SolvedSheetEvaluation(Evaluation):
    """The evaluation of perfect play on a solved sheet, played alone with `kept_dice=free`."""

    unit = Unit.POINTS
    exact = True

    def __init__(self, solved: "SolvedSheet") -> None:
        self._solved = solved

    def values(self, position: Position) -> dict[AnyAction, float]:
        """Return the value of each of `position.actions`, in their order."""
        turn, shown = turn_to_decide(position)
        sheet = self._sheet(position)
        solved = self.turn(position)
        found: dict[AnyAction, float] = {KeepDice(kept): float(solved.keep_value(turn.throws, kept)) for kept in turn.keeps}
        yamm = FIRST_THROW_YAMM * (turn.throws == 1 and shown in YAMMS)
        for cell in sheet.open_cells:
            found[Write(cell)] = self._expected(sheet.write(cell, shown)) + yamm
        return found

    def turn(self, position: Position) -> TurnValues:
        """Return the values of the whole turn."""
        sheet = self._sheet(position)
        return _raised(self._solved.turn(self._place(sheet)), FIRST_THROW_YAMM * sheet.first_throw_yamms)

    def _sheet(self, position: Position) -> Sheet:
        """Return the sheet on turn. Raises `EngineError` (`not-solvable`) for a game on another
        sheet."""
        game = position.game
        cells = {table.name for section in self._solved.sheet.sections for table in section.cells}
        if game.name != "yamm" or game.options.kept_dice is not KeptDice.FREE or cells != set(game.sheet.cells):
            raise EngineError(EngineCode.NOT_SOLVABLE, name=position)
        return sheet_on_turn(position)

    def _expected(self, sheet: Sheet) -> float:
        return self._solved.expected(self._place(sheet)) + FIRST_THROW_YAMM * sheet.first_throw_yamms

    def _place(self, sheet: Sheet) -> "Place":
        return self._solved.after(_written(sheet))


def alone(position: Position) -> Position:
    """Return the position of the sheet on turn, as if one player played alone."""
    sheet = sheet_on_turn(position)
    options = Options(players=1, kept_dice=position.game.options.kept_dice)
    return Position(Yamm(options, position.game.sheet), (sheet,), (None,), position.turn, sheet.written + 1)


def by_tables(game: Yamm, player: str, *, alone: bool, work: int | None, seconds: float | None) -> Evaluation:
    """Return the evaluation of `expert` or `master`. Raises `TablesError`, also for a sheet without
    a table."""
    if game.sheet != SHEET:
        raise TablesError(TablesCode.TABLES_MISSING, file=game.id)
    shipped = table()
    unit = Unit.POINTS if alone or game.options.sheets == 1 else Unit.CHANCE
    if player == "expert":
        return TableEvaluation(YammExpert().values, lambda position: evaluate(shipped, position).turn, unit=unit)
    return TableEvaluation(
        YammMaster(work, seconds).values,
        lambda position: evaluate_deeper(shipped, position, work, seconds, perf_counter).turn,
        unit=unit,
    )


def _written(sheet: Sheet) -> Iterator[tuple[str, int]]:
    """Yield each written cell and its points, in an order in which they can have been written."""
    spec = sheet.spec
    for column, order, held in zip(spec.columns, spec.orders, sheet.columns, strict=True):
        cells = [(row, points) for row, points in zip(spec.rows, held, strict=True) if points is not None]
        for row, points in reversed(cells) if order is Order.UP else cells:
            yield f"{column}.{row}", points or STRUCK * (row in (Row.HIGH, Row.LOW))


def _raised(turn: TurnValues, points: float) -> TurnValues:
    """Return a turn whose values are higher by `points`."""
    ends, keeps = cast(Any, turn.stops), cast(Any, turn.keeps)
    return TurnValues(turn.value + points, ends + points, keeps + points)
