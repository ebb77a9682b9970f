"""Solving score sheets exactly, and asking the solution.

>>> from dicecup.core.dice import roll
>>> from dicecup.engine.sheets import solver
>>> from dicecup.engine.sheets.columns import yamm_sheet
>>> solved = solver.solve(yamm_sheet("d1"))
>>> round(solved.value, 9), solved.states
(123.540138538, 143)
>>> place = solved.after([("d1.1", 3), ("d1.2", 8)])
>>> solved.turn(place).best(1, roll("11336")).keep
dice('33')
>>> solved.cell(place, roll("33336"))
'd1.3'
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, Roll
from dicecup.engine import cache
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.progress import Progress, unwatched
from dicecup.engine.sheets.plan import Plan, plan_of, shapes_of
from dicecup.engine.sheets.section import FIVE_EQUAL
from dicecup.engine.sheets.sheet import Sheet
from dicecup.engine.sheets.solver_kernel import choices, play, solve_shapes, stop_values, workspace
from dicecup.engine.turn import batch
from dicecup.engine.turn.faces import MOST_THROWN, Faces
from dicecup.engine.turn.value import TurnValues

LIMIT: Final = 2**25
"""The length of a table that is solved without a higher limit: 256 MB."""
CHUNK: Final = 20_000
"""The states between two reports of progress, about 10 ms. Ctrl-C works between them."""
GAMES: Final = 1_000
"""The games between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Place:
    """A point between two turns: the node of every section, and the points gained so far."""

    nodes: tuple[int, ...]
    points: int = 0


@dataclass(frozen=True, slots=True)
class SolvedSheet:
    """A sheet and the value of all its states: the points that are still expected."""

    sheet: Sheet
    values: NDArray[np.float64]
    plan: Plan = field(repr=False)

    @property
    def start(self) -> Place:
        """The empty sheet."""
        return Place(tuple(section.start for section in self.sheet.sections))

    @property
    def value(self) -> float:
        """The expected total of an optimal game."""
        return self.expected(self.start)

    @property
    def states(self) -> int:
        """The number of states, equivalent ones merged."""
        return self.sheet.states

    def expected(self, place: Place) -> float:
        """Return the expected total, with the points that the place has."""
        return place.points + float(self.values[int(np.dot(place.nodes, self.plan.stride))])

    def after(self, written: Iterable[tuple[str, int]]) -> Place:
        """Return the place after writing these points into these cells, in this order.

        Bonuses for five equal dice are not counted. Raises `EngineError` (`not-a-decision`) for a
        cell that is not open then, or points that no dice give there.
        """
        sections = self.sheet.sections
        states = [section.start_state for section in sections]
        places = {table.name: (number, table) for number, section in enumerate(sections) for table in section.cells}
        total = 0
        for cell, points in written:
            number, table = places.get(cell, (-1, None))
            if (
                table is None
                or points not in table.points
                or cell not in sections[number].open_cells(sections[number].nodes[states[number]])
            ):
                raise EngineError(EngineCode.NOT_A_DECISION, cell=cell, points=points)
            states[number], gained = sections[number].write(states[number], cell, points)
            total += gained
        nodes = tuple(section.nodes[state] for section, state in zip(sections, states, strict=True))
        return Place(nodes, total)

    def turn(self, place: Place) -> TurnValues:
        """Return the next turn, solved. The values are expected totals, as in `expected`.

        Raises `EngineError` (`not-a-decision`) where the sheet is full.
        """
        stops = self._stops(place)[0]
        return batch.turn_values(stops)

    def cell(self, place: Place, roll: Roll) -> str:
        """Return the best cell to write when the turn ends with this roll. Raises as `turn`."""
        best = self._stops(place)[1]
        names = [table.name for section in self.sheet.sections for table in section.cells]
        return names[int(best[roll.index - FIRST_ROLL])]

    def _stops(self, place: Place) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the values of ending the next turn, (3, 252), and the best cell for each roll.

        Raises `EngineError` (`not-a-decision`) where the sheet is full.
        """
        node = np.array(place.nodes, dtype=np.int64)
        if not any(section.open_cells(node) for section, node in zip(self.sheet.sections, place.nodes, strict=True)):
            raise EngineError(EngineCode.NOT_A_DECISION, cell="", points=place.points)
        stops, best, points = np.empty((3, 252)), np.empty(252, np.int64), np.empty(252, np.int64)
        arrays = choices(self.plan, np.float64)._replace(node=node)
        first_throw = stop_values(self.plan, self.values, arrays, stops[2], best, points)
        stops[2] += place.points
        stops[:2] = stops[2]
        stops[0, list(FIVE_EQUAL)] += first_throw
        return stops, best

    def play(self, games: int, seed: int, progress: Progress = unwatched) -> NDArray[np.float64]:
        """Return the totals of games played by the solution, with dice that follow from
        the seed.
        """
        faces = Faces(seed)
        totals, arrays = np.empty(games), choices(self.plan, np.float64)
        start = np.array(self.start.nodes, dtype=np.int64)
        for first in range(0, games, GAMES):
            some = totals[first : first + GAMES]
            dice = faces.ready(MOST_THROWN * len(self.plan.section) * len(some))
            play(self.plan, self.values, start, *dice, some, arrays)
            progress(first + len(some), games)
        return totals


def solve(sheet: Sheet, *, limit: int = LIMIT, progress: Progress = unwatched) -> SolvedSheet:
    """Solve a sheet.

    Raises `EngineError` (`too-many-states`) before the calculation where the table would hold more
    than `limit` numbers.
    """
    check_size(sheet, limit)
    plan = plan_of(sheet)
    return SolvedSheet(sheet, _values(sheet, plan, progress), plan)


def solve_once(sheet: Sheet, *, limit: int = LIMIT, progress: Progress = unwatched) -> SolvedSheet:
    """Solve a sheet as `solve` does, or read its table from the cache (`dicecup.engine.cache`)."""
    check_size(sheet, limit)
    plan = plan_of(sheet)
    name = f"{sheet.name.replace(' ', '-')}-{cache.key(plan)}"
    return SolvedSheet(sheet, cache.table(name, lambda: _values(sheet, plan, progress)), plan)


def check_size(sheet: Sheet, limit: int = LIMIT) -> None:
    """Raise `EngineError` (`too-many-states`) where the table would hold more than
    `limit` numbers.
    """
    if sheet.table_size > limit:
        raise EngineError(EngineCode.TOO_MANY_STATES, states=sheet.states, limit=limit)


def _values(sheet: Sheet, plan: Plan, progress: Progress) -> NDArray[np.float64]:
    """Return the value of every state, solved from the fullest sheets on."""
    values, arrays = np.zeros(sheet.table_size), workspace(plan, np.float64)
    shapes, states = shapes_of(sheet)
    done = np.cumsum(states)
    for part in np.split(np.arange(len(shapes)), np.flatnonzero(np.diff(done // CHUNK)) + 1):
        solve_shapes(plan, values, shapes[part], arrays)
        progress(int(done[part[-1]]), int(done[-1]))
    return values
