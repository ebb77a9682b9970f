"""The last throw under prices: the value of each keep before it for a block that may pass the turn.

A block uses a turn only where that pays: after the last throw it gains the value of the roll less
the price of the keep and roll, or nothing. So the value of a keep is the mean of the positive parts
over the rolls that can follow: 4116 terms, without the lattice.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FIRST_ROLL, KEEPS, ROLLS
from dicecup.engine.kernel import cgutils, ir, operation, types
from dicecup.engine.turn.lanes import ROW_BYTES
from dicecup.engine.turn.lattice import KEEP_COUNT

_PAIRS: Final = [
    (kept.index, rolled.index - FIRST_ROLL, weight / 6 ** (DICE - kept.count))
    for kept in KEEPS[:KEEP_COUNT]
    for rolled, weight in kept.outcomes
]
PAIR_KEEP: Final[NDArray[np.int64]] = np.array([keep for keep, _, _ in _PAIRS])
"""The keep of each of the 4116 pairs of a keep and a roll that can follow it, keep by keep, rolls
ascending.
"""
PAIR_ROLL: Final[NDArray[np.int64]] = np.array([roll for _, roll, _ in _PAIRS])
"""The roll of each pair."""
PAIR_CHANCE: Final[NDArray[np.float64]] = np.array([chance for _, _, chance in _PAIRS])
"""The probability of the roll after the keep."""
PAIRS_AT: Final[NDArray[np.int64]] = np.searchsorted(PAIR_KEEP, np.arange(KEEP_COUNT + 1))
"""Where each keep's pairs begin: shape (211,)."""


def _index(number: int) -> Any:
    """Return a constant index."""
    return ir.IntType(64)(number)


def _all_lanes(builder: Any, row: Any, value: Any) -> Any:
    """Return a row that holds one value in every lane."""
    one = builder.insert_element(ir.Constant(row, ir.Undefined), value, ir.IntType(32)(0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), row.count), [0] * row.count)
    return builder.shuffle_vector(one, ir.Constant(row, ir.Undefined), mask)


def _positive(builder: Any, value: Any) -> Any:
    """Return the positive part of every lane."""
    nothing = ir.Constant(value.type, [0.0] * value.type.count)
    return builder.select(builder.fcmp_ordered(">", value, nothing), value, nothing)


def _row(array: Any) -> Any:
    """Return the type of a row of lanes of this array's numbers."""
    size = array.dtype.bitwidth // 8
    return ir.VectorType(ir.DoubleType() if size == 8 else ir.FloatType(), ROW_BYTES // size)


@operation
def excess(typing: Any, to: Any, gains: Any, prices: Any) -> Any:
    """Set `to` (252, lanes) to the positive part of `gains` (252, lanes) less `prices` (252)."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row = _row(gains)
        size = gains.dtype.bitwidth // 8
        target, source, price = (
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip((to, gains, prices), arguments, strict=True)
        )
        with cgutils.for_range(builder, _index(len(ROLLS))) as roll:
            at = builder.mul(roll.index, _index(row.count))
            gain = builder.load(builder.bitcast(builder.gep(source, [at]), row.as_pointer()))
            gain.align = size
            paid = _all_lanes(builder, row, builder.load(builder.gep(price, [roll.index])))
            left = _positive(builder, builder.fsub(gain, paid))
            builder.store(left, builder.bitcast(builder.gep(target, [at]), row.as_pointer())).align = size
        return context.get_dummy_value()

    return types.none(to, gains, prices), emit


@operation
def positive_parts(typing: Any, work: Any, gains: Any, prices: Any, rolls: Any, chances: Any, starts: Any) -> Any:
    """Set rows 0 to 209 of `work` (462, lanes) to the means of the positive parts of `gains` (252,
    lanes) less `prices` (4116).

    All are in the precision of `work`. `rolls`, `chances` and `starts` are `PAIR_ROLL`,
    `PAIR_CHANCE` and `PAIRS_AT`.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row = _row(work)
        size, count = work.dtype.bitwidth // 8, row.count
        data, source, price, roll, chance, start = (
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip((work, gains, prices, rolls, chances, starts), arguments, strict=True)
        )

        def pointer(array: Any, number: Any) -> Any:
            """Return the pointer to a row of lanes."""
            return builder.bitcast(builder.gep(array, [builder.mul(number, _index(count))]), row.as_pointer())

        nothing = ir.Constant(row, [0.0] * count)
        total = cgutils.alloca_once(builder, row)
        name = f"llvm.fma.v{count}f{8 * size}"
        fma = cgutils.get_or_insert_function(builder.module, ir.FunctionType(row, [row] * 3), name)
        with cgutils.for_range(builder, _index(KEEP_COUNT)) as keep:
            first = builder.load(builder.gep(start, [keep.index]))
            last = builder.load(builder.gep(start, [builder.add(keep.index, _index(1))]))
            builder.store(nothing, total)
            with cgutils.for_range(builder, last, start=first) as pair:
                gain = builder.load(pointer(source, builder.load(builder.gep(roll, [pair.index]))))
                gain.align = size
                paid = _all_lanes(builder, row, builder.load(builder.gep(price, [pair.index])))
                left = _positive(builder, builder.fsub(gain, paid))
                weight = _all_lanes(builder, row, builder.load(builder.gep(chance, [pair.index])))
                builder.store(builder.call(fma, [left, weight, builder.load(total)]), total)
            builder.store(builder.load(total), pointer(data, keep.index)).align = size
        return context.get_dummy_value()

    return types.none(work, gains, prices, rolls, chances, starts), emit
