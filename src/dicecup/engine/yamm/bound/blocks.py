"""The blocks of a certificate, laid out for the kernels of the search."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.sheets.columns import sections_of
from dicecup.engine.sheets.plan import Plan, plan_of, shapes_of
from dicecup.engine.sheets.section import Section
from dicecup.engine.sheets.sheet import Sheet

SECTIONS: Final = {
    "d": slice(None),
    "u": slice(None),
    "f": slice(None),
    "upper": slice(0, 1),
    "lower": slice(1, None),
    "pair": slice(1, 2),
    "rest": slice(2, None),
}
"""The sections of its column that each kind of part is. The last four are parts of a
free column.
"""


@dataclass(frozen=True)
class Block:
    """A block that occurs `copies` times on the sheet.

    `plan`: its arrays. `shapes` and `written`: the shapes of its states, and the number of written
    cells of each. `start`: the node of every section of the empty block. `size`: the length of a
    table of its states.
    """

    name: str
    copies: int
    plan: Plan = field(repr=False)
    shapes: NDArray[np.int64] = field(repr=False)
    written: NDArray[np.int64] = field(repr=False)
    start: NDArray[np.int64]
    size: int

    @property
    def start_index(self) -> int:
        """The index of the empty state."""
        return int(self.start @ self.plan.stride)


def block(name: str, copies: int) -> Block:
    """Return a block by its name, parts joined by `+`, such as `d+upper`."""
    found: list[tuple[str, Section]] = []
    for number, kind in enumerate(sorted(name.split("+"))):
        free = kind not in ("d", "u")
        sections = sections_of("f1" if free else f"{kind}1")[SECTIONS[kind]]
        found.extend((f"{number}.{at}" if free else kind, each) for at, each in enumerate(sections))
    kinds = [kind for kind, _ in found]
    sections = tuple(each for _, each in found)
    sheet = Sheet(name, sections, tuple(kinds.index(kind) for kind in kinds))
    shapes, _ = shapes_of(sheet)
    written = np.sum([np.array(each.written)[shapes[:, at]] for at, each in enumerate(sections)], axis=0)
    start = np.array([each.start for each in sections])
    return Block(name, copies, plan_of(sheet), shapes, written, start, sheet.table_size)
