"""Evaluations of Yamm: the chance to win, or the total that the sheet on turn will end with."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from time import perf_counter
from typing import Any, Final, cast

from dicecup.analysis.evaluation import Evaluation, Unit, to_decide
from dicecup.core.game import Action as AnyAction
from dicecup.core.game import Position as AnyPosition
from dicecup.core.turn import BEGIN, KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.sheets.solver import Place, SolvedSheet
from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yamm.evaluation.decisions import evaluate, sheet_on_turn
from dicecup.engine.yamm.evaluation.deepening import evaluate_deeper
from dicecup.players.yamm import YammExpert, YammMaster, table
from dicecup.yamm import SHEET, Action, KeepDice, Options, Position, Sheet, Write, Yamm
from dicecup.yamm.rows import YAMMS, Row
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import Order

TURNS_KEPT: Final = 64
"""Turns that are remembered: a review comes back to each for every throw and decision."""
STRUCK: Final = 10
"""Points that strike H and T, written into both."""


class ByTable(Evaluation):
    """What a player says of decisions, and the turn as it looks at it."""

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

    def values(self, position: AnyPosition) -> Mapping[AnyAction, float]:
        to_decide(position)
        asked, written = self._asked(cast(Position, position))
        return {action: written + value for action, value in self._values(asked).items()}

    def turn(self, position: AnyPosition) -> TurnValues:
        asked, written = self._asked(cast(Position, position))
        begun = Position(asked.game, asked.written, (None,) * len(asked.sheets), BEGIN, asked.number)
        return _raised(self._turn(begun), written)

    def _asked(self, position: Position) -> tuple[Position, float]:
        """The position that the player is asked about, and what is written already."""
        if self.unit is Unit.CHANCE:
            return position, 0.0
        sheet = sheet_on_turn(position)
        options = Options(players=1, kept_dice=position.game.options.kept_dice)
        alone = Position(Yamm(options, position.game.sheet), (sheet,), (None,), position.turn, sheet.written + 1)
        return alone, float(sheet.total)


class OfSolvedSheet(Evaluation):
    """What perfect play thinks of a sheet that is played alone, with `kept_dice=free`."""

    unit = Unit.POINTS
    exact = True

    def __init__(self, solved: SolvedSheet) -> None:
        self._solved = solved

    def values(self, position: AnyPosition) -> Mapping[AnyAction, float]:
        turn, shown = to_decide(position)
        position = self._known(position)
        sheet = sheet_on_turn(position)
        solved = self.turn(position)
        found: dict[AnyAction, float] = {KeepDice(kept): float(solved.keep_value(turn.throws, kept)) for kept in turn.keeps}
        yamm = FIRST_THROW_YAMM * (turn.throws == 1 and shown in YAMMS)
        for cell in sheet.open_cells:
            found[Write(cell)] = self._expected(sheet.write(cell, shown)) + yamm
        return found

    def turn(self, position: AnyPosition) -> TurnValues:
        sheet = sheet_on_turn(self._known(position))
        return _raised(self._solved.turn(self._place(sheet)), FIRST_THROW_YAMM * sheet.first_throw_yamms)

    def _known(self, position: AnyPosition) -> Position:
        """Raises `EngineError` (`not-solvable`) for a game that is not this sheet's."""
        if isinstance(position, Position) and position.game.options.kept_dice is KeptDice.FREE:
            cells = {table.name for section in self._solved.sheet.sections for table in section.cells}
            if cells == set(position.game.sheet.cells):
                return position
        raise EngineError(EngineCode.NOT_SOLVABLE, name=position)

    def _expected(self, sheet: Sheet) -> float:
        return self._solved.expected(self._place(sheet)) + FIRST_THROW_YAMM * sheet.first_throw_yamms

    def _place(self, sheet: Sheet) -> Place:
        return self._solved.after(_written(sheet))


def by_table(game: Yamm, player: str, *, alone: bool, work: int | None, seconds: float | None) -> Evaluation:
    """What this player thinks. Raises `TablesError`, also for a sheet without a table."""
    if game.sheet != SHEET:
        raise TablesError(TablesCode.TABLES_MISSING, file=game.id)
    shipped = table()
    unit = Unit.POINTS if alone or game.options.sheets == 1 else Unit.CHANCE
    if player == "expert":
        return ByTable(YammExpert().values, lambda position: evaluate(shipped, position).turn, unit=unit)
    return ByTable(
        YammMaster(work, seconds).values,
        lambda position: evaluate_deeper(shipped, position, work, seconds, perf_counter).turn,
        unit=unit,
    )


def _written(sheet: Sheet) -> Iterator[tuple[str, int]]:
    """The cells that are written with their points, in an order in which they may have been."""
    spec = sheet.spec
    for column, order, held in zip(spec.columns, spec.orders, sheet.columns, strict=True):
        cells = [(row, points) for row, points in zip(spec.rows, held, strict=True) if points is not None]
        for row, points in reversed(cells) if order is Order.UP else cells:
            yield f"{column}.{row}", points or STRUCK * (row in (Row.HIGH, Row.LOW))


def _raised(turn: TurnValues, points: float) -> TurnValues:
    """The same turn with so many points more."""
    ends, keeps = cast(Any, turn.stops), cast(Any, turn.keeps)
    return TurnValues(turn.value + points, ends + points, keeps + points)
