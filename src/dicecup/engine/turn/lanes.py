"""The vector operations of the turn kernels: one turn in every lane.

A work array holds a row for each of the 462 sets of dice, keeps first. With two axes `(rows,
lanes)` it holds one turn in each lane, 64 bytes a row: 16 turns in single precision, 8 in double.
With one axis it holds a single turn.

The functions are operations (`dicecup.engine.kernel`). Those on the lattice write out every
addition and every maximum with its constant offset. So no index is loaded, nothing branches, and
vectorisation does not depend on the compiler. On a machine with narrower vectors LLVM splits them.
All operations work in place, in 30 KB. Because compiling them takes seconds, all kernels call the
same code (`dicecup.engine.shared_code`).

Other arrays may be wider than the lanes and hold more rows. `at` is the element, counted through
the whole array, of the first lane of the first row. Nothing is checked here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from dicecup.core.dice import DICE, KEEPS
from dicecup.engine.kernel import cgutils, ir, operation, share, types
from dicecup.engine.shared_code import SharedCode
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
    """The code of loads and stores of whole rows of `count` numbers of `size` bytes. `first` points
    to the first number."""

    def __init__(self, builder: Any, first: Any, size: int, count: int) -> None:
        self.builder = builder
        self.first = first
        self.bytes = size
        self.count = count
        scalar = ir.DoubleType() if size == 8 else ir.FloatType()
        self.type = scalar if count == 1 else ir.VectorType(scalar, count)

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


class _Array(_Rows):
    """The rows of an array argument."""

    def __init__(self, context: Any, builder: Any, array: Any, value: Any) -> None:
        self.array = context.make_array(array)(context, builder, value)
        super().__init__(builder, self.array.data, *_kind(array))

    def stride(self) -> Any:
        """Return the distance of two rows in elements. It exceeds the lanes where the array is
        wider.
        """
        return _index(1) if self.count == 1 else self.builder.extract_value(self.array.shape, 1)


def _kind(array: Any) -> tuple[int, int]:
    """Return the size of a number of this type of array, in bytes, and how many a row holds."""
    size = array.dtype.bitwidth // 8
    return size, 1 if array.ndim == 1 else ROW_BYTES // size


# --- Shared functions -----------------------------------------------------------------------------


def _spread(work: _Rows) -> None:
    """Write the code of `spread_keeps`."""
    row = work.near()
    sixth = work.constant(1 / 6)
    for keep in range(KEEP_COUNT - 1, -1, -1):
        total = work.total(work.load(row(larger)) for larger in PLUS[keep])
        work.store(work.builder.fmul(total, sixth), row(keep))


def _best(work: _Rows, stops: _Rows, stride: Any) -> None:
    """Write the code of `best_rolls`."""
    row = work.near()
    element: Any = _index(0)
    for index in range(1, len(KEEPS)):
        first, *others = [row(smaller) for smaller in MINUS[index]]
        best = work.load(first)
        for other in others:
            best = work.larger(work.load(other), best)
        if index < KEEP_COUNT:
            own = work.load(row(index))
        else:
            own = work.load(stops.pointer(element))
            element = work.builder.add(element, stride)
        work.store(work.larger(own, best), row(index))


def _lock(work: _Rows, best: _Rows, unions: Any, offsets: Any) -> None:
    """Write the code of `lock_keeps`."""
    builder, last = work.builder, len(KEEPS) - 1
    values = (last + 1) * work.count
    for thrown in range(DICE, 0, -1):
        least = FILLINGS[DICE - thrown - 1] if thrown < DICE else 0
        with cgutils.for_range(builder, _index(FILLINGS[DICE - thrown]), start=_index(least)) as keep:
            union = builder.gep(unions, [builder.load(builder.gep(offsets, [keep.index]))])
            value = _locked(thrown, work, best, union)
            at = builder.add(_index(values), builder.mul(keep.index, _index(work.count)))
            best.store(value, best.pointer(at))
    with cgutils.for_range(builder, _index(KEEP_COUNT)) as row:
        at = builder.mul(row.index, _index(work.count))
        work.store(best.load(best.pointer(builder.add(at, _index(values)))), work.pointer(at))


def _locked(thrown: int, work: _Rows, best: _Rows, union: Any) -> Any:
    """Write the code for one keep of 5 - `thrown` dice that must stay, and return its value.

    `union`: the rows of the keep's unions.
    """
    builder, row = work.builder, best.near()
    for added in range(FILLINGS[thrown]):
        number = builder.zext(builder.load(builder.gep(union, [_index(added)])), ir.IntType(64))
        value = work.load(work.pointer(builder.mul(number, _index(work.count))))
        for smaller in MINUS[added]:
            value = work.larger(value, best.load(row(smaller)))
        best.store(value, row(added))
    shown = range(FILLINGS[thrown - 1], FILLINGS[thrown])
    return best.total(builder.fmul(best.load(row(added)), best.constant(KEEPS[added].weight / 6**thrown)) for added in shown)


def _mean(work: _Rows, out: _Rows) -> None:
    """Write the code of `throw_mean`."""
    builder, row = work.builder, work.near()
    terms = (
        builder.fmul(work.load(row(KEEP_COUNT + roll)), work.constant(weight / 6**DICE)) for roll, weight in enumerate(WEIGHTS)
    )
    total = next(terms)
    for term in terms:
        total = builder.fadd(total, term)
    out.store(total, out.pointer(_index(0)))


_FUNCTIONS: Final[Mapping[str, tuple[int, Callable[..., None]]]] = {
    "spread": (1, _spread),
    "best": (2, _best),
    "mean": (2, _mean),
    "lock": (2, _lock),
}
"""Name of a function → its number of arrays of rows, and the function that writes its code."""


def _type_of(name: str, size: int) -> Any:
    """Return the type of a function for numbers of this size."""
    number = (ir.DoubleType() if size == 8 else ir.FloatType()).as_pointer()
    arguments = [number] * _FUNCTIONS[name][0]
    if name == "best":
        arguments.append(ir.IntType(64))
    if name == "lock":
        arguments += [ir.IntType(16).as_pointer(), ir.IntType(64).as_pointer()]
    return ir.FunctionType(ir.VoidType(), arguments)


def _define(size: int, count: int, module: Any) -> None:
    """Add all functions to a module, for rows of `count` numbers of `size` bytes."""
    for name, (arrays, write) in _FUNCTIONS.items():
        function = ir.Function(module, _type_of(name, size), _symbol(name, size, count))
        builder = ir.IRBuilder(function.append_basic_block())
        write(*(_Rows(builder, given, size, count) for given in function.args[:arrays]), *function.args[arrays:])
        builder.ret_void()


def _symbol(name: str, size: int, count: int) -> str:
    return f"dicecup_{name}_{8 * size}x{count}"


SHARED: Final[Mapping[tuple[int, int], SharedCode]] = {
    (size, count): SharedCode(f"lanes-{8 * size}x{count}", partial(_define, size, count), Path(__file__))
    for size in (4, 8)
    for count in (1, ROW_BYTES // size)
}
"""Size and number of the numbers in a row → the functions for them."""
share(SHARED.values())


def _call(builder: Any, name: str, array: Any, arguments: Sequence[Any]) -> None:
    """Call a shared function for arrays like this one."""
    size, count = _kind(array)
    _ = SHARED[size, count].library
    function = cgutils.get_or_insert_function(builder.module, _type_of(name, size), _symbol(name, size, count))
    builder.call(function, arguments)


# --- Operations -----------------------------------------------------------------------------------


@operation
def spread_keeps(typing: Any, work: Any) -> Any:
    """Set rows 0 to 209 to the values of the keeps, given the values of the rolls in rows 210 to
    461.

    The value of a keep is the mean over the six sets with one die more.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _call(builder, "spread", work, [_Array(context, builder, work, arguments[0]).first])
        return context.get_dummy_value()

    return types.none(work), emit


