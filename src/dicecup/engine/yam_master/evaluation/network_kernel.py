"""The last layers of the network as vector code: one operation, so that the sums stay in
registers.

`network(hidden, rows, added, removed, count, supplies, points, second, third)` returns the output
for the sums `hidden` (HIDDEN,), to which the rows `supplies` and `points` are added, and `count`
rows `added` less as many rows `removed` (indices of `rows`). All arrays are contiguous, float32 or
int64. Nothing is checked.
"""

from typing import Any, Final

from dicecup.engine.kernel import cgutils, ir, operation, types
from dicecup.engine.yam_master.evaluation.model import HIDDEN, SECOND

_WIDTH: Final = SECOND
_PARTS: Final = HIDDEN // _WIDTH
_FUSED: Final = ("contract",)


@operation
def network(
    typing: Any,
    hidden: Any,
    rows: Any,
    added: Any,
    removed: Any,
    count: Any,
    supplies: Any,
    points: Any,
    second: Any,
    third: Any,
) -> Any:
    """Emit the code that the module describes."""
    index, lane = ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(ir.FloatType(), _WIDTH)
    zero = ir.Constant(vector, [0.0] * _WIDTH)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(number: int) -> Any:
            """Return the pointer to the numbers of an array argument."""
            return context.make_array(signature.args[number])(context, builder, arguments[number]).data

        def load(pointer: Any, element: Any) -> Any:
            """Load a vector that begins at an element of an array."""
            at = builder.bitcast(builder.gep(pointer, [element]), vector.as_pointer())
            loaded = builder.load(at)
            loaded.align = 4
            return loaded

        def part(row: Any, number: int) -> Any:
            """Load the vector `number` of a weight row."""
            return load(table, builder.add(builder.mul(row, index(HIDDEN)), index(number * _WIDTH)))

        def positive(value: Any) -> Any:
            """Return the positive part. A value that is not a number stays one."""
            return builder.select(builder.fcmp_unordered(">", value, zero), value, zero)

        table, weights = data(1), data(7)
        sums = []
        for number in range(_PARTS):
            start = builder.fadd(load(data(0), index(number * _WIDTH)), part(arguments[5], number))
            sums.append(cgutils.alloca_once_value(builder, builder.fadd(start, part(arguments[6], number))))
        plus, minus = data(2), data(3)
        with cgutils.for_range(builder, arguments[4]) as loop:
            new = builder.load(builder.gep(plus, [loop.index]))
            old = builder.load(builder.gep(minus, [loop.index]))
            for number, place in enumerate(sums):
                change = builder.fsub(part(new, number), part(old, number))
                builder.store(builder.fadd(builder.load(place), change), place)
        found = [positive(builder.load(place)) for place in sums]
        totals = [load(weights, index(HIDDEN * SECOND)), zero, zero, zero]
        for row in range(HIDDEN):
            mask = ir.Constant(ir.VectorType(lane, _WIDTH), [row % _WIDTH] * _WIDTH)
            value = builder.shuffle_vector(found[row // _WIDTH], ir.Constant(vector, ir.Undefined), mask)
            product = builder.fmul(value, load(weights, index(row * SECOND)), flags=_FUSED)
            totals[row % 4] = builder.fadd(product, totals[row % 4], flags=_FUSED)
        total = builder.fadd(builder.fadd(totals[0], totals[1]), builder.fadd(totals[2], totals[3]))
        weighted = builder.fmul(positive(total), load(data(8), index(0)))
        terms = [builder.extract_element(weighted, lane(at)) for at in range(_WIDTH)]
        while len(terms) > 1:
            terms = [builder.fadd(*pair) for pair in zip(terms[::2], terms[1::2], strict=True)]
        return terms[0]

    integer = types.int64
    return types.float32(hidden, rows, added, removed, integer, integer, integer, second, third), emit
