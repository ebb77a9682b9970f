"""The vector operations of the turn kernels: one turn in every lane.

A work array holds a row for each of the 462 sets of dice, keeps first. With two axes `(rows,
lanes)` it holds one turn in each lane, 64 bytes a row: 16 turns in single precision, 8 in double.
With one axis it holds a single turn.

The functions are operations (`dicecup.engine.kernel`) that write out every addition and every
maximum of the lattice with its constant offset. So no index is loaded, nothing branches, and
vectorisation does not depend on the compiler. On a machine with narrower vectors LLVM splits them.
All operations work in place, in 30 KB.

Other arrays may be wider than the lanes and hold more rows. `at` is the element, counted through
the whole array, of the first lane of the first row. Nothing is checked here.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from dicecup.core.dice import DICE, KEEPS
from dicecup.engine.kernel import cgutils, ir, operation, types
from dicecup.engine.turn.lattice import FILLINGS, KEEP_COUNT, MINUS, PLUS, WEIGHTS

ROW_BYTES: Final = 64
"""Bytes in a row of lanes: the size of the widest vector registers."""
_BASES: Final = (128, 384)


def _index(number: int) -> Any:
    """Return a constant index."""
    return ir.IntType(64)(number)


def lanes(dtype: Any) -> int:
    """Return the number of turns in a row of this NumPy type: 16 for `float32`, 8 for `float64`."""
    return ROW_BYTES // int(dtype().itemsize)


class _Rows:
    """The code of loads and stores of whole rows of one array argument."""

    def __init__(self, context: Any, builder: Any, array: Any, value: Any) -> None:
        self.builder = builder
        self.bytes = array.dtype.bitwidth // 8
        scalar = ir.DoubleType() if self.bytes == 8 else ir.FloatType()
        self.count = 1 if array.ndim == 1 else ROW_BYTES // self.bytes
        self.type = scalar if array.ndim == 1 else ir.VectorType(scalar, self.count)
        self.array = context.make_array(array)(context, builder, value)
        self.first = self.array.data

    def pointer(self, element: Any) -> Any:
        """Return a pointer to the row that begins with this element."""
        return self.builder.bitcast(self.builder.gep(self.first, [element]), self.type.as_pointer())

    def near(self) -> "Callable[[int], Any]":
        """Return a function from constant row numbers to pointers.

        The pointers are offsets from two bases in the middle of the array that the compiler cannot
        see through. Only then do the offsets fit in one byte, which shortens the code by a third.
        """
        kind = ir.FunctionType(self.type.as_pointer(), [self.type.as_pointer()])
        first = self.builder.bitcast(self.first, self.type.as_pointer())
        bases = [self.builder.asm(kind, "", "=r,0", [self.builder.gep(first, [_index(base)])], False) for base in _BASES]
        return lambda row: self.builder.gep(bases[row // 256], [_index(row - _BASES[row // 256])])

    def load(self, pointer: Any) -> Any:
        """Load a row of lanes, or one number."""
        value = self.builder.load(pointer)
        value.align = self.bytes
        return value

    def store(self, value: Any, pointer: Any) -> None:
        """Store a row of lanes, or one number."""
        self.builder.store(value, pointer).align = self.bytes

    def constant(self, number: float) -> Any:
        """Return a row that holds one number in every lane."""
        return self.type(number) if self.count == 1 else self.type([number] * self.count)

    def larger(self, one: Any, other: Any) -> Any:
        """Return the larger value; `other` where `one` is not a number."""
        return self.builder.select(self.builder.fcmp_ordered(">", one, other), one, other)

    def total(self, terms: Iterable[Any]) -> Any:
        """Return the sum, added up in pairs in a fixed order."""
        left = list(terms)
        while len(left) > 1:
            pairs = zip(left[::2], left[1::2], strict=False)
            left = [self.builder.fadd(*pair) for pair in pairs] + left[len(left) - len(left) % 2 :]
        return left[0]

    def stride(self) -> Any:
        """Return the distance of two rows in elements. It exceeds the lanes where the array is
        wider.
        """
        return _index(1) if self.count == 1 else self.builder.extract_value(self.array.shape, 1)


@operation
def spread_keeps(typing: Any, work: Any) -> Any:
    """Set rows 0 to 209 to the values of the keeps, given the values of the rolls in rows 210 to
    461.

    The value of a keep is the mean over the six sets with one die more.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = _Rows(context, builder, work, arguments[0])
        row = rows.near()
        sixth = rows.constant(1 / 6)
        for keep in range(KEEP_COUNT - 1, -1, -1):
            total = rows.total(rows.load(row(larger)) for larger in PLUS[keep])
            rows.store(builder.fmul(total, sixth), row(keep))
        return context.get_dummy_value()

    return types.none(work), emit


