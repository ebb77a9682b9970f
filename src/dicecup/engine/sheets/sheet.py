"""A whole score sheet as data: its sections, and the rules that connect them.

Two rules connect sections: five equal dice that end a turn with its first throw earn a bonus
(Yamm), and jokers (Yahtzee). Sheets are played alone, one cell a turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dicecup.core.dice import Roll
from dicecup.engine.sheets.section import Section


@dataclass(frozen=True, slots=True)
class Joker:
    """A roll that counts differently while certain cells are written and certain others are open.

    `points`: cell → points in place of the usual ones; the roll may not be written into cells that
    are missing. Where several jokers apply, the last one holds.
    """

    roll: Roll
    written: frozenset[str]
    open: frozenset[str]
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet. Equal sections are consecutive.

    `alike`: for each section the number of the first section that is equal to it. `first_throw`:
    the bonus for five equal dice after the first throw.
    """

    name: str
    sections: tuple[Section, ...]
    alike: tuple[int, ...]
    first_throw: int = 0
    jokers: tuple[Joker, ...] = ()

    @property
    def states(self) -> int:
        """The number of states. Equivalent states and the orders of equal columns are merged."""
        total, run = 1, 0
        for at, each in enumerate(self.sections):
            run = run + 1 if at and self.alike[at] == self.alike[at - 1] else 1
            total = total * (each.size + run - 1) // run
        return total

    @property
    def table_size(self) -> int:
        """The length of the table of the solution."""
        size = 1
        for each in self.sections:
            size *= each.size
        return size
