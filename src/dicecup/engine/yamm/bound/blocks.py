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
"""Which sections of its column each kind of part is; the last four are parts of a free one."""


@dataclass(frozen=True)
class Block:
    """A block that stands `copies` times on the sheet: its plan, the shapes of its states and how many cells are `written` in
    each, the node of every section where it starts, and how many numbers a table of its states holds."""

    name: str
    copies: int
    plan: Plan = field(repr=False)
    shapes: NDArray[np.int64] = field(repr=False)
    written: NDArray[np.int64] = field(repr=False)
    start: NDArray[np.int64]
    size: int

    @property
    def start_index(self) -> int:
        """The number of the empty state."""
        return int(self.start @ self.plan.stride)


def block(name: str, copies: int) -> Block:
    """A block by its name, parts joined by `+`: `d+upper`."""
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