@operation
def best_rolls(typing: Any, work: Any, stop: Any, at: Any) -> Any:
    """Set rows 210 to 461 to the values of the rolls: the best of stopping and of keeping.

    Rows 0 to 209 become the best of each keep and of all keeps that are part of it.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = _Rows(context, builder, work, arguments[0])
        stops = _Rows(context, builder, stop, arguments[1])
        row = rows.near()
        element, stride = arguments[2], stops.stride()
        for index in range(1, len(KEEPS)):
            first, *others = [row(smaller) for smaller in MINUS[index]]
            best = rows.load(first)
            for other in others:
                best = rows.larger(rows.load(other), best)
            if index < KEEP_COUNT:
                own = rows.load(row(index))
            else:
                own = rows.load(stops.pointer(element))
                element = builder.add(element, stride)
            rows.store(rows.larger(own, best), row(index))
        return context.get_dummy_value()

    return types.none(work, stop, types.int64), emit


@operation
def locked_keep(typing: Any, work: Any, scratch: Any, union: Any, thrown: Any) -> Any:
    """Set row 461 of `scratch` to the value of one keep of 5 - `thrown` dice that must stay.

    `thrown` is a literal. `work`: the values of the 210 keeps after throw 2, and of ending the turn
    with the 252 rolls. `union`: the rows of the keep's unions, 16 bits each.
    """
    if not isinstance(thrown, types.IntegerLiteral):
        return None
    count = int(thrown.literal_value)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = _Rows(context, builder, work, arguments[0])
        best = _Rows(context, builder, scratch, arguments[1])
        unions = context.make_array(union)(context, builder, arguments[2]).data
        row = best.near()
        for added in range(FILLINGS[count]):
            number = builder.zext(builder.load(builder.gep(unions, [_index(added)])), ir.IntType(64))
            value = rows.load(rows.pointer(builder.mul(number, _index(rows.count))))
            for smaller in MINUS[added]:
                value = rows.larger(value, best.load(row(smaller)))
            best.store(value, row(added))
        shown = range(FILLINGS[count - 1], FILLINGS[count])
        weighted = [builder.fmul(best.load(row(added)), best.constant(KEEPS[added].weight / 6**count)) for added in shown]
        best.store(best.total(weighted), row(len(KEEPS) - 1))
        return context.get_dummy_value()

    return types.none(work, scratch, union, thrown), emit


@operation
def throw_mean(typing: Any, work: Any, out: Any, at: Any) -> Any:
    """Set `out[at:]` to the expectation of a throw of all five dice, given the rolls in rows 210 to
    461.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = _Rows(context, builder, work, arguments[0])
        row = rows.near()
        terms = (
            builder.fmul(rows.load(row(KEEP_COUNT + roll)), rows.constant(weight / 6**DICE))
            for roll, weight in enumerate(WEIGHTS)
        )
        total = next(terms)
        for term in terms:
            total = builder.fadd(total, term)
        result = context.make_array(out)(context, builder, arguments[1]).data
        pointer = builder.bitcast(builder.gep(result, [arguments[2]]), rows.type.as_pointer())
        rows.store(total, pointer)
        return context.get_dummy_value()

    return types.none(work, out, types.int64), emit


@operation
def copy_rows(typing: Any, to: Any, to_at: Any, source: Any, source_at: Any, count: Any) -> Any:
    """Copy `count` rows from element `source_at` of `source` to element `to_at` of `to`."""
    return _each_row(to, source, lambda rows, old, new: new)


@operation
def raise_rows(typing: Any, to: Any, to_at: Any, source: Any, source_at: Any, count: Any) -> Any:
    """Set each value of `count` rows of `to` to the larger one of itself and of its counterpart in
    `source`.
    """
    return _each_row(to, source, lambda rows, old, new: rows.larger(new, old))


def _each_row(to: Any, source: Any, combine: Callable[[_Rows, Any, Any], Any]) -> Any:
    """Return the code that combines two arrays row by row."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        olds = _Rows(context, builder, to, arguments[0])
        news = _Rows(context, builder, source, arguments[2])
        with cgutils.for_range(builder, arguments[4]) as loop:
            old = olds.pointer(builder.add(arguments[1], builder.mul(loop.index, olds.stride())))
            new = news.pointer(builder.add(arguments[3], builder.mul(loop.index, news.stride())))
            olds.store(combine(olds, olds.load(old), news.load(new)), old)
        return context.get_dummy_value()

    return types.none(to, types.int64, source, types.int64, types.int64), emit


@operation
def best_of_rows(typing: Any, to: Any, source: Any, table: Any, rows: Any, count: Any) -> Any:
    """Set each of the first `rows` rows of `to` to the maximum of `count` (at least one) rows of
    `source`.

    `table` holds the numbers of these rows, 16 bits each, those of a row of `to` next to each
    other. Both arrays are as wide as the lanes.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        news = _Rows(context, builder, to, arguments[0])
        olds = _Rows(context, builder, source, arguments[1])
        numbers = context.make_array(table)(context, builder, arguments[2]).data

        def named(at: Any) -> Any:
            """Load the row whose number is element `at` of `numbers`."""
            number = builder.zext(builder.load(builder.gep(numbers, [at])), ir.IntType(64))
            return olds.load(olds.pointer(builder.mul(number, _index(olds.count))))

        best = cgutils.alloca_once(builder, news.type)
        with cgutils.for_range(builder, arguments[3]) as row:
            first = builder.mul(row.index, arguments[4])
            builder.store(named(first), best)
            with cgutils.for_range(builder, arguments[4], start=_index(1)) as more:
                value = named(builder.add(first, more.index))
                builder.store(news.larger(value, builder.load(best)), best)
            news.store(builder.load(best), news.pointer(builder.mul(row.index, _index(news.count))))
        return context.get_dummy_value()

    return types.none(to, source, table, types.int64, types.int64), emit