@operation
def best_rolls(typing: Any, work: Any, stop: Any, at: Any) -> Any:
    """Set rows 210 to 461 to the values of the rolls: the best of stopping and of keeping.

    Rows 0 to 209 become the best of each keep and of all keeps that are part of it.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, stops = _Array(context, builder, work, arguments[0]), _Array(context, builder, stop, arguments[1])
        _call(builder, "best", work, [rows.first, builder.gep(stops.first, [arguments[2]]), stops.stride()])
        return context.get_dummy_value()

    return types.none(work, stop, types.int64), emit


@operation
def lock_keeps(typing: Any, work: Any, scratch: Any, unions: Any, offsets: Any) -> Any:
    """Set rows 0 to 209 of `work` to the values of keeps that must stay after throw 1.

    `work`: the values of the 210 keeps after throw 2, and of ending the turn with the 252 rolls.
    `scratch`: 672 rows. `unions`: the rows of each keep's unions, 16 bits each, those of keep k
    from `offsets[k]`, 64 bits, on.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, best = _Array(context, builder, work, arguments[0]), _Array(context, builder, scratch, arguments[1])
        tables = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip((unions, offsets), arguments[2:], strict=True)
        ]
        _call(builder, "lock", work, [rows.first, best.first, *tables])
        return context.get_dummy_value()

    return types.none(work, scratch, unions, offsets), emit


@operation
def throw_mean(typing: Any, work: Any, out: Any, at: Any) -> Any:
    """Set `out[at:]` to the expectation of a throw of all five dice, given the rolls in rows 210 to
    461.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, result = _Array(context, builder, work, arguments[0]), _Array(context, builder, out, arguments[1])
        _call(builder, "mean", work, [rows.first, builder.gep(result.first, [arguments[2]])])
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
        olds = _Array(context, builder, to, arguments[0])
        news = _Array(context, builder, source, arguments[2])
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
        news = _Array(context, builder, to, arguments[0])
        olds = _Array(context, builder, source, arguments[1])
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
