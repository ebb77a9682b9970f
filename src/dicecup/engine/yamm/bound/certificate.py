"""The certificate of an upper bound: prices, the blocks that they are for, and the
claimed bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, KEEPS, ROLLS
from dicecup.core.errors import DicecupError
from dicecup.engine import tables_file
from dicecup.engine.tables_file import TablesCode, TablesError

KIND: Final = "yamm-bound"
SHIPPED: Final = Path(__file__).parent / "yamm.bound"
"""The path of the best known certificate."""
PAIR_KEEP: Final = np.array([kept.index for kept in KEEPS[:FIRST_ROLL] for _ in kept.outcomes])
"""The keep of each of the 4116 pairs of a keep and a roll that can follow it."""
PAIR_ROLL: Final = np.array([rolled.index - FIRST_ROLL for kept in KEEPS[:FIRST_ROLL] for rolled, _ in kept.outcomes])
"""The roll of each pair."""
LOWER: Final = ("pair", "rest")
KINDS: Final = {
    "d": ("d",),
    "u": ("u",),
    "f": ("upper", *LOWER),
    "upper": ("upper",),
    "lower": LOWER,
    "pair": ("pair",),
    "rest": ("rest",),
}
"""The parts that blocks consist of, and the smallest parts of each.

`d`, `u`, `f`: downward, upward and free columns. Of a free one: rows 1 to 6, the others, H with T,
and FH, ST and Y.
"""
HEADER: Final = ("columns", "blocks", "claimed")
ARRAYS: Final = ("knots", "classes", "first", "second", "pairs", "by_roll", "by_keep")
FULL_SHEET: Final = {"d": 3, "u": 3, "f": 3}
"""The number of columns of each kind on the sheet."""
ROWS_IN_COLUMN: Final = 11


class BoundCode(StrEnum):
    """Reasons why a certificate proves nothing."""

    NOT_PRICES = "not-prices"
    NOT_THE_BLOCKS = "not-the-blocks"
    NOT_PROVED = "not-proved"


class BoundError(DicecupError):
    """A certificate that does not prove its claim (`details`: `blocks`, or `name`, or `claimed` and
    `proved`).
    """


class Prices(NamedTuple):
    """The prices of one turn: `first` (252), `second` (classes, 252) and `third`
    (classes, 4116).
    """

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    third: NDArray[np.float64]


@dataclass(frozen=True)
class Certificate:
    """Prices of turns, and the bound that they are claimed to prove.

    `columns`: the number of columns of each kind on the sheet. `blocks`: names of parts joined by
    `+`, and the number of such blocks. `claimed`: the bound.

    `knots` (knots) are turns, ascending from the first (0) to the last. Prices are given there and
    are linear in between. `first` (knots, 252): the price of a roll that ends the turn after throw
    1. The other prices depend on the class of the keep after throw 1, `classes` (210). `second`
    (knots, classes, 252): the price of a roll after throw 2. The price of a roll after throw 3 and
    the keep before it is a sum of three: `pairs` (knots, 4116), `by_roll` (knots, classes, 252) and
    `by_keep` (knots, classes, 210). Pairs are ordered by keeps, those of a keep by rolls.
    """

    columns: Mapping[str, int]
    blocks: Mapping[str, int]
    claimed: float
    knots: NDArray[np.int64]
    classes: NDArray[np.int64]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    pairs: NDArray[np.float64]
    by_roll: NDArray[np.float64]
    by_keep: NDArray[np.float64]

    @property
    def turns(self) -> int:
        """The number of turns of a game: one for each cell."""
        return ROWS_IN_COLUMN * sum(self.columns.values())

    def parts(self, turn: int) -> list[tuple[int, float]]:
        """Return the knots around a turn with their weights."""
        after = min(int(np.searchsorted(self.knots, turn, "right")), len(self.knots) - 1)
        before = max(after - 1, 0)
        width = int(self.knots[after] - self.knots[before])
        part = (turn - int(self.knots[before])) / width if width else 0.0
        return [(before, 1.0 - part), (after, part)]

    def at(self, turn: int) -> Prices:
        """Return the prices of a turn, counted from 0."""
        (knot, before), (next_knot, after) = self.parts(turn)
        first, second, pairs, by_roll, by_keep = (
            before * prices[knot].astype(np.float64) + after * prices[next_knot].astype(np.float64)
            for prices in (self.first, self.second, self.pairs, self.by_roll, self.by_keep)
        )
        return Prices(first, second, np.ascontiguousarray(pairs + by_roll[:, PAIR_ROLL] + by_keep[:, PAIR_KEEP]))

    def check(self) -> None:
        """Raise `BoundError` where the certificate is not well formed.

        `not-the-blocks`: the blocks are not the sheet, each cell once. `not-prices`: the prices are
        not numbers of the right shapes.
        """
        known = all(kind in KINDS for name in (*self.blocks, *self.columns) for kind in name.split("+"))
        if not known or min(self.blocks.values(), default=0) < 1 or _parts(self.blocks) != _parts(self.columns):
            raise BoundError(BoundCode.NOT_THE_BLOCKS, blocks=", ".join(f"{n} × {name}" for name, n in self.blocks.items()))
        count, kinds = len(self.knots), int(self.classes.max(initial=0)) + 1
        shapes: dict[str, tuple[int, ...]] = {
            "knots": (count,),
            "classes": (FIRST_ROLL,),
            "first": (count, len(ROLLS)),
            "second": (count, kinds, len(ROLLS)),
            "pairs": (count, len(PAIR_ROLL)),
            "by_roll": (count, kinds, len(ROLLS)),
            "by_keep": (count, kinds, FIRST_ROLL),
        }
        for name, shape in shapes.items():
            found = getattr(self, name)
            whole = name not in ("knots", "classes") or found.dtype.kind == "i"
            if found.shape != shape or not whole or not np.isfinite(found).all():
                raise BoundError(BoundCode.NOT_PRICES, name=name)
        if not count or (self.knots[0], self.knots[-1]) != (0, self.turns - 1) or (np.diff(self.knots) < 1).any():
            raise BoundError(BoundCode.NOT_PRICES, name="knots")
        if self.classes.min() < 0:
            raise BoundError(BoundCode.NOT_PRICES, name="classes")


def _parts(blocks: Mapping[str, int]) -> dict[str, int]:
    """Return the number of each smallest part."""
    found: dict[str, int] = {}
    for name, copies in blocks.items():
        for kind in name.split("+"):
            for piece in KINDS[kind]:
                found[piece] = found.get(piece, 0) + copies
    return {piece: copies for piece, copies in found.items() if copies}


def save(path: Path, certificate: Certificate) -> None:
    """Write a certificate whole or not at all. Raises `OSError`."""
    arrays = {name: getattr(certificate, name) for name in ARRAYS}
    tables_file.save(path, KIND, arrays, {name: getattr(certificate, name) for name in HEADER})


def flat(columns: Mapping[str, int], blocks: Mapping[str, int], knots: Sequence[int], classes: Sequence[int]) -> Certificate:
    """Return the prices with which a search begins: every roll costs the sum of its dice.

    The claim is infinite.
    """
    shape = (len(knots), max(classes) + 1)
    totals = np.tile(np.array([float(rolled.total) for rolled in ROLLS]), (shape[0], 1))
    return Certificate(
        columns,
        blocks,
        float("inf"),
        np.array(knots),
        np.array(classes),
        totals,
        np.repeat(totals[:, None], shape[1], axis=1),
        totals[:, PAIR_ROLL],
        np.zeros((*shape, len(ROLLS))),
        np.zeros((*shape, FIRST_ROLL)),
    )


def load(path: Path, columns: Mapping[str, int] = FULL_SHEET) -> Certificate:
    """Return a certificate for a sheet of these columns.

    Raises `TablesError` where the file is missing, damaged or of another kind, and `BoundError` as
    `Certificate.check` and for another sheet.
    """
    tables = tables_file.load(path, KIND)
    try:
        arrays = {name: np.array(tables.arrays[name]) for name in ARRAYS}
        sheet, blocks = ({str(name): int(count) for name, count in tables.origin[key].items()} for key in ("columns", "blocks"))
        certificate = Certificate(sheet, blocks, float(tables.origin["claimed"]), **arrays)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name) from None
    certificate.check()
    if sheet != columns:
        raise BoundError(BoundCode.NOT_THE_BLOCKS, blocks=", ".join(f"{count} × {name}" for name, count in blocks.items()))
    return certificate
