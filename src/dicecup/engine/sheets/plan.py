"""A sheet laid out as arrays for the kernels, and the order in which its states are solved."""

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.arrays import Floats, Integers
from dicecup.engine.sheets.section import FIVE_EQUAL
from dicecup.engine.sheets.sheet import Sheet

NEVER = -1
"""The class of a joker in a cell where it may not be written."""


class Plan(NamedTuple):
    """A sheet as arrays, with S sections, C cells (those of all sections in order) and J jokers."""

    stride: Integers
    """(S) the distance of two states that differ by one node in a section."""
    alike: Integers
    """(S) the number of the first section that is equal to this one. Of equal sections only states
    in ascending order are solved.
    """
    orders: Integers
    """(orders, S) for each permutation of equal sections, the section whose node each
    section gets.
    """
    section: Integers
    """(C) the section of each cell."""
    outcomes: Integers
    """(C) the number of different points of a cell."""
    classes: NDArray[np.uint8]
    """(C, 252) which of the different points each roll gives."""
    moves_at: Integers
    """(C) where the cell's part of `step` and `gain` begins: (nodes, outcomes) each."""
    step: NDArray[np.int32]
    gain: Floats
    extra_at: Integers
    """(S) where the section's part of `extra` begins."""
    extra: Floats
    """The bonus for five equal dice in each node of each section."""
    shape_at: Integers
    """(S) where the section's shapes begin in the next four fields."""
    first: Integers
    """The first node of each shape of each section."""
    sizes: Integers
    """The number of nodes of each shape."""
    cells_at: Integers
    """Where the open cells of each shape begin in `cells` (one entry more than shapes)."""
    cells: Integers
    joker_roll: Integers
    """(J) the roll that counts differently."""
    joker_written: NDArray[np.uint64]
    """(J) the cells, as bits, that must be written for it."""
    joker_open: NDArray[np.uint64]
    """(J) the cells, as bits, that must be open for it."""
    joker_class: Integers
    """(J, C) which of the cell's points the roll gives in place of the usual ones, or `NEVER`."""
    five_equal: Integers
    """(6) the rolls of five equal dice."""
    first_throw: float
    """The bonus for five equal dice that end a turn after its first throw."""


def plan_of(sheet: Sheet) -> Plan:
    """Return the arrays of a sheet."""
    sections = sheet.sections
    cells = [(number, table) for number, section in enumerate(sections) for table in section.cells]
    names = [table.name for _, table in cells]
    first_cell = _starts([len(section.cells) for section in sections])
    shapes = [(number, shape) for number, section in enumerate(sections) for shape in section.shapes]
    opened = [[first_cell[number] + place for place in places] for number, (places, _, _) in shapes]
    sizes = [section.size for section in sections]
    bits = [1 << at for at in range(len(names))]
    place = {name: at for at, name in enumerate(names)}
    classes = np.full((len(sheet.jokers), len(names)), NEVER, dtype=np.int64)
    for at, joker in enumerate(sheet.jokers):
        for name, points in joker.points.items():
            classes[at, place[name]] = cells[place[name]][1].points.index(points)
    return Plan(
        stride=np.array([_product(sizes[number + 1 :]) for number in range(len(sections))], dtype=np.int64),
        alike=np.array(sheet.alike, dtype=np.int64),
        orders=np.array(list(_orders(sheet.alike)), dtype=np.int64),
        section=np.array([number for number, _ in cells], dtype=np.int64),
        outcomes=np.array([len(table.points) for _, table in cells], dtype=np.int64),
        classes=np.array([table.classes for _, table in cells], dtype=np.uint8),
        moves_at=_starts([table.step.size for _, table in cells])[:-1],
        step=np.concatenate([table.step.ravel() for _, table in cells]),
        gain=np.concatenate([table.gain.ravel() for _, table in cells]),
        extra_at=_starts(sizes)[:-1],
        extra=np.concatenate([section.extra for section in sections]),
        shape_at=_starts([len(section.shapes) for section in sections])[:-1],
        first=np.array([first for _, (_, first, _) in shapes], dtype=np.int64),
        sizes=np.array([count for _, (_, _, count) in shapes], dtype=np.int64),
        cells_at=_starts([len(places) for places in opened]),
        cells=np.array([cell for places in opened for cell in places], dtype=np.int64),
        joker_roll=np.array([joker.roll.index - FIRST_ROLL for joker in sheet.jokers], dtype=np.int64),
        joker_written=_masks([joker.written for joker in sheet.jokers], place, bits),
        joker_open=_masks([joker.open for joker in sheet.jokers], place, bits),
        joker_class=classes,
        five_equal=np.array(FIVE_EQUAL, dtype=np.int64),
        first_throw=float(sheet.first_throw),
    )


def shapes_of(sheet: Sheet) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every combination of the sections' shapes that has an open cell, the fullest sheets
    first.

    The combinations have shape (shapes, sections). A second array holds the number of states of
    each. Of equal sections only ascending shapes are listed.
    """
    counts = [len(section.shapes) for section in sheet.sections]
    found = np.indices(counts).reshape(len(counts), -1).T
    for number in range(1, len(counts)):
        if sheet.alike[number] == sheet.alike[number - 1]:
            found = found[found[:, number] >= found[:, number - 1]]
    sections = [(section, found[:, number]) for number, section in enumerate(sheet.sections)]
    written = np.sum([np.array(section.written)[shape] for section, shape in sections], axis=0)
    nodes = np.prod([np.array([count for _, _, count in section.shapes])[shape] for section, shape in sections], axis=0)
    order = np.argsort(-written, kind="stable")
    order = order[written[order] < written.max()]
    return np.ascontiguousarray(found[order]), nodes[order]


def _orders(alike: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield `Plan.orders`: each permutation of the sections that exchanges equal ones only."""
    groups = [[number for number, kind in enumerate(alike) if kind == first] for first in dict.fromkeys(alike)]
    for chosen in product(*(permutations(group) for group in groups)):
        given = {old: new for group, order in zip(groups, chosen, strict=True) for old, new in zip(group, order, strict=True)}
        yield tuple(given[number] for number in range(len(alike)))


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    """Return where parts of these sizes begin in an array, and its length as the last number."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def _product(sizes: list[int]) -> int:
    """Return the product of the sizes, as an integer of any length."""
    total = 1
    for size in sizes:
        total *= size
    return total


def _masks(sets: list[frozenset[str]], place: dict[str, int], bits: list[int]) -> NDArray[np.uint64]:
    """Return sets of cells as bits: bit `place[name]` for each cell."""
    return np.array([sum(bits[place[name]] for name in names) for names in sets], dtype=np.uint64)
