"""Score sheets as data: those whose optimum is published (FIGURES §2), and the columns of Yamm.

A sheet is its sections and what ties them together: five equal dice that end a turn with its first throw (Yamm), and jokers
(Yahtzee). All sheets are played alone, one cell a turn, as many turns as cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dicecup.core.dice import Roll
from dicecup.engine.sheets.section import Section


@dataclass(frozen=True, slots=True)
class Joker:
    """What one roll gives in each cell instead (cell → points; it may not be written in cells that are missing), where certain
    cells are written and certain others are open. Of several that apply the last one holds."""

    roll: Roll
    written: frozenset[str]
    open: frozenset[str]
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its name, its sections, equal ones next to each other and then called `alike` (the number of the first of them,
    for each section), the bonus for five equal dice after the first throw, and jokers."""

    name: str
    sections: tuple[Section, ...]
    alike: tuple[int, ...]
    first_throw: int = 0
    jokers: tuple[Joker, ...] = ()

    @property
    def states(self) -> int:
        """How many states there are, equivalent ones and the orders of equal columns merged."""
        total, run = 1, 0
        for at, each in enumerate(self.sections):
            run = run + 1 if at and self.alike[at] == self.alike[at - 1] else 1
            total = total * (each.size + run - 1) // run
        return total

    @property
    def table_size(self) -> int:
        """How many numbers the table of the solution holds."""
        size = 1
        for each in self.sections:
            size *= each.size
        return size
