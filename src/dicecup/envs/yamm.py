"""Yamm for agents: its action index and its observation.

The index holds the keeps and the cells, and where several sheets play also a correction to each
cell and the action that lets a result stand.

The observation of a sheet holds what its future depends on, as the nodes of the engine do
(`dicecup.engine.yamm.evaluation.pack`), and the points so far. It is defined for any sheet; the
nodes are those of the printed one. `tests/envs` compares both.
"""

from functools import cached_property, lru_cache
from typing import Any, Final, cast

from dicecup.core.dice import DICE, FACES
from dicecup.core.errors import ActionError
from dicecup.core.game import Action
from dicecup.envs.encoding import (
    COUNT_FIELDS,
    KEEP_COUNT,
    STAND,
    TURN_FIELDS,
    Encoding,
    Field,
    keep_texts,
    number_bytes,
    turn_bytes,
)
from dicecup.envs.errors import EnvsCode
from dicecup.envs.process import Kind, Situation, corrections
from dicecup.yamm import Correct, KeepDice, Position, Row, Sheet, Write, Yamm
from dicecup.yamm.actions import KEEP_ACTIONS
from dicecup.yamm.rows import UPPER
from dicecup.yamm.score import BONUSES, MOST_IN_TOTAL, MOST_UPPER

MARK: Final = "> "
"""The beginning of the text of a correction, which is followed by the cell."""


class YammEncoding(Encoding):
    """The encoding of Yamm with any number of sheets."""

    game: Yamm

    def __init__(self, game: Yamm) -> None:
        self.cells = game.sheet.cells
        self.corrects = game.sides > 1
        texts = [*keep_texts(), *self.cells]
        if self.corrects:
            texts += [*(f"{MARK}{cell}" for cell in self.cells), STAND]
        super().__init__(game, texts, _fields(game))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {cell: place for place, cell in enumerate(self.cells)}

    def legal(self, situation: Situation) -> list[int]:
        """Return the indexes of all allowed actions, ascending; empty where nobody decides."""
        position = cast(Position, situation.position)
        turn = position.turn
        if situation.asks:
            return [*map(self.index, corrections(position)), self.actions - 1]
        if turn is None or turn.waiting:
            return []
        sheet = position.sheets[cast(int, position.sheet)]
        return [kept.index for kept in turn.keeps] + [KEEP_COUNT + self._places[cell] for cell in sheet.open_cells]

    def action(self, situation: Situation, index: int) -> Action | None:
        """Return the action of an index, allowed or not; `None` lets a result stand.

        Raises `ActionError` (`no-correction-due`) for a correction where none is due.
        """
        if index < KEEP_COUNT:
            return KEEP_ACTIONS[index]
        place = index - KEEP_COUNT
        if place < len(self.cells):
            return Write(self.cells[place])
        position = cast(Position, situation.position)
        if situation.kind is not Kind.CORRECTION:
            raise ActionError(EnvsCode.NO_CORRECTION_DUE, position=position, action=self.texts[index])
        if index == self.actions - 1:
            return None
        return Correct(cast(int, position.finalized_turn), self.cells[place - len(self.cells)])

    def index(self, action: Any) -> int:
        """Return the index of an action. The turn that a correction names is not part of it."""
        if action is None:
            return self.actions - 1
        if isinstance(action, KeepDice):
            return action.kept.index
        return KEEP_COUNT + self._places[action.cell] + len(self.cells) * isinstance(action, Correct)

    def observe(self, situation: Situation, player: int) -> bytes:
        """Return the observation of a player: the player's own sheet first, the others in the order
        of play.
        """
        position = cast(Position, situation.position)
        if not self.corrects:
            (sheet,) = position.written
            return b"".join((_sheet_bytes(sheet), _total_bytes(sheet), self._turn(position)))
        sides = self.game.sides
        own = self.game.side_of_player(player)
        order = [(own + at) % sides for at in range(sides)]
        written = position.written
        parts = []
        for side in order:
            parts += [_sheet_bytes(position.sheets[side]), self._wet(position, side), _total_bytes(written[side])]
        flags = bytes([*(side == position.sheet for side in order), position.player == player, situation.asks])
        return b"".join((*parts, flags, self._turn(position)))

    def _turn(self, position: Position) -> bytes:
        return turn_bytes(position.turn) + number_bytes(position.number - 1)

    def _wet(self, position: Position, side: int) -> bytes:
        """Return the cell and the dice of the result of a sheet that a correction may still
        move."""
        result = position.wet[side]
        if result is None:
            return bytes(len(self.cells) + len(FACES))
        cell = bytearray(len(self.cells))
        cell[self._places[result.cell]] = 1
        return bytes(cell) + bytes(result.roll.counts)

    def render(self, situation: Situation) -> str:
        """Return each sheet, with results that may still move, and the text of the position."""
        position = cast(Position, situation.position)
        return "\n".join((*map(_rendered, position.written), str(position)))


def _fields(game: Yamm) -> list[Field]:
    """Return the fields of an observation."""
    cells, columns = len(game.sheet.cells), len(game.sheet.columns)
    fields = []
    for at in range(game.sides):
        name = "own" if not at else f"next{at}"
        fields += [
            Field(f"{name}_empty", cells, 1, "cells that are not written, d1.1 d1.2 … f3.Y"),
            Field(
                f"{name}_upper",
                columns,
                MOST_UPPER,
                "for each column the sum of rows 1 to 6, while one of them is empty and a bonus can still be reached, else 0",
            ),
            Field(f"{name}_held", columns, 5 * len(FACES), "for each column the result in H or T while the other one is empty"),
        ]
        if game.sides > 1:
            fields += [
                Field(f"{name}_last_cell", cells, 1, "the cell of the last result, while a correction may still move it"),
                Field(f"{name}_last_dice", len(FACES), DICE, "number of dice of that result that show 1, 2, … 6"),
            ]
        fields += [
            Field(f"{name}_total_hundreds", 1, MOST_IN_TOTAL // 100, "points so far, divided by 100; the last result counts"),
            Field(f"{name}_total_rest", 1, 99, "points so far, remainder"),
        ]
    if game.sides > 1:
        fields += [
            Field("turn_of", game.sides, 1, "the sheet on turn, own first"),
            Field("own_turn", 1, 1, "whether the observer throws in this turn"),
            Field("correction", 1, 1, "whether a correction of the last result of the sheet on turn is asked for"),
        ]
    return [*fields, *TURN_FIELDS, *COUNT_FIELDS]


@lru_cache(maxsize=1024)
def _sheet_bytes(sheet: Sheet) -> bytes:
    """Return the empty cells, the sums and the held results of a sheet."""
    spec = sheet.spec
    empty = bytes(points is None for column in sheet.columns for points in column)
    upper, held = bytearray(), bytearray()
    for column in sheet.columns:
        cells = dict(zip(spec.rows, column, strict=True))
        upper.append(_sum_that_counts(cells))
        high, low = cells.get(Row.HIGH, 0), cells.get(Row.LOW, 0)
        held.append(0 if (high is None) == (low is None) else high or low or 0)
    return empty + bytes(upper) + bytes(held)


@lru_cache(maxsize=1024)
def _total_bytes(sheet: Sheet) -> bytes:
    """Return the points of a sheet so far."""
    return number_bytes(sheet.total)


def _sum_that_counts(cells: dict[Row, int | None]) -> int:
    """Return the sum of rows 1 to 6 of a column if a bonus can still come of it, else 0."""
    faces = [face for row, face in zip(UPPER, FACES, strict=True) if row in cells and cells[row] is None]
    upper = sum(cells.get(row) or 0 for row in UPPER)
    return upper if faces and upper + DICE * sum(faces) >= BONUSES[0][0] else 0


def _rendered(sheet: Sheet) -> str:
    """Return a sheet as lines: rows from the top, columns from the left, `x` for a struck cell."""
    head = "    " + "".join(f"{column:>4}" for column in sheet.spec.columns)
    lines = [
        f"{row:>4}" + "".join(f"{'.' if points is None else points or 'x':>4}" for points in cells)
        for row, cells in zip(sheet.spec.rows, zip(*sheet.columns, strict=True), strict=True)
    ]
    return "\n".join((head, *lines, f"= {sheet.total}"))
